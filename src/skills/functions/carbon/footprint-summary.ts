import type { EmissionData } from './emission-data.js';
import { caveatsOf, type Footprint, type FootprintLine, type RefusedItem } from './footprint.js';
import type { CaveatCode } from './remark.js';
import { sayCaveat, sayRefusal, speechOf } from './wording/speech.js';
import type { Wording } from './wording/wording.js';

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
    amount: `${speech.kilograms(line.kgCO2e)} kg${gas}`,
    scope: line.scope,
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

/** Two to four sentences on the whole: total and scopes, largest item, sources with years, what limits the figure. */
export function summarise(
  footprint: Footprint,
  wording: Wording,
  data: EmissionData,
  period?: string,
): string {
  const speech = speechOf(wording);
  const { lines, scopes, kgCO2e } = footprint;
  const inTonnes = kgCO2e >= 1000;
  const amount = (kg: number) =>
    `${speech.number(inTonnes ? kg / 1000 : kg)} ${inTonnes ? 'tCO2e' : 'kgCO2e'}`;
  const largest = lines.reduce((first, line) => (line.kgCO2e > first.kgCO2e ? line : first));
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
    lines.length > 1 &&
      wording.biggest({
        label: lineLabel(largest, wording, data),
        quantity: speech.quantity(largest.quantity, largest.unit),
        amount: amount(largest.kgCO2e),
        share: speech.percent(largest.kgCO2e / kgCO2e),
      }),
    wording.sources(speech.list(citedSources(lines, wording, data))),
    limits.length > 0 && wording.limits(limits),
  ];
  return sentences.filter((sentence) => sentence !== false).join(wording.language === 'zh-Hant' ? '' : ' ');
}
