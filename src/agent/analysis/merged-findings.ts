import type { Indicator } from '@palabre/plugin';

import type { IndicatorsFound, KeyFigure } from '../../documents/analysis/analysis-result.js';
import { comparable, type Findings } from './findings.js';

const MAX_FIGURES = 40;

export type NamedIndicator = Pick<Indicator, 'code' | 'label' | 'weight' | 'pillar'>;

interface Found {
  figure: KeyFigure;
  key: Record<'value' | 'unit' | 'label' | 'quote', string>;
  /** Its position in its piece, and among all. */
  rank: number;
  order: number;
}

/** In document order. If there are too many, each piece keeps equally many of its first: models start with the best. */
export function mergedFigures(pieces: readonly Pick<Findings, 'figures'>[]): KeyFigure[] {
  const found: Found[] = [];
  for (const { figures } of pieces) {
    let rank = 0;
    for (const figure of figures) {
      const one = { figure, key: keyOf(figure) };
      if (found.some((other) => isSame(other, one))) continue;
      found.push({ ...one, rank: rank++, order: found.length });
    }
  }
  return found
    .toSorted((one, other) => one.rank - other.rank || one.order - other.order)
    .slice(0, MAX_FIGURES)
    .toSorted((one, other) => one.order - other.order)
    .map(({ figure }) => figure);
}

function keyOf({ value, unit, label, quote }: KeyFigure): Found['key'] {
  return {
    value: comparable(value),
    unit: comparable(unit),
    label: comparable(label),
    quote: comparable(quote),
  };
}

type Compared = Pick<Found, 'figure' | 'key'>;

/** Whether two figures have the same amount and name, or the same quote. */
function isSame(one: Compared, other: Compared): boolean {
  if (one.key.value !== other.key.value || one.key.unit !== other.key.unit) return false;
  if (one.key.label === other.key.label) return true;
  const [first, second] = [one.key.quote, other.key.quote];
  return one.figure.page === other.figure.page && (first.includes(second) || second.includes(first));
}

/** The indicators with evidence, by the first place, and those without. */
export function mergedIndicators(
  pieces: readonly Pick<Findings, 'evidence'>[],
  indicators: readonly NamedIndicator[],
): IndicatorsFound {
  const first = new Map<string, Findings['evidence'][number]>();
  for (const found of pieces.flatMap(({ evidence }) => evidence)) {
    if (!first.has(found.code)) first.set(found.code, found);
  }
  const covered = indicators.flatMap(({ code, label }) => {
    const found = first.get(code);
    return found ? [{ code, label, page: found.page, quote: found.quote }] : [];
  });
  const missing = indicators.filter(({ code }) => !first.has(code));
  const pillars = [...new Set(indicators.map(({ pillar }) => pillar))];
  return {
    covered,
    missing: pillars.flatMap((pillar) =>
      missing
        .filter((each) => each.pillar === pillar)
        .toSorted((one, other) => other.weight - one.weight)
        .map(({ code, label, weight }) => ({ code, label, weight, pillar })),
    ),
  };
}
