/**
 * A term's list has the ordinals of the items with that term, ascending, each with an impact from 0 to 7 (from the
 * count and the item's length). The format is varints of `delta << 3 | impact`. Concatenated lists are a list too: a
 * zero means that an absolute ordinal follows. Ordinals begin with 1.
 */
export const IMPACTS = 8;

/** The largest posting: an ordinal of 31 bits and an impact of three. */
export const MAX_POSTING_BYTES = 5;

/** In place of a delta: an absolute ordinal follows. */
export const RESTART = 0;

/** The stored step for a saturation, 0 to 1. */
export function impactOf(saturation: number): number {
  return Math.max(0, Math.min(IMPACTS - 1, Math.floor(saturation * IMPACTS)));
}

/** The saturation that a step stands for. */
export function saturationOf(impact: number): number {
  return (impact + 0.5) / IMPACTS;
}

/** Writes lists into one buffer, which grows as needed. */
export class PostingWriter {
  private bytes = Buffer.allocUnsafe(2048);
  private end = 0;
  private previous = 0;

  get length(): number {
    return this.end;
  }

  /** Begins a list. `follows`: it continues another list. */
  begin({ follows }: { follows: boolean }): void {
    this.previous = 0;
    if (follows) this.write(RESTART);
  }

  add(ordinal: number, impact: number): void {
    // Multiplied, not shifted: ordinals go up to 2^31.
    this.write((ordinal - this.previous) * IMPACTS + impact);
    this.previous = ordinal;
  }

  /** A copy of the bytes from `start` on. */
  from(start: number): Buffer {
    return Buffer.from(this.bytes.subarray(start, this.end));
  }

  private write(value: number): void {
    if (this.end + MAX_POSTING_BYTES > this.bytes.length) {
      const larger = Buffer.allocUnsafe(this.bytes.length * 2);
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
    let left = value;
    while (left >= 0x80) {
      this.bytes[this.end] = (left % 0x80) | 0x80;
      this.end += 1;
      left = Math.floor(left / 0x80);
    }
    this.bytes[this.end] = left;
    this.end += 1;
  }
}

export function eachPosting(data: Uint8Array, visit: (ordinal: number, impact: number) => void): void {
  let ordinal = 0;
  for (let at = 0; at < data.length;) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = data[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    if (value === RESTART) ordinal = 0;
    else {
      ordinal += Math.floor(value / IMPACTS);
      visit(ordinal, value % IMPACTS);
    }
  }
}

export function countPostings(data: Uint8Array): number {
  let count = 0;
  // Each varint ends with one byte below 0x80. Only for a restart is that byte zero.
  for (const byte of data) if (byte < 0x80 && byte !== RESTART) count += 1;
  return count;
}
