import { carbonWordingOf, sayFactorUnit, sayQuantity } from '../../carbon/carbon-wording.js';
import type { CarbonFootprint } from '../../carbon/footprint-details.js';
import { isInTotal } from '../../carbon/footprint.js';
import type { Block, Fact, Report } from '../report.js';
import { fill } from '../../wording.js';
import type { ReportTexts } from '../report-wording.js';
import {
  companyFacts,
  type Dated,
  frameReport,
  type Language,
  languageOf,
  part,
  type ReportFrame,
  resultFacts,
  some,
} from './report-frame.js';
import { sourcesBlock } from './source-text.js';

/** The report of a carbon footprint: totals, every line with its factor, and what is not in it. */
export function carbonReport(result: Dated<CarbonFootprint>, frame: ReportFrame): Report {
  const { details } = result;
  const language = languageOf(details.language);
  const { wording } = language;
  const { carbon } = wording;
  const facts: Fact[] = [
    ...companyFacts(frame.company, language),
    { label: carbon.period, value: details.period ?? wording.notStated },
    ...some(details.country !== null, { label: carbon.country, value: details.country?.label ?? '' }),
    ...resultFacts(result, language),
  ];
  return frameReport('carbon', frame, language, unlike(facts), [
    ...part(wording.summary, 1, carbonOverview(details, language)),
    ...part(carbon.byScope, 1, scopes(details, language)),
    ...part(carbon.byCategory, 1, categories(details, language)),
    ...part(carbon.lines, 1, lines(details, language)),
    ...part(carbon.refused, 1, [refused(details, language)]),
    ...part(carbon.notCounted, 1, [notCounted(details, language)]),
    ...part(wording.notes, 1, limits(details, language)),
    ...part(carbon.method, 1, [
      {
        type: 'paragraph',
        text: fill(carbon.methodText, {
          potentials: details.warmingPotentials,
          version: details.dataVersion,
        }),
      },
    ]),
    ...part(wording.sources, 1, [sourcesBlock(details.sources)]),
  ]);
}

/** The company's country and the footprint's are mostly the same, and are then told once. */
function unlike(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [`${fact.label} ${fact.value}`, fact])).values()];
}

