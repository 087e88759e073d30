import { readFileSync } from 'node:fs';

/** A power of two, several times the number of tokens, so that few lookups collide. */
const slotCount = 2 ** 19;

/**
 * The tokens of an encoding and their ranks, in flat tables. A Map of 200,000 strings takes 20 MB and time to build.
 * Bytes are always characters of a string (latin1).
 */
export class TokenRanks {
  /** The rank of each pair of bytes: half of all lookups. Infinity: not a token. */
  private readonly pairs = new Float64Array(2 ** 16).fill(Infinity);
  /** By hash: a token's rank plus one. Zero: empty. */
  private readonly slots = new Uint32Array(slotCount);

  private constructor(
    /** The bytes of all tokens, by rank. */
    private readonly bytes: string,
    /** The start of each token, and the end of the last. */
    private readonly starts: Uint32Array,
  ) {
    for (let rank = 0; rank + 1 < starts.length; rank++) this.add(rank);
  }

  /** Reads a file of tiktoken: lines with a token in base64 and its rank, from 0 on. */
  static read(path: string): TokenRanks {
    const lines = readFileSync(path, 'latin1').trimEnd().split('\n');
    // The base64 text is longer than its bytes, so this is enough.
    const bytes = Buffer.alloc(lines.reduce((sum, line) => sum + line.length, 0));
    const starts = new Uint32Array(lines.length + 1);
    let end = 0;
    for (const [rank, line] of lines.entries()) {
      end += bytes.write(line.slice(0, line.indexOf(' ')), end, 'base64');
      starts[rank + 1] = end;
    }
    return new TokenRanks(bytes.toString('latin1', 0, end), starts);
  }

  /** The rank of the token in `bytes` from `start` to `end`. Infinity: not a token. */
  rankOf(bytes: string, start: number, end: number): number {
    if (end - start === 2) return this.pairs[pairAt(bytes, start)] as number;
    for (let slot = slotOf(bytes, start, end); ; slot = (slot + 1) % slotCount) {
      const rank = (this.slots[slot] as number) - 1;
      if (rank === -1) return Infinity;
      if (this.isToken(rank, bytes, start, end)) return rank;
    }
  }

  private add(rank: number): void {
    const start = this.starts[rank] as number;
    const end = this.starts[rank + 1] as number;
    if (end - start === 2) this.pairs[pairAt(this.bytes, start)] = rank;
    let slot = slotOf(this.bytes, start, end);
    while (this.slots[slot] !== 0) slot = (slot + 1) % slotCount;
    this.slots[slot] = rank + 1;
  }

  private isToken(rank: number, bytes: string, start: number, end: number): boolean {
    const tokenStart = this.starts[rank] as number;
    if ((this.starts[rank + 1] as number) - tokenStart !== end - start) return false;
    for (let index = 0; index < end - start; index++) {
      if (this.bytes.charCodeAt(tokenStart + index) !== bytes.charCodeAt(start + index)) return false;
    }
    return true;
  }
}

function pairAt(bytes: string, index: number): number {
  return (bytes.charCodeAt(index) << 8) | bytes.charCodeAt(index + 1);
}

/** FNV-1a. */
function slotOf(bytes: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ bytes.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % slotCount;
}
