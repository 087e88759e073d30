import type { EmissionData } from './emission-data.js';
import { caveatsOf, type Footprint, type FootprintLine } from './footprint.js';
import type { CaveatCode } from './remark.js';
import { sayCaveat, sayRefusal, speechOf } from './wording/speech.js';
import type { Wording } from './wording/wording.js';

/** The remarks that change how far the figure can be trusted, the gravest first; the others are only listed. */
const summarised: readonly CaveatCode[] = [
  'counted_twice',
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

/** What an activity is called in `wording`'s language; its own key when it is unknown. */
export const labelOf = (activity: string, wording: Wording, data: EmissionData): string =>
  data.activities.get(activity)?.labels[wording.language] ?? activity;

const lineLabel = (line: FootprintLine, wording: Wording, data: EmissionData): string => {
  const label = labelOf(line.activity, wording, data);
  return line.category === 'fuel_upstream' ? wording.upstream(label) : label;
};

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
  const missing = footprint.refused.map((item) =>
    wording.withReason(labelOf(item.activity, wording, data), sayRefusal(item.refusal, wording, speech)),
  );
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
    wording.total({
      total: amount(kgCO2e),
      scopes: [amount(scopes[1]), amount(scopes[2]), amount(scopes[3])],
      period: period ?? null,
    }),
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