/** The total and its scopes, with what they say in a few sentences. */
function carbonOverview(details: CarbonFootprint, { wording, speech }: Language): Block[] {
  return [
    { type: 'paragraph', text: details.summary },
    {
      type: 'figures',
      figures: [
        {
          label: wording.carbon.total,
          value: totalOf(details, { wording, speech }),
          detail: details.period ?? '',
        },
        ...namedScopes(details, wording.carbon).map(({ label, kgCO2e, share, isCounted }) => ({
          label,
          value: isCounted ? speech.emissions(kgCO2e) : wording.carbon.nothingCounted,
          detail: isCounted ? speech.percent(share) : '',
        })),
      ],
    },
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

/** Where all that was given is declared apart, there is none: which is not the same as no emissions. */
function totalOf({ lines: all, totalKgCO2e }: CarbonFootprint, { wording, speech }: Language): string {
  return all.some(isInTotal) ? speech.emissions(totalKgCO2e) : wording.carbon.nothingCounted;
}

/** By number and by name: people know them by either. */
function namedScopes(
  { scopes: all, lines: counted }: CarbonFootprint,
  { scope: word }: ReportTexts['carbon'],
) {
  return all.map((scope) => ({
    ...scope,
    label: `${word} ${scope.scope} – ${scope.label}`,
    isCounted: counted.some((line) => line.scope === scope.scope && isInTotal(line)),
  }));
}

interface Portion {
  label: string;
  kgCO2e: number;
  share: number;
  /** False: nothing was given for it, which is not the same as no emissions. */
  isCounted?: boolean;
}

function portionTable(
  title: string,
  portions: readonly Portion[],
  details: CarbonFootprint,
  language: Language,
): Block {
  const { wording, speech } = language;
  return {
    type: 'table',
    columns: [
      { title, weight: 4 },
      { title: wording.carbon.emissions, weight: 2, isNumber: true },
      { title: wording.carbon.share, weight: 1, isNumber: true },
    ],
    rows: portions.map(({ label, kgCO2e, share, isCounted = true }) =>
      isCounted
        ? [label, speech.emissions(kgCO2e), speech.percent(share)]
        : [label, wording.carbon.nothingCounted, ''],
    ),
    total: [wording.carbon.totalRow, totalOf(details, language), ''],
  };
}

function scopes(details: CarbonFootprint, language: Language): Block[] {
  const { carbon } = language.wording;
  const named = namedScopes(details, carbon);
  const values = named
    .filter(({ kgCO2e }) => kgCO2e > 0)
    .map(({ label, kgCO2e, share }) => ({ label, value: kgCO2e, text: language.speech.percent(share) }));
  return [
    { type: 'chart', title: carbon.chartScopes, chart: { kind: 'parts', maximum: null, values } },
    portionTable(carbon.scope, named, details, language),
  ];
}

function categories(details: CarbonFootprint, language: Language): Block[] {
  const { carbon } = language.wording;
  const values = details.categories
    .filter(({ kgCO2e }) => kgCO2e > 0)
    .map(({ label, kgCO2e }) => ({ label, value: kgCO2e, text: language.speech.emissions(kgCO2e) }));
  return [
    { type: 'chart', title: carbon.chartCategories, chart: { kind: 'bars', maximum: null, values } },
    portionTable(carbon.category, details.categories, details, language),
  ];
}

/** What is declared apart stands in a table of its own: each adds up to its own last row. */
function lines(details: CarbonFootprint, language: Language): Block[] {
  const counted = details.lines.filter(isInTotal);
  const apart = details.lines.filter((line) => !isInTotal(line));
  return [
    lineTable(counted, details.totalKgCO2e, language),
    ...part(language.wording.carbon.outsideKyoto, 2, [
      lineTable(apart, details.outsideKyotoKgCO2e, language),
    ]),
  ];
}

type Line = CarbonFootprint['lines'][number];

function lineTable(all: readonly Line[], totalKgCO2e: number, language: Language): Block {
  const { wording, speech } = language;
  const { carbon } = wording;
  const words = carbonWordingOf(speech.language);
  return {
    type: 'table',
    columns: [
      { title: carbon.activity, weight: 2.5 },
      { title: carbon.scope, weight: 0.9, isNumber: true },
      { title: carbon.quantity, weight: 1.7, isNumber: true },
      { title: carbon.factor, weight: 1.9, isNumber: true },
      { title: carbon.origin, weight: 1.7 },
      { title: `${carbon.emissions} (kgCO2e)`, weight: 1.6, isNumber: true },
    ],
    rows: all.map(({ label, scope, quantity, unit, factor, geography, year, ...line }) => [
      label,
      isInTotal(line) ? String(scope) : '–',
      sayQuantity(quantity, unit.code, words),
      `${speech.number(factor.value)} ${sayFactorUnit(factor.unit, words)}`,
      [geography.label, ...(year === null ? [] : [String(year)])].join(', '),
      speech.rounded(line.outsideKyotoKgCO2e ?? line.kgCO2e),
    ]),
    total: [carbon.totalRow, '', '', '', '', speech.rounded(totalKgCO2e)],
  };
}

function refused(details: CarbonFootprint, { wording, speech }: Language): Block {
  const { carbon } = wording;
  return {
    type: 'table',
    columns: [
      { title: carbon.activity, weight: 2 },
      { title: carbon.quantity, weight: 1.4, isNumber: true },
      { title: carbon.reason, weight: 4 },
    ],
    rows: details.refused.map(({ label, quantity, unit, reason }) => [
      label,
      sayQuantity(quantity, unit, carbonWordingOf(speech.language)),
      reason,
    ]),
  };
}

function notCounted(details: CarbonFootprint, { wording }: Language): Block {
  const { carbon } = wording;
  return {
    type: 'table',
    columns: [
      { title: carbon.category, weight: 3.4 },
      { title: carbon.scope, weight: 0.9, isNumber: true },
      { title: carbon.whatIsMissing, weight: 3 },
    ],
    rows: details.notCounted.map(({ label, scope, canBeCounted }) => [
      label,
      String(scope),
      canBeCounted ? carbon.canBeCounted : carbon.cannotBeCounted,
    ]),
  };
}

function limits(details: CarbonFootprint, { wording }: Language): Block[] {
  const approximations = new Set(details.lines.flatMap(({ approximation }) => approximation ?? []));
  return [
    ...part(wording.carbon.approximations, 2, [{ type: 'list', items: [...approximations] }]),
    { type: 'list', items: details.remarks.map(({ text }) => text) },
  ];
}
