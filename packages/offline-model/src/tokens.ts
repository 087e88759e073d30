import { asSimplified, fold } from '@palabre/lexical';

/** A word, a Chinese character, a number, an address or file name, a meaningful sign, or punctuation. */
export interface Token {
  kind: 'word' | 'number' | 'address' | 'sign' | 'stop';
  text: string;
  /** The form for comparison: without case, accents and plural; Chinese is simplified. */
  key: string;
  start: number;
  end: number;
}

const HAN = String.raw`\p{Script=Han}`;
const LETTER = String.raw`(?:(?!${HAN})[\p{L}\p{M}])`;

const patterns = [
  String.raw`(?<address>https?://[^\s<>"'”»）]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\p{L}\p{N}_-]+\.(?:\p{L}[\p{L}\p{N}]{1,4})(?![\p{L}\p{N}]))`,
  // Groups of three after blanks. The meaning of dots and commas depends on the language.
  String.raw`(?<number>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,’']\d+)*)`,
  String.raw`(?<word>${LETTER}+n['’]t(?!${LETTER})|${LETTER}(?:${LETTER}|\p{N})*|${HAN}|\p{Sc}|[%²³])`,
  String.raw`(?<stop>[.,;:!?¿¡()[\]"'’‘“”«»…、。，；：？！（）「」『』《》\u2019]|(?<=\s|\p{L})[-–—](?=\s*\p{L})|(?<=^\s*)[-–—*•](?=\s))`,
  String.raw`(?<sign>[^\s])`,
];
const token = new RegExp(patterns.join('|'), 'gmu');

const PLURAL = /(?:e?[sx]|e)$/;
const NOT_LETTERS = /[^\p{L}\p{M}\p{N}\p{Sc}%]+/gu;

/** The comparison form of a word. */
export function keyOf(word: string): string {
  const folded = asSimplified(fold(word)).replaceAll(NOT_LETTERS, '');
  return folded.length > 3 ? folded.replace(PLURAL, '') : folded;
}

export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(token), (match): Token => {
    const [found] = match;
    const kind = (Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ??
      'sign') as Token['kind'];
    const start = match.index;
    return { kind, text: found, key: kind === 'stop' ? '' : keyOf(found), start, end: start + found.length };
  });
}

/** The words of an identifier: `car_diesel` and `R-410A` have several. */
export function wordsIn(text: string): string[] {
  return tokensOf(text.replaceAll('_', ' ')).flatMap(({ kind, key }) =>
    kind === 'stop' || key === '' ? [] : [key],
  );
}

const MAX_TOKENS_OF_A_PHRASE = 8;

export class Phrases<Value> {
  private readonly values: Map<string, ReadonlySet<Value>>;

  /** Starts with the phrases of `others`. */
  constructor(others?: Phrases<Value>) {
    this.values = new Map(others?.values);
  }

  add(phrase: string, value: Value): this {
    const key = wordsIn(phrase).join('');
    if (key !== '') this.values.set(key, new Set(this.values.get(key)).add(value));
    return this;
  }

  set(phrase: string, value: Value): this {
    this.values.set(wordsIn(phrase).join(''), new Set([value]));
    return this;
  }

  *for(value: Value): Generator<string> {
    for (const [key, values] of this.values) if (values.has(value)) yield key;
  }

  /** The longest phrase that begins at a token. */
  at(tokens: readonly Token[], from: number): Found<Value> | null {
    let best: Found<Value> | null = null;
    let key = '';
    for (let length = 1; length <= MAX_TOKENS_OF_A_PHRASE; length += 1) {
      const next = tokens[from + length - 1];
      if (!next || next.kind === 'stop') break;
      // A sign may only be inside a phrase, as in `R-410A`.
      if (next.kind === 'sign' && length === 1) break;
      key += next.key;
      const values = this.values.get(key);
      if (values && next.kind !== 'sign') best = { length, values };
    }
    return best;
  }

  /** Its length in tokens; 0: no phrase begins there. */
  lengthAt(tokens: readonly Token[], from: number): number {
    return this.at(tokens, from)?.length ?? 0;
  }

  of(phrase: string): ReadonlySet<Value> {
    return this.values.get(wordsIn(phrase).join('')) ?? new Set();
  }
}

interface Found<Value> {
  length: number;
  values: ReadonlySet<Value>;
}
