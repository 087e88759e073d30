import { sayFactorUnit, sayQuantity } from '../../carbon/carbon-wording.js';
import type { CarbonFootprint } from '../../carbon/footprint-details.js';
import { isInTotal } from '../../carbon/footprint.js';
import type { Block, Fact, Report } from '../report.js';
import { fill, type Wording, wordingOf } from '../../wording.js';
import {
  column,
  companyFacts,
  type Dated,
  frameReport,
  numberColumn,
  part,
  type ReportFrame,
  resultFacts,
  some,
  tableOf,
} from './report-frame.js';
import { sourcesBlock } from './source-text.js';

/** The report of a carbon footprint: totals, every line with its factor, and omissions. */
export function carbonReport(result: Dated<CarbonFootprint>, frame: ReportFrame): Report {
  const { details } = result;
  const language = wordingOf(details.language);
  const { report: wording } = language;
  const { carbon } = wording;
  const facts: Fact[] = [
    ...companyFacts(frame.company, language),
    { label: carbon.period, value: details.period ?? wording.notStated },
    ...some(details.country !== null, { label: carbon.country, value: details.country?.label ?? '' }),
    ...resultFacts(result, language),
  ];
  return frameReport('carbon', frame, language, unlike(facts), [
    ...part(wording.summary, 1, carbonOverview(details, language)),
    ...part(carbon.lines, 1, lines(details, language)),
    ...part(carbon.refused, 1, [refused(details, language)]),
    ...part(carbon.notCounted, 1, [{ type: 'facts', facts: notCounted(details, language) }]),
    ...part(wording.notes, 1, limits(details, language)),
    ...part(carbon.method, 1, [
      { type: 'paragraph', text: fill(carbon.methodText, { potentials: details.warmingPotentials }) },
    ]),
    ...part(wording.sources, 1, [sourcesBlock(details.sources)]),
    { type: 'note', tone: 'plain', text: wording.noteOnResults },
  ]);
}

/** The company's country and the footprint's are often the same. Then one is shown. */
function unlike(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [`${fact.label} ${fact.value}`, fact])).values()];
}

/** The total and its scopes, with a few sentences on them. */
function carbonOverview(details: CarbonFootprint, language: Wording): Block[] {
  const { report: wording, speech } = language;
  return [
    { type: 'paragraph', text: details.summary },
    {
      type: 'figures',
      figures: [
        {
          label: wording.carbon.total,
          value: totalOf(details, language),
          detail: details.period ?? '',
        },
        ...namedScopes(details, wording.carbon).map(({ label, kgCO2e, share, isCounted }) => ({
          label,
          value: isCounted ? speech.emissions(kgCO2e) : wording.carbon.nothingCounted,
          detail: isCounted ? speech.percent(share) : '',
        })),
      ],
    },
    categories(details, language),
    {
      type: 'facts',
      facts: [
        ...some<Fact>(details.biogenicKgCO2 > 0, {
          label: wording.carbon.biogenic,
          value: `${speech.rounded(details.biogenicKgCO2)} kgCO2`,
        }),
        ...some<Fact>(details.outsideKyotoKgCO2e > 0, {
          label: wording.carbon.outsideKyoto,
          value: speech.emissions(details.outsideKyotoKgCO2e),
        }),
      ],
    },
  ];
}

/** Null where everything is declared apart. That is different from no emissions. */
function totalOf({ lines: all, totalKgCO2e }: CarbonFootprint, { report: wording, speech }: Wording): string {
  return all.some(isInTotal) ? speech.emissions(totalKgCO2e) : wording.carbon.nothingCounted;
}

/** People know scopes by number or by name. */
function namedScopes(
  { scopes: all, lines: counted }: CarbonFootprint,
  { scope: word }: Wording['report']['carbon'],
) {
  return all.map((scope) => ({
    ...scope,
    label: `${word} ${scope.scope} – ${scope.label}`,
    isCounted: counted.some((line) => line.scope === scope.scope && isInTotal(line)),
  }));
}

function categories({ categories: all }: CarbonFootprint, { report: { carbon }, speech }: Wording): Block {
  const values = all.map(({ label, kgCO2e, share }) => ({
    label,
    value: kgCO2e,
    text: `${speech.emissions(kgCO2e)} · ${speech.percent(share)}`,
  }));
  return { type: 'chart', title: carbon.chartCategories, chart: { maximum: null, values } };
}

/** What is declared apart has its own table. Each table has its own sum. */
function lines(details: CarbonFootprint, language: Wording): Block[] {
  const counted = details.lines.filter(isInTotal);
  const apart = details.lines.filter((line) => !isInTotal(line));
  return [
    lineTable(counted, details.totalKgCO2e, language),
    ...part(language.report.carbon.outsideKyoto, 2, [lineTable(apart, details.outsideKyotoKgCO2e, language)]),
  ];
}

type Line = CarbonFootprint['lines'][number];

function lineTable(all: readonly Line[], totalKgCO2e: number, language: Wording): Block {
  const { report, speech } = language;
  const { carbon } = report;
  const factor = ({ factor: { value, unit } }: Line): string =>
    `${speech.number(value)} ${sayFactorUnit(unit, language)}`;
  const origin = ({ geography, year }: Line): string =>
    [geography.label, ...(year === null ? [] : [String(year)])].join(', ');
  return tableOf(
    all,
    [
      column(carbon.activity, 2.5, ({ label }) => label),
      numberColumn(carbon.scope, 0.9, (line) => (isInTotal(line) ? String(line.scope) : '–')),
      numberColumn(carbon.quantity, 1.7, ({ quantity, unit }) => sayQuantity(quantity, unit.code, language)),
      numberColumn(carbon.factor, 1.9, factor),
      column(carbon.origin, 1.7, origin),
      numberColumn(`${carbon.emissions} (kgCO2e)`, 1.6, ({ outsideKyotoKgCO2e, kgCO2e }) =>
        speech.rounded(outsideKyotoKgCO2e ?? kgCO2e),
      ),
    ],
    [carbon.totalRow, '', '', '', '', speech.rounded(totalKgCO2e)],
  );
}

function refused(details: CarbonFootprint, language: Wording): Block {
  const { carbon } = language.report;
  return tableOf(details.refused, [
    column(carbon.activity, 2, ({ label }) => label),
    numberColumn(carbon.quantity, 1.4, ({ quantity, unit }) => sayQuantity(quantity, unit, language)),
    column(carbon.reason, 4, ({ reason }) => reason),
  ]);
}

/** What can be counted once the quantities are known, and what has no factor. */
function notCounted({ notCounted: all }: CarbonFootprint, { report: { carbon }, speech }: Wording): Fact[] {
  const named = (isCountable: boolean): string =>
    speech.list(
      all
        .filter(({ canBeCounted }) => canBeCounted === isCountable)
        .map(({ label, scope }) => `${label} (${carbon.scope} ${scope})`),
    );
  return [
    { label: carbon.canBeCounted, value: named(true) },
    { label: carbon.cannotBeCounted, value: named(false) },
  ].filter(({ value }) => value !== '');
}

function limits(details: CarbonFootprint, { report: wording }: Wording): Block[] {
  const approximations = new Set(details.lines.flatMap(({ approximation }) => approximation ?? []));
  // Remarks that repeat approximations of single lines are left out.
  const remarks = details.remarks.filter(
    ({ code }) => code !== 'proxy_geography' || approximations.size === 0,
  );
  return [
    { type: 'list', items: remarks.map(({ text }) => text) },
    ...part(wording.carbon.approximations, 2, [{ type: 'list', items: [...approximations] }]),
  ];
}
