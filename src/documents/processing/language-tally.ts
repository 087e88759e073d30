import type { CutPassage } from '../passages/cut-passage.js';

/** What a document is written in, by its passages. */
export class LanguageTally {
  private readonly tokensOf = new Map<string, number>();

  add({ language, tokens }: Pick<CutPassage, 'language' | 'tokens'>): void {
    if (language !== null) this.tokensOf.set(language, (this.tokensOf.get(language) ?? 0) + tokens);
  }

  /** Of most of what is in a language that is known; null: nothing is. */
  get most(): string | null {
    const [first] = [...this.tokensOf].toSorted(([, a], [, b]) => b - a);
    return first?.[0] ?? null;
  }
}
