import type { CarbonFootprint } from '../carbon/footprint-details.js';
import type { EsgScore } from '../esg/esg-score.js';
import { sayScore } from '../esg/score-report.js';
import type { FinancingProgramme } from '../financing/financing-matches.js';
import {
  companyFacts,
  type Dated,
  frameReport,
  languageOf,
  type Language,
  part,
  type ReportCompany,
  type ReportFrame,
  some,
} from '../report/content/report-frame.js';
import { verdictTable } from '../report/content/financing-content.js';
import { sourcesBlock } from '../report/content/source-text.js';
import type { Block, Fact, Report } from '../report/report.js';
import { fill } from '../wording.js';
import { type ApplicationDraft, requestedIn, totalOf } from './application-draft.js';
import { type ApplicationTexts, applicationWordingOf } from './application-wording.js';

/** What an application is written from. */
export interface Application {
  draft: ApplicationDraft;
  /** Null: none is chosen. */
  programme: FinancingProgramme | null;
  footprint: Dated<CarbonFootprint> | null;
  /** The footprint as it is after the project; null: nothing was said of that. */
  after: CarbonFootprint | null;
  esg: Dated<EsgScore> | null;
  /** The questions that are open, in the report's language. */
  missing: readonly string[];
}

interface Words {
  language: Language;
  texts: ApplicationTexts;
  /** An amount in the application's currency. */
  money(amount: number): string;
}

/** The file of a company that applies for financing: what a programme or a bank asks for, and what is still missing. */
export function applicationReport(application: Application, frame: ReportFrame, tag: string): Report {
  const language = languageOf(tag);
  const { texts, speech } = applicationWordingOf(tag);
  const { draft, programme, missing } = application;
  const money = (amount: number): string =>
    draft.currency === undefined ? speech.number(amount) : speech.money(amount, draft.currency);
  const words: Words = { language, texts, money };
  const title = frame.title ?? draft.title ?? null;
  return frameReport('application', { ...frame, title }, language, overview(application, words), [
    ...some<Block>(missing.length > 0, { type: 'note', tone: 'caution', text: texts.incompleteNote }),
    ...part(texts.incomplete, 2, [{ type: 'list', items: missing }]),
    ...part(texts.applicant, 1, applicant(frame.company, language)),
    ...part(texts.project, 1, project(draft, words)),
    ...part(
      texts.budget,
      1,
      shares(draft.budget?.map(({ item, amount }) => [item, amount]) ?? [], texts.item, words),
    ),
    ...part(texts.plan, 1, shares(plan(draft, texts), texts.source, words)),
    ...part(texts.effects, 1, effects(application, words)),
    ...part(texts.schedule, 1, schedule(draft, texts)),
    ...part(
      texts.requirements,
      1,
      programme ? [{ type: 'paragraph', text: programme.summary }, verdictTable(programme, language)] : [],
    ),
    ...part(texts.annexes, 1, annexes(application, words)),
    ...part(language.wording.sources, 1, [sources(application)]),
  ]);
}

function overview({ draft, programme }: Application, { language, texts, money }: Words): Fact[] {
  const [requested, total] = [requestedIn(draft), totalOf(draft.budget)];
  const facts: [string, string | null][] = [
    [texts.programme, programme?.name ?? null],
    [texts.provider, programme?.provider ?? null],
    [texts.route, programme && texts.routes[programme.access.code as keyof typeof texts.routes]],
    [texts.requested, requested > 0 ? money(requested) : null],
    [texts.totalCost, total > 0 ? money(total) : null],
    [texts.ownShare, requested > 0 && total > 0 ? language.speech.percent(requested / total) : null],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

function applicant(company: ReportCompany, language: Language): Block[] {
  const { company: words } = language.wording;
  const { attributes } = company;
  // Attributes are whatever the company has noted: what is a plain value can be shown.
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

function project({ description, place, results = [] }: ApplicationDraft, { texts }: Words): Block[] {
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

function plan({ plan: given = [] }: ApplicationDraft, texts: ApplicationTexts): [string, number][] {
  return given.map(({ source, amount, isRequested = false }) => [
    isRequested ? fill(texts.requestedMark, { source }) : source,
    amount,
  ]);
}

/** Amounts with their shares and their sum. */
function shares(
  amounts: readonly (readonly [string, number])[],
  title: string,
  { language, texts, money }: Words,
): Block[] {
  const total = amounts.reduce((sum, [, amount]) => sum + amount, 0);
  return [
    {
      type: 'table',
      columns: [
        { title, weight: 4 },
        { title: texts.amount, weight: 2, isNumber: true },
        { title: texts.share, weight: 1, isNumber: true },
      ],
      rows: amounts.map(([label, amount]) => [label, money(amount), language.speech.percent(amount / total)]),
      total: [texts.total, money(total), ''],
    },
  ];
}

/** Calculated from what the company keeps; what was written beside it has no other figures. */
function effects({ draft, footprint, after, esg }: Application, { language, texts }: Words): Block[] {
  const { speech } = language;
  const rows = (footprint?.details.scopes ?? []).map(({ label, scope, kgCO2e }) => {
    const later = after?.scopes.find((each) => each.scope === scope)?.kgCO2e ?? null;
    return { label: `${language.wording.carbon.scope} ${scope} – ${label}`, now: kgCO2e, later };
  });
  const total = footprint?.details.totalKgCO2e ?? 0;
  const say = (kg: number): string => speech.emissions(kg, total >= 1000);
  const cells = (now: number, later: number | null): string[] => [
    say(now),
    ...(later === null ? [] : [say(later), later === now ? '–' : say(later - now)]),
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

function schedule({ schedule: steps = [] }: ApplicationDraft, texts: ApplicationTexts): Block[] {
  const columns = [
    { title: texts.step, weight: 4 },
    { title: texts.when, weight: 1.5 },
  ];
  return [{ type: 'table', columns, rows: steps.map(({ step, when }) => [step, when]) }];
}

function annexes({ draft, programme, footprint, esg }: Application, { texts }: Words): Block[] {
  const { documents } = texts;
  const isForWomen = programme?.applicants.some(({ code }) => code === 'sme-women-led') ?? false;
  const rows = [
    ...(draft.annexes ?? []).map((document) => [document, texts.provided]),
    ...[documents.registration, documents.tax, documents.accounts, documents.quotes].map((document) => [
      document,
      texts.toAttach,
    ]),
    ...some(isForWomen, [documents.women, texts.toAttach]),
    ...some(footprint !== null, [documents.carbon, texts.written]),
    ...some(esg !== null, [documents.esg, texts.written]),
  ];
  return [
    {
      type: 'table',
      columns: [
        { title: texts.document, weight: 4 },
        { title: texts.state, weight: 2 },
      ],
      rows,
    },
    { type: 'note', tone: 'caution', text: texts.annexNote },
  ];
}

function sources({ programme, footprint }: Application): Block {
  const ofProgramme = (programme?.sources ?? []).map((source) => ({ ...source, type: source.type.label }));
  return sourcesBlock([...ofProgramme, ...(footprint?.details.sources ?? [])]);
}
