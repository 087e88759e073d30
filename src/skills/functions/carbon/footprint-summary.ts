import type { EmissionData } from './emission-data.js';
import { caveatsOf, type Footprint, type FootprintLine, isInTotal, type RefusedItem } from './footprint.js';
import type { CaveatCode } from './remark.js';
import { sayCaveat, sayRefusal, speechOf } from './wording/speech.js';
import type { Speech, Wording } from './wording/wording.js';

/** The remarks that change how far the figure can be trusted, the gravest first; the others are only listed. */
const summarised: readonly CaveatCode[] = [
  'counted_twice',
  'profile_country',
  'grid_differs',
  'upstream_unknown',
  'one_passenger',
  'biogenic_apart',
  'co2_only',
  'fuel_is_better',
  'proxy_geography',
  'grid_old',
  'grid_average',
];
const maximumSummarised = 2;
const scopeNumbers = [1, 2, 3] as const;

/** What an activity is called in `wording`'s language; its own key when it is unknown. */
export const labelOf = (activity: string, wording: Wording, data: EmissionData): string =>
  data.activities.get(activity)?.labels[wording.language] ?? activity;

/** A line's label; that of a grid says whose it is. */
function lineLabel(line: FootprintLine, wording: Wording, data: EmissionData): string {
  const label = labelOf(line.activity, wording, data);
  if (line.category === 'fuel_upstream') return wording.upstream(label);
  if (line.category !== 'electricity') return label;
  return wording.inCountry(label, speechOf(wording).country(line.geography));
}

/** A line as a calculation that a reader can check. */
export function sayLine(line: FootprintLine, wording: Wording, data: EmissionData): string {
  const speech = speechOf(wording);
  const { value, gas, per } = line.factor;
  return wording.line({
    label: lineLabel(line, wording, data),
    quantity: speech.quantity(line.quantity, line.unit),
    factor: `${speech.factor(value)} kg${gas}/${speech.oneUnit(per)}`,
    amount: `${speech.kilograms(line.outsideKyotoKgCO2e ?? line.kgCO2e)} kg${gas}`,
    scope: isInTotal(line) ? line.scope : null,
    year: line.year,
  });
}

/** What was refused and why. */
export function sayRefused({ activity, refusal }: RefusedItem, wording: Wording, data: EmissionData): string {
  const speech = speechOf(wording);
  const label = labelOf(activity, wording, data);
  const isGrid = refusal.code === 'no_grid_factor' || refusal.code === 'zero_grid_factor';
  const placed = isGrid ? wording.inCountry(label, speech.country(refusal.country)) : label;
  return wording.withReason(placed, sayRefusal(refusal, wording, speech));
}

/** Each source once, by its short name, with the year of its edition. */
function citedSources(lines: readonly FootprintLine[], wording: Wording, data: EmissionData): string[] {
  const cited = lines.map(({ source, category, year }) => {
    const name = data.sourceNames.get(source.id) ?? source.publisher;
    const dataYear = category === 'electricity' && year !== source.year ? year : null;
    return wording.source(name, String(source.year ?? ''), dataYear === null ? null : String(dataYear));
  });
  return [...new Set(cited)];
}

/** What the reader has to know beside the figure: first what it leaves out. */
function limitsOf(footprint: Footprint, wording: Wording, data: EmissionData): string[] {
  const speech = speechOf(wording);
  const missing = footprint.refused.map((item) => sayRefused(item, wording, data));
  const remarks = caveatsOf(footprint)
    .filter((caveat) => summarised.includes(caveat.code))
    .toSorted((one, other) => summarised.indexOf(one.code) - summarised.indexOf(other.code))
    .slice(0, maximumSummarised)
    .map((caveat) => sayCaveat(caveat, wording, speech));
  return [...(missing.length > 0 ? [wording.notCounted(missing)] : []), ...remarks];
}

const inUnit = (kg: number, inTonnes: boolean, speech: Speech): string =>
  `${speech.number(inTonnes ? kg / 1000 : kg)} ${inTonnes ? 'tCO2e' : 'kgCO2e'}`;

/** What a reader would look for in the total and does not find there, and why; empty when there is nothing. */
function sayDeclaredApart(footprint: Footprint, wording: Wording, data: EmissionData): string {
  const { lines, outsideKyotoKgCO2e: kg } = footprint;
  const apart = lines.filter((line) => !isInTotal(line));
  if (apart.length === 0) return '';
  const speech = speechOf(wording);
  const labels = new Set(apart.map((line) => lineLabel(line, wording, data)));
  return wording.outsideKyoto(inUnit(kg, kg >= 1000, speech), speech.list([...labels]));
}

/**
 * Two to five sentences on the whole: total and scopes, what is declared apart, largest item, sources with years, what
 * limits the figure.
 */
export function summarise(
  footprint: Footprint,
  wording: Wording,
  data: EmissionData,
  period?: string,
): string {
  const speech = speechOf(wording);
  const { lines, scopes, kgCO2e } = footprint;
  const amount = (kg: number): string => inUnit(kg, kgCO2e >= 1000, speech);
  const counted = lines.filter(isInTotal);
  const [largest] = counted.toSorted((one, other) => other.kgCO2e - one.kgCO2e);
  const limits = limitsOf(footprint, wording, data);
  const sentences = [
    wording.total(
      {
        total: amount(kgCO2e),
        scopes: scopeNumbers
          .filter((scope) => scopes[scope] !== 0)
          .map((scope) => ({ scope, amount: amount(scopes[scope]) })),
        period: period ?? null,
      },
      speech,
    ),
    sayDeclaredApart(footprint, wording, data),
    largest &&
      counted.length > 1 &&
      wording.biggest({
        label: lineLabel(largest, wording, data),
        quantity: speech.quantity(largest.quantity, largest.unit),
        amount: amount(largest.kgCO2e),
        share: speech.percent(largest.kgCO2e / kgCO2e),
      }),
    wording.sources(speech.list(citedSources(lines, wording, data))),
    limits.length > 0 && wording.limits(limits),
  ];
  return sentences.filter(Boolean).join(wording.language === 'zh-Hant' ? '' : ' ');
}
