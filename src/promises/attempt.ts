// Errors of arguments reject the promise of a call; no method of the promise API throws.

/** Runs a call's checks so that what they throw rejects its promise, and never is thrown. */
export const attempt = <T>(start: () => Promise<T>): Promise<T> => {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
};
