// Tells steady growth from noise: how much a line through samples rises.

/** The rise of the line of best fit (least squares) from the first sample to the last. Two samples at least. */
export function growth(samples) {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((total, each) => total + each, 0) / samples.length;
  let above = 0;
  let below = 0;
  samples.forEach((value, i) => {
    above += (i - middle) * (value - mean);
    below += (i - middle) ** 2;
  });
  return below === 0 ? 0 : (above / below) * (samples.length - 1);
}
