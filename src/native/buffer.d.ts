// Methods of Node's Buffer that its typings leave out: the ones behind toString() and write(), without their checks.

declare global {
  interface Buffer {
    latin1Slice(start: number, end: number): string;
    ucs2Slice(start: number, end: number): string;
    utf8Slice(start: number, end: number): string;
    utf8Write(text: string, offset: number): number;
  }
}

export {};
