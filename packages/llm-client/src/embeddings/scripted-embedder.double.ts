import { createHash } from 'node:crypto';

import { Embedder, type EmbeddingUse } from '../embedder.js';

/** What a scripted embedder makes of a text: it need not be of unit length. */
export type Meaning = (text: string) => readonly number[];

const DIMENSIONS = 64;

/**
 * Texts that hold one of a group's phrases mean nearly the same, in whatever language; all others mean nothing that
 * any other text means. For tests of paraphrases: `meanings({ pay: ['salary', 'what I earn', 'salaire'] })`.
 */
export function meanings(groups: Readonly<Record<string, readonly string[]>>): Meaning {
  return (text) => {
    const folded = text.toLowerCase();
    const themes = Object.entries(groups).filter(([, phrases]) =>
      phrases.some((phrase) => folded.includes(phrase.toLowerCase())),
    );
    // A little of its own, so that no two texts are alike.
    const own = directionOf(folded).map((number) => number * (themes.length > 0 ? 0.2 : 1));
    return themes.reduce((sum, [theme]) => added(sum, directionOf(`theme ${theme}`)), own);
  };
}

/** Any text's own direction: those of two texts stand nearly at a right angle. */
function directionOf(text: string): number[] {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: DIMENSIONS }, (_, index) => (bytes[index] ?? 0) / 127.5 - 1);
}

function added(one: readonly number[], other: readonly number[]): number[] {
  return one.map((number, index) => number + (other[index] ?? 0));
}

/** An embedder that does what it is told, in memory, for tests. */
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
