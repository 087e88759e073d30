import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Tokenizer } from '../llm/tokens/tokenizer.js';

const MOST_LINES = 20_000;
const MOST_CHARACTERS = 4_000_000;

/** Counts the tokens of lines that come again and again: counting takes longer than all the rest of a context. */
@Injectable()
export class LineTokens {
  private readonly counts = new LRUCache<string, number>({
    max: MOST_LINES,
    maxSize: MOST_CHARACTERS,
    maxEntrySize: MOST_CHARACTERS / 100,
    sizeCalculation: (_, text) => text.length + 1,
  });

  constructor(private readonly tokens: Tokenizer) {}

  count(text: string): number {
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    const count = this.tokens.count(text);
    this.counts.set(text, count);
    return count;
  }

  /** Keeps no line any more. */
  clear(): void {
    this.counts.clear();
  }
}
