const BYTE = 8;

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

  read(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0;) {
      const room = BYTE - (this.at & 7);
      const some = Math.min(room, left);
      const byte = this.bytes[this.at >>> 3] as number;
      value = (value << some) | ((byte >>> (room - some)) & ((1 << some) - 1));
      this.at += some;
      left -= some;
    }
    return value;
  }

  rice(shift: number): number {
    return this.zeros() * 2 ** shift + this.read(shift);
  }

  count(): number {
    const bits = this.zeros();
    return 2 ** bits + this.read(bits);
  }

  private zeros(): number {
    let count = 0;
    for (;;) {
      const byte = this.bytes[this.at >>> 3];
      if (byte === undefined) throw new RangeError('Packed lists end too early.');
      const rest = (byte << (this.at & 7)) & 0xff;
      if (rest !== 0) {
        const zeros = Math.clz32(rest) - 24;
        this.at += zeros + 1;
        return count + zeros;
      }
      const left = BYTE - (this.at & 7);
      count += left;
      this.at += left;
    }
  }
}
