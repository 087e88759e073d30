const BYTE = 8;

/** Four bytes are read at once, of which up to seven bits may be used already. */
const MAX_AT_ONCE = 24;

/** Writes numbers bit by bit, without alignment to bytes. */
export class BitWriter {
  private bytes = Buffer.alloc(1024);
  /** In bits. */
  private end = 0;

  /** Writes the lowest `bits` of a number, 31 at most. */
  write(value: number, bits: number): void {
    if (bits > MAX_AT_ONCE) {
      this.write(value >>> MAX_AT_ONCE, bits - MAX_AT_ONCE);
      return this.write(value, MAX_AT_ONCE);
    }
    this.makeRoom(bits);
    const { bytes, end } = this;
    const at = end >>> 3;
    const four = (value & ((1 << bits) - 1)) << (32 - bits - (end & 7));
    bytes[at] = (bytes[at] as number) | (four >>> 24);
    bytes[at + 1] = (four >>> 16) & 0xff;
    bytes[at + 2] = (four >>> 8) & 0xff;
    bytes[at + 3] = four & 0xff;
    this.end = end + bits;
  }

  /** Writes a number of any size by Rice's code, which is short near 2^shift. */
  rice(value: number, shift: number): void {
    this.zeros(Math.floor(value / 2 ** shift));
    if (shift < MAX_AT_ONCE) return this.write(2 ** shift + (value % 2 ** shift), shift + 1);
    this.write(1, 1);
    this.write(value % 2 ** shift, shift);
  }

  /** Writes a number from 1 on by Elias' gamma code, which is short for small ones. */
  count(value: number): void {
    const bits = 31 - Math.clz32(value);
    this.zeros(bits);
    this.write(value, bits + 1);
  }

  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, Math.ceil(this.end / BYTE)));
  }

  private zeros(count: number): void {
    this.makeRoom(count);
    this.end += count;
  }

  /** Four bytes are written at a time, even if fewer are needed. */
  private makeRoom(bits: number): void {
    const needed = ((this.end + bits) >>> 3) + 5;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * needed);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

/** Reads the output of BitWriter. */
export class BitReader {
  private readonly bytes: Uint8Array;
  /** In bits. */
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads 31 bits at most. */
  read(bits: number): number {
    if (bits > MAX_AT_ONCE) return this.read(bits - MAX_AT_ONCE) * 2 ** MAX_AT_ONCE + this.read(MAX_AT_ONCE);
    // A shift by 32 would shift by 0.
    if (bits === 0) return 0;
    const value = this.next() >>> (32 - bits);
    this.at += bits;
    return value;
  }

  rice(shift: number): number {
    return this.zeros() * 2 ** shift + this.read(shift);
  }

  count(): number {
    const bits = this.zeros();
    return 2 ** bits + this.read(bits);
  }

  skip(bits: number): void {
    this.at += bits;
  }

  skipRice(shift: number): void {
    this.zeros();
    this.at += shift;
  }

  private zeros(): number {
    let count = 0;
    for (;;) {
      const next = this.next();
      if (next !== 0) {
        const zeros = Math.clz32(next);
        this.at += zeros + 1;
        return count + zeros;
      }
      if (this.at >= this.bytes.length * BYTE) throw new RangeError('Packed lists end too early.');
      const seen = 32 - (this.at & 7);
      count += seen;
      this.at += seen;
    }
  }

  /** The next bits, at least 25, the highest first. Zeros after the end. */
  private next(): number {
    const { bytes, at } = this;
    const byte = at >>> 3;
    const four =
      ((bytes[byte] as number) << 24) |
      ((bytes[byte + 1] as number) << 16) |
      ((bytes[byte + 2] as number) << 8) |
      (bytes[byte + 3] as number);
    return four << (at & 7);
  }
}
