import { createHash } from 'node:crypto';

import { Embedder, type EmbeddingUse } from '../embedder.js';

/** The vector of a text. It need not have unit length. */
export type Meaning = (text: string) => readonly number[];

const DIMENSIONS = 64;

/**
 * Texts with a phrase of the same group mean nearly the same, in any language. Others are unrelated. For tests of
 * paraphrases: `meanings({ pay: ['salary', 'what I earn', 'salaire'] })`.
 */
export function meanings(groups: Readonly<Record<string, readonly string[]>>): Meaning {
  return (text) => {
    const folded = text.toLowerCase();
    const themes = Object.entries(groups).filter(([, phrases]) =>
      phrases.some((phrase) => folded.includes(phrase.toLowerCase())),
    );
    // A little of its own direction, so that no two texts are equal.
    const own = directionOf(folded).map((number) => number * (themes.length > 0 ? 0.2 : 1));
    return themes.reduce((sum, [theme]) => added(sum, directionOf(`theme ${theme}`)), own);
  };
}

/** A text's own direction. Two texts are nearly orthogonal. */
function directionOf(text: string): number[] {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: DIMENSIONS }, (_, index) => (bytes[index] ?? 0) / 127.5 - 1);
}

function added(one: readonly number[], other: readonly number[]): number[] {
  return one.map((number, index) => number + (other[index] ?? 0));
}

/** An embedder in memory that follows a script, for tests. */
export class ScriptedEmbedder extends Embedder {
  override readonly state = 'closed';
  readonly calls: { texts: readonly string[]; use: EmbeddingUse }[] = [];

  constructor(
    private readonly meaning: Meaning,
    override readonly model = 'scripted-embedder',
  ) {
    super();
  }

  override async embed(
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    this.calls.push({ texts: [...texts], use });
    return texts.map((text) => unit(this.meaning(text)));
  }
}

function unit(numbers: readonly number[]): Float32Array {
  const norm = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / norm);
}
