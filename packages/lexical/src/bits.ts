const BYTE = 8;

/** Of the 32 that are read together, the first seven may be used up. */
const MAX_AT_ONCE = 24;

/** Writes numbers one after the other, none of which begins at a byte. */
export class BitWriter {
  private bytes = Buffer.alloc(1024);
  /** In bits. */
  private end = 0;

  /** The lowest `bits` of a number, 31 at most. */
  write(value: number, bits: number): void {
    this.makeRoom(bits);
    for (let left = bits; left > 0;) {
      const room = BYTE - (this.end % BYTE);
      const some = Math.min(room, left);
      const piece = (value >>> (left - some)) & ((1 << some) - 1);
      const at = this.end >>> 3;
      this.bytes[at] = (this.bytes[at] ?? 0) | (piece << (room - some));
      this.end += some;
      left -= some;
    }
  }

  /** A number of any size by Rice's code: short where it is about 2^shift. */
  rice(value: number, shift: number): void {
    this.zeros(Math.floor(value / 2 ** shift));
    this.write(value % 2 ** shift, shift);
  }

  /** From one on, by Elias' gamma code: short where it is small. */
  count(value: number): void {
    const bits = 31 - Math.clz32(value);
    this.zeros(bits);
    this.write(value, bits);
  }

  /** All that was written. */
  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, Math.ceil(this.end / BYTE)));
  }

  /** So many, and a one behind them. */
  private zeros(count: number): void {
    this.makeRoom(count + 1);
    this.end += count;
    this.write(1, 1);
  }

  private makeRoom(bits: number): void {
    const needed = Math.ceil((this.end + bits) / BYTE);
    if (needed <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * needed);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

/** Reads what a BitWriter has written. */
export class BitReader {
  private readonly bytes: Uint8Array;
  /** In bits. */
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** 31 at most. */
  read(bits: number): number {
    if (bits > MAX_AT_ONCE) return this.read(bits - MAX_AT_ONCE) * 2 ** MAX_AT_ONCE + this.read(MAX_AT_ONCE);
    // By 32 places nothing would be moved.
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

  /** The next bits, 25 of them at least, from the highest on; zeros after the last. */
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
