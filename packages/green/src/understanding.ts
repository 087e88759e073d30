import { fold } from '@palabre/lexical';

import { Fault } from './result-wording.js';
import { languages, wordingOf } from './wording.js';

/** Lower case without accents, one blank between words. */
export function folded(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

type NamedCode<Code> = readonly [code: Code, names: readonly string[], others?: readonly string[]];

/** Finds the code that a text names by any of its names. Undefined: none. */
export class Names<Code extends string> {
  private readonly codes = new Map<string, Code>();

  /**
   * Codes with their names, and with other words, which count only if no name matches. A name of two codes finds
   * neither.
   */
  constructor(named: readonly NamedCode<Code>[]) {
    for (const [code] of named) this.codes.set(folded(code), code);
    this.add(named.map(([code, names]) => [code, names]));
    this.add(named.map(([code, , others = []]) => [code, others]));
  }

  private add(named: readonly NamedCode<Code>[]): void {
    const pairs = named.flatMap(([code, names]) =>
      [...new Set(names.map(folded))].map((name) => ({ name, code })),
    );
    for (const [name, [first, ...others]] of Map.groupBy(pairs, ({ name }) => name))
      if (first && others.length === 0 && name !== '' && !this.codes.has(name))
        this.codes.set(name, first.code);
  }

  find(text: string): Code | undefined {
    return this.codes.get(folded(text));
  }

  /** The codes with the most similar names. */
  nearest(text: string, most = 6): Code[] {
    const wanted = gramsOf(text);
    const likeness = new Map<Code, number>();
    for (const [name, code] of this.codes)
      likeness.set(code, Math.max(likeness.get(code) ?? 0, likenessOf(wanted, gramsOf(name))));
    return [...likeness]
      .filter(([, value]) => value > 0)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, most)
      .map(([code]) => code);
  }

  /** A line with the nearest codes by `nameOf`. Shows the code where the name does not find it. */
  sayNearest(text: string, nameOf: (code: Code) => string, most?: number): string {
    const said = this.nearest(text, most).map((code) =>
      this.find(nameOf(code)) === code ? nameOf(code) : `${code} (${nameOf(code)})`,
    );
    return said.join(', ');
  }
}

/** Pairs of characters: they tolerate typing errors, and work for two-character words. */
function gramsOf(text: string): Set<string> {
  const padded = ` ${folded(text)} `;
  return new Set(Array.from(padded.slice(1), (_, index) => padded.slice(index, index + 2)));
}

/** Dice's coefficient, from 0 to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size);
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Every country of ISO 3166-1, by its code and its names in the languages here. */
const countries = new Names(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    // Codes of former countries stand for their successors.
    if (new Intl.Locale('und', { region: code }).region !== code) return [];
    const names = languages.flatMap((language) =>
      (['long', 'short'] as const).flatMap(
        (style) =>
          new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }).of(code) ?? [],
      ),
    );
    return names.length === 0 ? [] : [[code, names] as const];
  }),
);

/** The ISO 3166-1 code of a country given by code or name. Throws Fault. */
export function countryCodeOf(text: string): string {
  const code = countries.find(text);
  if (code !== undefined) return code;
  // The error asks for codes.
  const sayIn = (language: string): string[] =>
    countries.nearest(text, 3).map((each) => `${each} (${wordingOf(language).speech.country(each)})`);
  throw new Fault('unknownCountry', { text, nearest: (language) => sayIn(language).join(', ') });
}

export interface Measure {
  value: number;
  /** '' where there is none. */
  unit: string;
}

/** Possible readings of digits, with their decimal places: `12,000` and `2.125` differ by country. */
export function readingsOf(written: string): { value: number; places: number }[] {
  const digits = written.replaceAll(/[\s'’]/g, '');
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const isFraction = mark >= 0 && digits.indexOf(digits[mark] ?? '') === mark;
  const places = isFraction ? digits.length - mark - 1 : 0;
  const whole = Number(digits.replaceAll(/[.,]/g, ''));
  const reading = { value: whole / 10 ** places, places };
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? [{ value: whole, places: 0 }, reading] : [reading];
}

/** Reads `12 000`, `12,000.5 kWh` or `1.234,5`. Throws Fault for text that is not a number or is ambiguous. */
export function measureIn(text: string): Measure {
  const [, written = '', unit = ''] = /^\s*([\d\s.,'’]*\d)\s*(.*?)\s*$/su.exec(text) ?? [];
  const [{ value = Number.NaN } = {}, ...others] = written === '' ? [] : readingsOf(written);
  if (others.length > 0) throw new Fault('ambiguousNumber', { text });
  if (!Number.isFinite(value)) throw new Fault('notANumber', { text });
  return { value, unit };
}
