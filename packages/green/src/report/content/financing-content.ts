import type { CarbonFootprint } from '../../carbon/footprint-details.js';
import type { EsgScore } from '../../esg/esg-score.js';
import type { FinancingMatches, FinancingProgramme } from '../../financing/financing-matches.js';
import type { Block, Fact, Report, Source } from '../report.js';
import { carbonOverview, scopes } from './carbon-content.js';
import { esgOverview, pillars } from './esg-content.js';
import {
  companyFacts,
  type Dated,
  frameReport,
  type Language,
  languageOf,
  part,
  type ReportCompany,
  type ReportFrame,
  some,
} from './report-frame.js';
import { sourceText } from './source-text.js';

/** What an application is made of: the programmes, and what else was calculated of the company. */
export interface FinancingParts {
  matches: Dated<FinancingMatches>;
  esg: Dated<EsgScore> | null;
  carbon: Dated<CarbonFootprint> | null;
}

/** The file of a company that looks for green financing: who it is, what it seeks, what fits, and what it has to show. */
export function financingReport({ matches, esg, carbon }: FinancingParts, frame: ReportFrame): Report {
  const { details, at } = matches;
  const language = languageOf(details.language);
  const { wording, speech } = language;
  const { financing } = wording;
  const facts: Fact[] = [
    ...companyFacts(frame.company, language),
    { label: wording.calculatedOn, value: speech.date(at) },
    { label: wording.dataVersion, value: details.dataVersion },
  ];
  return frameReport('financing', frame, language, facts, [
    ...part(wording.summary, 1, overview(details, language)),
    ...part(financing.candidate, 1, candidate(frame.company, language)),
    ...part(financing.project, 1, [{ type: 'facts', facts: query(details, language) }]),
    ...part(financing.fitting, 1, fitting(details, language)),
    ...part(financing.near, 1, near(details, language)),
    ...(esg ? esgPart(esg, language) : []),
    ...(carbon ? carbonPart(carbon, language) : []),
    ...part(financing.others, 1, others(details, language)),
    ...part(financing.toConfirm, 1, toConfirm(details, language)),
    ...part(wording.sources, 1, sources(details, esg, carbon)),
  ]);
}

function overview(details: FinancingMatches, { wording, speech }: Language): Block[] {
  const { financing } = wording;
  return [
    { type: 'paragraph', text: details.summary },
    {
      type: 'figures',
      figures: [
        { label: financing.fittingCount, value: speech.number(details.matches.length), detail: '' },
        { label: financing.nearCount, value: speech.number(details.near.length), detail: '' },
      ],
    },
    { type: 'note', tone: 'caution', text: details.reminder },
  ];
}

function candidate(company: ReportCompany, language: Language): Block[] {
  const { company: words } = language.wording;
  return [
    {
      type: 'facts',
      facts: [{ label: words.name, value: company.name }, ...companyFacts(company, language, true)],
    },
    ...listPart(words.practices, company.environmentalPractices),
    ...listPart(words.goals, company.declaredGoals),
    ...part(words.further, 2, further(company, language)),
  ];
}

function listPart(title: string, items: readonly string[]): Block[] {
  return part(title, 2, items.length === 0 ? [] : [{ type: 'list', items }]);
}

/** Attributes are whatever the company has noted: what is a plain value can be shown. */
function further({ attributes }: ReportCompany, { speech }: Language): Block[] {
  const facts = Object.entries(attributes).flatMap(([label, value]): Fact[] => {
    if (typeof value === 'string' && value !== '') return [{ label, value }];
    return typeof value === 'number' ? [{ label, value: speech.plain(value) }] : [];
  });
  return facts.length === 0 ? [] : [{ type: 'facts', facts }];
}

function query({ query: asked }: FinancingMatches, { wording, speech }: Language): Fact[] {
  const { financing, company } = wording;
  const recognised = (
    found: { text: string; recognised: readonly { label: string }[] } | null,
  ): string | null =>
    found &&
    (found.recognised.length > 0 ? speech.list(found.recognised.map(({ label }) => label)) : found.text);
  const facts: [string, string | null][] = [
    [company.country, asked.country?.label ?? null],
    [financing.region, asked.region?.label ?? null],
    [company.sector, recognised(asked.sector)],
    [financing.need, recognised(asked.need)],
    [financing.amount, asked.amount?.text ?? null],
    [financing.instrument, asked.instrument?.label ?? null],
  ];
  return facts.map(([label, value]) => ({ label, value: value ?? financing.notAsked }));
}

function fitting(details: FinancingMatches, language: Language): Block[] {
  const { financing } = language.wording;
  if (details.matches.length === 0) {
    return [{ type: 'paragraph', text: financing.nothingFits }, ...listPart(financing.widen, details.widen)];
  }
  return [
    { type: 'paragraph', text: details.ranking },
    shortTable(details.matches, language),
    ...details.matches.flatMap((programme, index) => programmeSheet(programme, index + 1, language)),
  ];
}

function yearOf({ asOfYear }: FinancingProgramme, { wording }: Language): string {
  return asOfYear === null ? wording.notStated : String(asOfYear);
}

