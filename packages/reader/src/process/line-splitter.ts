/**
 * Splits a stream into lines. An unfinished last line is dropped. Throws when a line exceeds `maxBytes`, and never
 * holds more.
 */
export class LineSplitter {
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.hold(chunk.subarray(start, end));
      const line = Buffer.concat(this.parts, this.bytes).toString();
      this.parts = [];
      this.bytes = 0;
      start = end + 1;
      yield line;
    }
    this.hold(chunk.subarray(start));
  }

  private hold(part: Buffer): void {
    this.bytes += part.byteLength;
    if (this.bytes > this.maxBytes)
      throw new Error('A line of the process that reads documents is too long.');
    if (part.byteLength > 0) this.parts.push(part);
  }
}
