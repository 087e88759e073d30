import type { Indicator } from '@palabre/plugin';

import type {
  CoveredIndicator,
  KeyFigure,
  MissingIndicator,
} from '../../documents/analysis/analysis-result.js';
import { comparable, type Findings } from './findings.js';

const MAX_FIGURES = 40;

/** An indicator of the ESG grid, in one language. */
export type NamedIndicator = Pick<Indicator, 'code' | 'label' | 'weight'> & { pillar: string };

interface Found {
  figure: KeyFigure;
  key: Record<'value' | 'unit' | 'label' | 'quote', string>;
  /** Its place among those of its piece, and of all. */
  rank: number;
  order: number;
}

/** In the order of the document. Too many: every piece keeps as many of its first, as models name first what counts. */
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

/** The same amount under the same name, or in the same words. */
function isSame(one: Compared, other: Compared): boolean {
  if (one.key.value !== other.key.value || one.key.unit !== other.key.unit) return false;
  if (one.key.label === other.key.label) return true;
  const [first, second] = [one.key.quote, other.key.quote];
  return one.figure.page === other.figure.page && (first.includes(second) || second.includes(first));
}

/** Which indicators the pieces say something about, each by the first place where they do, and which not. */
export function mergedEsg(
  pieces: readonly Pick<Findings, 'esg'>[],
  indicators: readonly NamedIndicator[],
): { covered: CoveredIndicator[]; missing: MissingIndicator[] } {
  const evidence = new Map<string, Findings['esg'][number]>();
  for (const found of pieces.flatMap(({ esg }) => esg)) {
    if (!evidence.has(found.code)) evidence.set(found.code, found);
  }
  const covered = indicators.flatMap(({ code, label }) => {
    const found = evidence.get(code);
    return found ? [{ code, label, page: found.page, quote: found.quote }] : [];
  });
  const missing = indicators.filter(({ code }) => !evidence.has(code));
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
