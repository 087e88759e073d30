import { type Phrases, type Token, tokensOf } from './tokens.js';
import { glueLengths, joiners } from './vocabulary.js';
import type { Language } from './words.js';

/** A tokenized message, shared by all tools. */
export interface Said {
  text: string;
  tokens: readonly Token[];
  language: Language | null;
  isQuestion: boolean;
  /** By token: the length of the filler phrase that begins there. 0: none. */
  glue: readonly number[];
}

export function said(text: string, language: Language | null): Said {
  const tokens = tokensOf(text);
  return { text, tokens, language, isQuestion: /[?？]\s*$/.test(text), glue: glueLengths(tokens, language) };
}

export interface Span {
  start: number;
  end: number;
}

/** A message in which the understood parts are marked. */
export class MarkedMessage {
  readonly tokens: readonly Token[];
  private readonly taken: boolean[];

  constructor(readonly said: Said) {
    this.tokens = said.tokens;
    this.taken = this.tokens.map(({ kind }) => kind === 'stop');
  }

  isTaken(at: number): boolean {
    return this.taken[at] ?? false;
  }

  take({ start, end }: Span): void {
    this.taken.fill(true, start, end);
  }

  glueAt(at: number): number {
    return this.said.glue[at] ?? 0;
  }

  wordsOf({ start, end }: Span): string {
    const [first, last] = [this.tokens[start], this.tokens[end - 1]];
    return first && last ? this.said.text.slice(first.start, last.end) : '';
  }

  /** The places of phrases in tokens that are not marked yet. Filler words may be between the words of a phrase. */
  spansOf(phrases: Phrases<string>): (Span & { values: ReadonlySet<string> })[] {
    const spans: (Span & { values: ReadonlySet<string> })[] = [];
    for (let at = 0; at < this.tokens.length;) {
      const found = this.taken[at] ? null : this.spanAt(phrases, at);
      if (found) spans.push(found);
      at = found?.end ?? at + 1;
    }
    return spans;
  }

  private spanAt(phrases: Phrases<string>, at: number): (Span & { values: ReadonlySet<string> }) | null {
    const whole = phrases.at(this.tokens, at);
    const places = [at, ...Array.from({ length: MAX_APART }, (_, index) => at + 1 + index)].filter(
      (place) => place === at || this.glueAt(place) === 0 || joiners.lengthAt(this.tokens, place) > 0,
    );
    const own = places.flatMap((place) => this.tokens[place] ?? []);
    const apart = phrases.at(own, 0);
    const isApart = apart !== null && apart.length > (whole?.length ?? 0);
    const found = isApart ? apart : whole;
    if (!found) return null;
    const last = isApart ? (places[found.length - 1] ?? at) : at + found.length - 1;
    // Some filler words have a second meaning: the French `un` may be the United Nations.
    if (last === at && this.glueAt(at) > 0) return null;
    return { start: at, end: last + 1, values: found.values };
  }
}

const MAX_APART = 10;
