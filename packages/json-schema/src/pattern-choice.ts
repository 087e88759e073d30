import type { JsonValue } from '@palabre/json';

import { linearPattern, UnusablePattern } from './compiled-schema.js';
import { patternSize } from './pattern-size.js';

/** The room that a schema has for patterns. */
const MAX_SIZE = 5_000;

/** Chooses usable patterns of strangers: those that match in linear time, while their total size is small enough. */
export class PatternChoice {
  readonly unusable = new Set<string>();
  private readonly usable = new Set<string>();
  private size = 0;

  isUsable(pattern: JsonValue): boolean {
    const text = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
    if (!this.usable.has(text) && !this.unusable.has(text)) {
      const isUsable = typeof pattern === 'string' && this.hasRoomFor(pattern) && isLinear(pattern);
      (isUsable ? this.usable : this.unusable).add(text);
    }
    return this.usable.has(text);
  }

  private hasRoomFor(pattern: string): boolean {
    this.size += patternSize(pattern);
    return this.size <= MAX_SIZE;
  }
}

function isLinear(pattern: string): boolean {
  try {
    linearPattern(pattern);
    return true;
  } catch (error) {
    if (error instanceof UnusablePattern) return false;
    throw error;
  }
}
