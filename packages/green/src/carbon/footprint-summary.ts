import type { EmissionData } from './emission-data.js';
import { caveatsOf, type Footprint, type FootprintLine, isInTotal, type RefusedItem } from './footprint.js';
import type { CaveatCode } from './remark.js';
import { fill, type Wording } from '../wording.js';
import { sayCaveat, sayQuantity, sayRefusal, unitName } from './carbon-wording.js';

/** Remarks that limit how far the figure can be trusted, the gravest first. Others are only listed. */
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

/** The name of an activity in the language of `wording`. An unknown one keeps its key. */
export function labelOf(activity: string, wording: Wording, data: EmissionData): string {
  return data.activities.get(activity)?.labels[wording.language] ?? activity;
}

/** A line's label. That of a grid names its country. */
function lineLabel(line: FootprintLine, wording: Wording, data: EmissionData): string {
  const label = labelOf(line.activity, wording, data);
  if (line.category === 'fuel_upstream') return fill(wording.carbon.upstream, { label });
  if (line.category !== 'electricity') return label;
  return fill(wording.carbon.inCountry, { label, country: wording.speech.country(line.geography) });
}

/** A line as a calculation that a reader can check. */
export function sayLine(line: FootprintLine, wording: Wording, data: EmissionData): string {
  const { speech, carbon: texts } = wording;
  const { value, gas, per } = line.factor;
  return fill(texts.line, {
    label: lineLabel(line, wording, data),
    quantity: sayQuantity(line.quantity, line.unit, wording),
    // All digits, because readers multiply by what is shown.
    factor: `${speech.significant(value, 15)} kg${gas}/${unitName(wording, per, 1)}`,
    amount: `${speech.kilograms(line.outsideKyotoKgCO2e ?? line.kgCO2e)} kg${gas}`,
    scope: isInTotal(line) ? texts.scopeNames[line.scope] : null,
    year: line.year,
  });
}

export function sayRefused({ activity, refusal }: RefusedItem, wording: Wording, data: EmissionData): string {
  const { speech, carbon: texts } = wording;
  const label = labelOf(activity, wording, data);
  const isGrid = refusal.code === 'no_grid_factor' || refusal.code === 'zero_grid_factor';
  const placed = isGrid ? fill(texts.inCountry, { label, country: speech.country(refusal.country) }) : label;
  return fill(texts.withReason, { label: placed, reason: sayRefusal(refusal, wording) });
}

/** Each source once, by its short name, with the year of its edition. */
function citedSources(lines: readonly FootprintLine[], wording: Wording, data: EmissionData): string[] {
  const cited = lines.map(({ source, category, year }) => {
    const name = data.sourceNames.get(source.id) ?? source.publisher;
    const dataYear = category === 'electricity' && year !== source.year ? year : null;
    return fill(wording.carbon.source, { name, edition: source.year ?? '', dataYear });
  });
  return [...new Set(cited)];
}

/** What the reader must know about the figure. Omissions come first. */
function limitsOf(footprint: Footprint, wording: Wording, data: EmissionData): string[] {
  const { carbon: texts } = wording;
  const missing = footprint.refused.map((item) => sayRefused(item, wording, data));
  const remarks = caveatsOf(footprint)
    .filter((caveat) => summarised.includes(caveat.code))
    .toSorted((one, other) => summarised.indexOf(one.code) - summarised.indexOf(other.code))
    .slice(0, maximumSummarised)
    .map((caveat) => sayCaveat(caveat, wording));
  const notCounted = fill(texts.notCounted, { list: missing.join(texts.comma) });
  return [...(missing.length > 0 ? [notCounted] : []), ...remarks];
}

/** What a reader might miss in the total, and why it is not there. May be empty. */
function sayDeclaredApart(footprint: Footprint, wording: Wording, data: EmissionData): string {
  const { lines, outsideKyotoKgCO2e: kg } = footprint;
  const apart = lines.filter((line) => !isInTotal(line));
  if (apart.length === 0) return '';
  const { speech, carbon: texts } = wording;
  const labels = new Set(apart.map((line) => lineLabel(line, wording, data)));
  return fill(texts.outsideKyoto, {
    amount: speech.emissions(kg),
    list: speech.list([...labels]),
  });
}

/** The total and the scopes in which something was counted. Without any, everything given is declared apart. */
function sayTotal(
  { scopes, kgCO2e }: Footprint,
  { speech, carbon: texts }: Wording,
  period?: string,
): string {
  const amount = (kg: number): string => speech.emissions(kg, kgCO2e >= 1000);
  const [first, ...more] = scopeNumbers.filter((scope) => scopes[scope] !== 0);
  if (first === undefined) return fill(texts.totalOfNothing, { period });
  const values = { total: amount(kgCO2e), period, scope: texts.scopeNames[first] };
  if (more.length === 0) return fill(texts.totalInOneScope, values);
  const inScopes = [first, ...more].map((scope) =>
    fill(texts.inScope, { amount: amount(scopes[scope]), scope: texts.scopeNames[scope] }),
  );
  return fill(texts.total, { ...values, scopes: speech.list(inScopes) });
}

/** Two to five sentences: total and scopes, what is declared apart, largest item, sources with years, limits. */
export function summarise(
  footprint: Footprint,
  wording: Wording,
  data: EmissionData,
  period?: string,
): string {
  const { speech, carbon: texts } = wording;
  const { lines, kgCO2e } = footprint;
  const counted = lines.filter(isInTotal);
  const [largest] = counted.toSorted((one, other) => other.kgCO2e - one.kgCO2e);
  const limits = limitsOf(footprint, wording, data);
  const sentences = [
    sayTotal(footprint, wording, period),
    sayDeclaredApart(footprint, wording, data),
    largest &&
      counted.length > 1 &&
      fill(texts.biggest, {
        label: lineLabel(largest, wording, data),
        quantity: sayQuantity(largest.quantity, largest.unit, wording),
        amount: speech.emissions(largest.kgCO2e, kgCO2e >= 1000),
        share: speech.percent(largest.kgCO2e / kgCO2e, 0),
      }),
    fill(texts.sources, { list: speech.list(citedSources(lines, wording, data)) }),
    limits.length > 0 && fill(texts.limits, { list: limits.join(texts.semicolon) }),
  ];
  return sentences.filter(Boolean).join(wording.language === 'zh-Hant' ? '' : ' ');
}
