import type { ParsedPage } from '../parsing/parsed-document.js';

/** What is left for the last passages to be stored. */
const MOST = 0.98;

/**
 * How far the reading of a document is, as far as anybody can know: where it is not known how much is still to come, by
 * how much text there was for the size of the file, more slowly the further it is. It never falls.
 */
export class ReadingProgress {
  private textBytes = 0;
  private reached = 0;

  constructor(
    /** Of the file. */
    private readonly bytes: number,
  ) {}

  /** 0 to less than 1. */
  get share(): number {
    return this.reached;
  }

  take({ markdown }: ParsedPage): void {
    this.textBytes += Buffer.byteLength(markdown);
    this.reached = Math.max(this.reached, MOST * this.estimate());
  }

  /** Half of it at a third of the size of the file, which is all of it for a text. */
  private estimate(): number {
    return 1 - 2 ** ((-3 * this.textBytes) / Math.max(this.bytes, 1));
  }
}
