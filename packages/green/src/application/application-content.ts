import type { CarbonFootprint } from '../carbon/footprint-details.js';
import type { EsgScore } from '../esg/esg-score.js';
import { sayScore } from '../esg/score-report.js';
import type { FinancingProgramme } from '../financing/financing-matches.js';
import {
  column,
  type ColumnOf,
  companyFacts,
  type Dated,
  frameReport,
  numberColumn,
  part,
  type ReportCompany,
  type ReportFrame,
  some,
  tableOf,
} from '../report/content/report-frame.js';
import { verdictFacts } from '../report/content/financing-content.js';
import { sourcesBlock } from '../report/content/source-text.js';
import type { Block, Fact, Report } from '../report/report.js';
import { fill, type Wording, wordingOf } from '../wording.js';
import { type ApplicationDraft, requestedIn, totalOf } from './application-draft.js';

/** The input of an application's text. */
export interface Application {
  draft: ApplicationDraft;
  /** Null: none is chosen. */
  programme: FinancingProgramme | null;
  footprint: Dated<CarbonFootprint> | null;
  /** The footprint after the project. Null: nobody stated it. */
  after: CarbonFootprint | null;
  esg: Dated<EsgScore> | null;
  /** Open questions, in the report's language. */
  missing: readonly string[];
}

/** The application file of a company that seeks financing: what a programme or bank asks for, and what is missing. */
export function applicationReport(application: Application, frame: ReportFrame, tag: string): Report {
  const language = wordingOf(tag);
  const { application: texts, report: wording } = language;
  const { draft, programme, missing } = application;
  const title = frame.title ?? draft.title ?? null;
  const source = ({ source, isRequested = false }: NonNullable<ApplicationDraft['plan']>[number]): string =>
    isRequested ? fill(texts.requestedMark, { source }) : source;
  return frameReport('application', { ...frame, title }, language, overview(application, language), [
    ...some<Block>(missing.length > 0, { type: 'note', tone: 'caution', text: texts.incompleteNote }),
    ...part(texts.incomplete, 2, [{ type: 'list', items: missing }]),
    ...part(texts.applicant, 1, applicant(frame.company, language)),
    ...part(texts.project, 1, project(draft, texts)),
    ...part(texts.budget, 1, [
      shares(
        draft.budget,
        column(texts.item, 4, ({ item }) => item),
        draft,
        language,
      ),
    ]),
    ...part(texts.plan, 1, [shares(draft.plan, column(texts.source, 4, source), draft, language)]),
    ...part(texts.effects, 1, effects(application, language)),
    ...part(texts.schedule, 1, [schedule(draft, texts)]),
    ...part(
      texts.requirements,
      1,
      programme
        ? [
            { type: 'paragraph', text: programme.summary },
            { type: 'facts', facts: verdictFacts(programme, language) },
          ]
        : [],
    ),
    ...part(texts.annexes, 1, annexes(application, texts)),
    ...part(wording.sources, 1, [sources(application)]),
    { type: 'note', tone: 'plain', text: wording.noteOnResults },
  ]);
}

function moneyOf(amount: number, { currency }: ApplicationDraft, { speech }: Wording): string {
  return currency === undefined ? speech.number(amount) : speech.money(amount, currency);
}

type Texts = Wording['application'];

