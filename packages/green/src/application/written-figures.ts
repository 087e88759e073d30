import { readingsOf } from '../understanding.js';

/** Finds figures in a text that are kept as numbers: emissions, scores and money. */

export type FigureKind = 'emissions' | 'score' | 'money';

/** A known figure: kilograms, points out of 100, or an amount in the application's currency. */
export interface KnownFigure {
  kind: FigureKind;
  value: number;
}

interface WrittenFigure {
  kind: FigureKind;
  text: string;
  /** Possible meanings. */
  readings: { value: number; precision: number }[];
}

const NUMBER = String.raw`(?<![\d.,])(?:\d{1,3}(?:[\s.,'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)`;
/** Words that multiply the digits, in the assistant's languages. */
const scales: readonly [RegExp, number][] = [
  [/^milli(?:ard|ardo)s?$/iu, 1e9],
  [/^(?:billions?|bn)$/iu, 1e9],
  [/^(?:millions?|millón|millones|m)$/iu, 1e6],
  [/^億$/u, 1e8],
  [/^萬$/u, 1e4],
];
const SCALE = String.raw`(?:\s?(milliards?|billions?|bn|millions?|millón|millones|M|億|萬)(?![\p{L}])(?:\s(?:de|d’|d'))?)?`;

function patternsFor(currency: string): [FigureKind, RegExp][] {
  const isFranc = currency === 'XOF' || currency === 'XAF';
  const names = [
    currency,
    ...(isFranc ? ['F\\s?CFA', 'francs?\\sCFA'] : []),
    ...(currency === 'EUR' ? ['€', 'euros?'] : []),
  ];
  return [
    [
      'emissions',
      new RegExp(
        String.raw`(${NUMBER})()\s?(kg|t|tonnes?|toneladas?|公噸|噸|公斤)\s?(?:de\s|d’|d'|of\s)?(?:CO2|CO₂)`,
        'giu',
      ),
    ],
    ['score', new RegExp(String.raw`(${NUMBER})()\s?(?:/|sur|out of|sobre)\s?100(?!\d)`, 'giu')],
    ['money', new RegExp(String.raw`(${NUMBER})${SCALE}\s?(?:${names.join('|')})(?!\p{L})`, 'giu')],
  ];
}

/** Half of the last place. Trailing zeros of a large number are mostly rounding, by half a percent at most. */
function precisionOf({ value, places }: { value: number; places: number }): number {
  if (places > 0) return 0.5 / 10 ** places;
  const zeros = /0*$/.exec(String(value))?.[0].length ?? 0;
  return Math.max(0.5, Math.min(0.5 * 10 ** zeros, 0.005 * value));
}

function figuresIn(text: string, currency: string): WrittenFigure[] {
  return patternsFor(currency).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(([found, number = '', scale = '', unit = '']) => {
      const factor = kind === 'emissions' ? (/^(?:kg|公斤)$/iu.test(unit) ? 1 : 1000) : scaleOf(scale);
      const readings = readingsOf(number).map((reading) => ({
        value: reading.value * factor,
        precision: precisionOf(reading) * factor,
      }));
      return { kind, text: found.trim(), readings };
    }),
  );
}

function scaleOf(word: string): number {
  return scales.find(([pattern]) => pattern.test(word))?.[1] ?? 1;
}

/** The figures in a text that match no known figure, as written. */
export function unbackedFigures(text: string, currency: string, known: readonly KnownFigure[]): string[] {
  return figuresIn(text, currency)
    .filter(({ kind, readings }) =>
      readings.every(({ value, precision }) =>
        known.every(
          (figure) => figure.kind !== kind || Math.abs(figure.value - value) > precision * (1 + 1e-9),
        ),
      ),
    )
    .map((figure) => figure.text);
}
