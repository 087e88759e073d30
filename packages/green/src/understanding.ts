import { fold } from '@palabre/lexical';

import { Fault } from './result-wording.js';
import { languages } from './wording.js';

/** Without capitals and accents, words with one blank between them. */
export function folded(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

type NamedCode<Code> = readonly [code: Code, names: readonly string[], others?: readonly string[]];

/** Finds what a text names, whichever of its names it is called by; undefined: none of them. */
export class Names<Code extends string> {
  private readonly codes = new Map<string, Code>();
  private readonly shown = new Map<Code, string>();

  /**
   * Each code with its names, the one to be shown first, and what else it may be called, which counts where no name is
   * that. A name that two codes have finds neither.
   */
  constructor(named: readonly NamedCode<Code>[]) {
    for (const [code, names] of named) {
      this.codes.set(folded(code), code);
      this.shown.set(code, names[0] ?? code);
    }
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

  /** The codes whose names are most like a text, with a name each where that says more. */
  nearest(text: string, most = 6): string[] {
    const wanted = gramsOf(text);
    const likeness = new Map<Code, number>();
    for (const [name, code] of this.codes)
      likeness.set(code, Math.max(likeness.get(code) ?? 0, likenessOf(wanted, gramsOf(name))));
    return [...likeness]
      .filter(([, value]) => value > 0)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, most)
      .map(([code]) => {
        const name = this.shown.get(code) ?? code;
        return folded(name) === folded(code) ? code : `${code} (${name})`;
      });
  }
}

/** Pairs of characters: they forgive slips, and work for words of two as well. */
function gramsOf(text: string): Set<string> {
  const padded = ` ${folded(text)} `;
  return new Set(Array.from(padded.slice(1), (_, index) => padded.slice(index, index + 2)));
}

/** Dice's coefficient, from 0 to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size);
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Every country of ISO 3166-1, by its code and by what the languages here call it. */
const countries = new Names(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    // Codes of countries that are no more stand for those that came after them.
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

/** The ISO 3166-1 code of a country that is given by it or by its name in any language here. Throws Fault. */
export function countryCodeOf(text: string): string {
  const code = countries.find(text);
  if (code !== undefined) return code;
  throw new Fault('unknownCountry', { text, nearest: countries.nearest(text, 3).join(', ') });
}

/** A number, with what stands behind it. */
export interface Measure {
  value: number;
  /** '' where there is nothing. */
  unit: string;
}

/** What digits may stand for, with the places of the fraction: `12,000` and `2.125` are two numbers in two countries. */
export function readingsOf(written: string): { value: number; places: number }[] {
  const digits = written.replaceAll(/[\s'’]/g, '');
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const isFraction = mark >= 0 && digits.indexOf(digits[mark] ?? '') === mark;
  const places = isFraction ? digits.length - mark - 1 : 0;
  const whole = Number(digits.replaceAll(/[.,]/g, ''));
  const reading = { value: whole / 10 ** places, places };
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? [{ value: whole, places: 0 }, reading] : [reading];
}

/** Reads `12 000`, `12,000.5 kWh` or `1.234,5`. Throws Fault for what is no number, and for what may be two. */
export function measureIn(text: string): Measure {
  const [, written = '', unit = ''] = /^\s*([\d\s.,'’]*\d)\s*(.*?)\s*$/su.exec(text) ?? [];
  const [{ value = Number.NaN } = {}, ...others] = written === '' ? [] : readingsOf(written);
  if (others.length > 0) throw new Fault('ambiguousNumber', { text });
  if (!Number.isFinite(value)) throw new Fault('notANumber', { text });
  return { value, unit };
}