function overview({ draft, programme }: Application, language: Wording): Fact[] {
  const { application: texts, speech } = language;
  const [requested, total] = [requestedIn(draft), totalOf(draft.budget)];
  const facts: [string, string | null][] = [
    [texts.programme, programme?.name ?? null],
    [texts.provider, programme?.provider ?? null],
    [texts.route, programme && texts.routes[programme.access.code as keyof typeof texts.routes]],
    [texts.requested, requested > 0 ? moneyOf(requested, draft, language) : null],
    [texts.totalCost, total > 0 ? moneyOf(total, draft, language) : null],
    [texts.ownShare, requested > 0 && total > 0 ? speech.percent(requested / total) : null],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

function applicant(company: ReportCompany, language: Wording): Block[] {
  const { company: words } = language.report;
  const { attributes } = company;
  // Attributes are free: only plain values can be shown.
  const further = Object.entries(attributes).flatMap(([label, value]): Fact[] => {
    if (typeof value === 'string' && value !== '') return [{ label, value }];
    return typeof value === 'number' ? [{ label, value: language.speech.plain(value) }] : [];
  });
  return [
    {
      type: 'facts',
      facts: [
        { label: words.name, value: company.name },
        ...companyFacts(company, language, true),
        ...further,
      ],
    },
    ...listPart(words.practices, company.environmentalPractices),
    ...listPart(words.goals, company.declaredGoals),
  ];
}

function listPart(title: string, items: readonly string[]): Block[] {
  return part(title, 2, [{ type: 'list', items }]);
}

function project({ description, place, results = [] }: ApplicationDraft, texts: Texts): Block[] {
  return [
    ...(description === undefined ? [] : paragraphs(description)),
    ...some<Block>(place !== undefined, {
      type: 'facts',
      facts: [{ label: texts.place, value: place ?? '' }],
    }),
    ...listPart(texts.results, results),
  ];
}

function paragraphs(text: string): Block[] {
  return text.split(/\n\s*\n?/).map((line): Block => ({ type: 'paragraph', text: line }));
}

/** Amounts with their shares and their sum. */
function shares<Part extends { amount: number }>(
  parts: readonly Part[] = [],
  named: ColumnOf<Part>,
  draft: ApplicationDraft,
  language: Wording,
): Block {
  const { application: texts, speech } = language;
  const total = totalOf(parts);
  return tableOf(
    parts,
    [
      named,
      numberColumn(texts.amount, 2, ({ amount }) => moneyOf(amount, draft, language)),
      numberColumn(texts.share, 1, ({ amount }) => speech.percent(amount / total)),
    ],
    [texts.total, moneyOf(total, draft, language), ''],
  );
}

/** All figures come from the company's records. The text beside them has no others. */
function effects({ draft, footprint, after, esg }: Application, language: Wording): Block[] {
  const { application: texts, report, speech } = language;
  const rows = (footprint?.details.scopes ?? []).map(({ label, scope, kgCO2e }) => {
    const later = after?.scopes.find((each) => each.scope === scope)?.kgCO2e ?? null;
    return { label: `${report.carbon.scope} ${scope} – ${label}`, now: kgCO2e, later };
  });
  const total = footprint?.details.totalKgCO2e ?? 0;
  const say = (kg: number): string => speech.emissions(kg, total >= 1000);
  const differenceOf = (now: number, later: number): string =>
    later === now ? '–' : `${later < now ? '−' : '+'}${say(Math.abs(later - now))}`;
  const cells = (now: number, later: number | null): string[] => [
    say(now),
    ...(later === null ? [] : [say(later), differenceOf(now, later)]),
  ];
  const facts: Fact[] = esg ? [{ label: texts.score, value: sayScore(esg.details) }] : [];
  return [
    ...(draft.effects === undefined ? [] : paragraphs(draft.effects)),
    ...some<Block>(
      footprint !== null,
      {
        type: 'table',
        columns: [
          { title: fill(texts.footprint, { period: footprint?.details.period }), weight: 4 },
          { title: texts.now, weight: 2, isNumber: true },
          ...some(
            after !== null,
            { title: texts.after, weight: 2, isNumber: true },
            { title: texts.saving, weight: 2, isNumber: true },
          ),
        ],
        rows: rows.map(({ label, now, later }) => [label, ...cells(now, later)]),
        total: [texts.total, ...cells(total, after?.totalKgCO2e ?? null)],
      },
      { type: 'note', tone: 'plain', text: texts.effectsBasis },
    ),
    { type: 'facts', facts },
  ];
}

function schedule({ schedule: steps = [] }: ApplicationDraft, texts: Texts): Block {
  return tableOf(steps, [
    column(texts.step, 4, ({ step }) => step),
    column(texts.when, 1.5, ({ when }) => when),
  ]);
}

function annexes({ draft, programme, footprint, esg }: Application, texts: Texts): Block[] {
  const { documents } = texts;
  const isForWomen = programme?.applicants.some(({ code }) => code === 'sme-women-led') ?? false;
  const rows = [
    ...(draft.annexes ?? []).map((document) => [document, texts.provided] as const),
    ...[documents.registration, documents.tax, documents.accounts, documents.quotes].map(
      (document) => [document, texts.toAttach] as const,
    ),
    ...some(isForWomen, [documents.women, texts.toAttach] as const),
    ...some(footprint !== null, [documents.carbon, texts.toAttach] as const),
    ...some(esg !== null, [documents.esg, texts.toAttach] as const),
  ];
  return [
    tableOf(rows, [
      column(texts.document, 4, ([document]) => document),
      column(texts.state, 2, ([, state]) => state),
    ]),
    { type: 'note', tone: 'caution', text: texts.annexNote },
  ];
}

function sources({ programme, footprint }: Application): Block {
  const ofProgramme = (programme?.sources ?? []).map((source) => ({ ...source, type: source.type.label }));
  return sourcesBlock([...ofProgramme, ...(footprint?.details.sources ?? [])]);
}