function shortTable(programmes: readonly FinancingProgramme[], language: Language): Block {
  const { financing } = language.wording;
  return {
    type: 'table',
    columns: [
      { title: financing.programme, weight: 2.6 },
      { title: financing.provider, weight: 2 },
      { title: financing.access, weight: 1.5 },
      { title: financing.amount, weight: 2.4 },
      { title: financing.yearShort, weight: 0.9, isNumber: true },
    ],
    rows: programmes.map((programme) => [
      programme.name,
      programme.provider,
      programme.access.label,
      programme.amount.text,
      yearOf(programme, language),
    ]),
  };
}

function labels(named: readonly { label: string }[], { speech }: Language): string {
  return speech.list(named.map(({ label }) => label));
}

function programmeSheet(programme: FinancingProgramme, number: number, language: Language): Block[] {
  const { financing } = language.wording;
  const { amount } = programme;
  return [
    { type: 'heading', level: 2, text: `${number}. ${programme.name}` },
    { type: 'paragraph', text: programme.summary },
    {
      type: 'facts',
      facts: [
        { label: financing.provider, value: programme.provider },
        { label: financing.instruments, value: labels(programme.instruments, language) },
        { label: financing.purposes, value: labels(programme.purposes, language) },
        { label: financing.access, value: programme.access.label },
        { label: financing.applicants, value: labels(programme.applicants, language) },
        {
          label: financing.amount,
          value: amount.note === null ? amount.text : `${amount.text} (${amount.note})`,
        },
        { label: financing.status, value: programme.status.label },
        { label: financing.year, value: yearOf(programme, language) },
        { label: financing.confidence, value: programme.confidence.label },
      ],
    },
    {
      type: 'table',
      columns: [
        { title: financing.criterion, weight: 1.4 },
        { title: financing.verdict, weight: 1.2 },
        { title: language.wording.carbon.reason, weight: 4 },
      ],
      rows: programme.verdicts.map(({ label, verdict, reason }) => [
        label,
        financing.verdicts[verdict],
        reason,
      ]),
    },
  ];
}

function obstacles(programme: FinancingProgramme): string {
  return programme.verdicts
    .filter(({ verdict }) => verdict === 'does_not_fit')
    .map(({ reason }) => reason)
    .join(' · ');
}

function near(details: FinancingMatches, language: Language): Block[] {
  const { financing } = language.wording;
  if (details.near.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { title: financing.programme, weight: 2.2 },
        { title: financing.inTheWay, weight: 3 },
        { title: financing.access, weight: 1.4 },
        { title: financing.amount, weight: 2.2 },
        { title: financing.yearShort, weight: 0.9, isNumber: true },
      ],
      rows: details.near.map((programme) => [
        `${programme.name} (${programme.provider})`,
        obstacles(programme),
        programme.access.label,
        programme.amount.text,
        yearOf(programme, language),
      ]),
    },
  ];
}

function others(details: FinancingMatches, { wording }: Language): Block[] {
  if (details.others.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { title: wording.financing.programme, weight: 2 },
        { title: wording.financing.inTheWay, weight: 4 },
      ],
      rows: details.others.map((programme) => [programme.name, obstacles(programme)]),
    },
  ];
}

function datedOn(at: Date, { wording, speech }: Language): Block {
  return {
    type: 'facts',
    facts: [{ label: wording.calculatedOn, value: speech.date(at) }],
  };
}

function esgPart({ details, at }: Dated<EsgScore>, language: Language): Block[] {
  return part(language.wording.financing.esgPart, 1, [
    ...esgOverview(details, language),
    ...pillars(details, language),
    datedOn(at, language),
  ]);
}

function carbonPart({ details, at }: Dated<CarbonFootprint>, language: Language): Block[] {
  return part(language.wording.financing.carbonPart, 1, [
    ...carbonOverview(details, language),
    ...scopes(details, language),
    datedOn(at, language),
  ]);
}

function toConfirm(details: FinancingMatches, language: Language): Block[] {
  const unknown = details.matches.flatMap(({ name, verdicts }) =>
    verdicts
      .filter(({ verdict }) => verdict === 'not_known')
      .map(({ label, reason }) => `${name} – ${label}${language.wording.colon}${reason}`),
  );
  return [
    { type: 'note', tone: 'caution', text: details.reminder },
    ...some<Block>(unknown.length > 0, { type: 'list', items: unknown }),
    ...some<Block>(details.notes.length > 0, { type: 'list', items: details.notes }),
  ];
}

function sources(
  details: FinancingMatches,
  esg: FinancingParts['esg'],
  carbon: FinancingParts['carbon'],
): Block[] {
  const programmes = [...details.matches, ...details.near].flatMap(({ name, sources: list }) =>
    list.map(({ type, ...source }): Source => ({
      text: `${name} – ${sourceText({ ...source, type: type.label })}`,
      url: source.url,
    })),
  );
  const others = [...(esg?.details.sources ?? []), ...(carbon?.details.sources ?? [])].map(
    (source): Source => ({ text: sourceText(source), url: source.url }),
  );
  return programmes.length + others.length === 0
    ? []
    : [{ type: 'sources', sources: [...programmes, ...others] }];
}
