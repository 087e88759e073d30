import { codesByFramework, type EsgIndicatorResult, type EsgScore } from '../../esg/esg-score.js';
import type { Block, Fact, Report, Table } from '../report.js';
import type { Speech } from '../../wording.js';
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

/**
 * The report of an ESG self-assessment. With an overall score: every score, answer and code, and where the criteria come
 * from. Without: a working paper of what was answered, what to do about it, and what to ask next.
 */
export function esgReport(result: Dated<EsgScore>, frame: ReportFrame): Report {
  const { details } = result;
  const language = languageOf(details.language);
  const { esg, notes, sources, summary } = language.wording;
  const { title: sector } = details.sector;
  const facts = [
    ...companyFacts(frame.company, language),
    ...some<Fact>(sector !== null, { label: esg.sector, value: sector ?? '' }),
    ...resultFacts(result, language),
  ];
  const isScored = details.score !== null;
  const whole = (...blocks: Block[]): Block[] => (isScored ? blocks : []);
  return frameReport('esg', frame, language, facts, [
    ...part(summary, 1, esgOverview(details, language)),
    ...part(esg.byPillar, 1, pillars(details, language)),
    ...whole(...part(esg.byTopic, 1, topics(details, language))),
    ...whole(...part(esg.strengths, 1, strengths(details, language))),
    ...whole(...part(esg.weaknesses, 1, weaknesses(details, language))),
    ...part(esg.answers, 1, isScored ? answers(details, language) : answersInShort(details, language)),
    ...part(esg.nextQuestions, 1, nextQuestions(details, language)),
    ...part(notes, 1, [{ type: 'list', items: limits(details) }]),
    ...whole(...part(sources, 1, [sourcesBlock(details.sources)])),
  ]);
}

/** What there is to say of the whole: a sentence, and the figures where there are any. */
function esgOverview({ summary, score, grade, coverage }: EsgScore, { wording, speech }: Language): Block[] {
  const { esg } = wording;
  return [
    { type: 'paragraph', text: summary },
    ...(score === null
      ? []
      : [
          {
            type: 'figures' as const,
            figures: [
              { label: esg.score, value: speech.tenths(score), detail: '/ 100' },
              { label: esg.grade, value: grade ?? '–', detail: 'A–E' },
              { label: esg.coverage, value: floored(coverage, speech), detail: esg.coverageDetail },
            ],
          },
        ]),
  ];
}

/** A share that has to be reached is not rounded up to it. */
function floored(share: number, speech: Speech): string {
  return speech.percent(Math.floor(share * 100 + 1e-9) / 100, 0);
}

type Scored = Pick<EsgScore['pillars'][number], 'score' | 'weight' | 'coverage'>;

function scoreCells({ weight, score, coverage }: Scored, { wording, speech }: Language): string[] {
  return [
    speech.percent(weight),
    score === null ? wording.esg.missing : speech.tenths(score),
    floored(coverage, speech),
  ];
}

function scoreColumns({ weight, score, coverage }: ReportTexts['esg']): Table['columns'] {
  return [
    { title: weight, weight: 1, isNumber: true },
    { title: score, weight: 1.3, isNumber: true },
    { title: coverage, weight: 1.3, isNumber: true },
  ];
}

/** Bars of what has a score. */
function scoreChart(
  title: string,
  scored: readonly { title: string; score: number | null }[],
  { speech }: Language,
): Block {
  const values = scored.flatMap(({ title: label, score }) =>
    score === null ? [] : [{ label, value: score, text: speech.tenths(score) }],
  );
  return { type: 'chart', title, chart: { kind: 'bars', maximum: 100, values } };
}

function pillars(details: EsgScore, language: Language): Block[] {
  const { esg } = language.wording;
  return [
    ...some(details.score !== null, scoreChart(esg.chartPillars, details.pillars, language)),
    {
      type: 'table',
      columns: [{ title: esg.pillar, weight: 3 }, ...scoreColumns(esg)],
      rows: details.pillars.map((pillar) => [pillar.title, ...scoreCells(pillar, language)]),
    },
  ];
}

function topics(details: EsgScore, language: Language): Block[] {
  const { esg } = language.wording;
  const titles = new Map(details.pillars.map(({ id, title }) => [id, title]));
  return [
    scoreChart(
      esg.chartTopics,
      details.topics.map(({ pillar, title, score }) => ({ title: `${pillar} – ${title}`, score })),
      language,
    ),
    {
      type: 'table',
      columns: [{ title: esg.pillar, weight: 1.6 }, { title: esg.topic, weight: 3 }, ...scoreColumns(esg)],
      rows: details.topics.map((topic) => [
        titles.get(topic.pillar) ?? topic.pillar,
        topic.title,
        ...scoreCells(topic, language),
      ]),
    },
  ];
}

function indicatorOf({ indicators: all }: EsgScore, id: string): EsgIndicatorResult | undefined {
  return all.find((indicator) => indicator.id === id);
}

function titleOf(details: EsgScore, id: string): string {
  return indicatorOf(details, id)?.title ?? id;
}

function strengths(details: EsgScore, { speech }: Language): Block[] {
  const titles = details.strengths.map(({ indicator: id }) => `${id} ${titleOf(details, id)}`);
  return titles.length === 0 ? [] : [{ type: 'paragraph', text: `${speech.list(titles)}.` }];
}

function weaknesses(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg } = wording;
  const rows = details.weaknesses.map(({ indicator: id, potential, nextAction }) => [
    id,
    titleOf(details, id),
    nextAction,
    speech.tenths(potential),
  ]);
  const columns = [
    { title: '', weight: 0.6 },
    { title: esg.indicator, weight: 2.4 },
    { title: esg.nextAction, weight: 3.4 },
    { title: esg.potential, weight: 1.1, isNumber: true },
  ];
  return [{ type: 'table', columns, rows }];
}

/** As many as a person answers at a sitting; the others are only named. */
const ASKED = 5;

function nextQuestions(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg, colon } = wording;
  const others = details.nextQuestions
    .slice(ASKED)
    .map(({ indicator: id }) => `${id} ${titleOf(details, id)}`);
  return [
    {
      type: 'table',
      columns: [
        { title: '', weight: 0.6 },
        { title: esg.question, weight: 4 },
        { title: esg.expected, weight: 3 },
      ],
      rows: details.nextQuestions
        .slice(0, ASKED)
        .map(({ indicator, question, expected }) => [indicator, question, expected]),
    },
    ...some<Block>(others.length > 0, {
      type: 'paragraph',
      text: `${esg.alsoMissing}${colon}${speech.list(others)}.`,
    }),
  ];
}

/** What the summary says already is not said again. */
function limits({ notes }: EsgScore): string[] {
  return notes.filter(({ code }) => code !== 'minimum_coverage').map(({ text }) => text);
}

/** Every answer with its score, and what to do about a weak one. */
function answersInShort(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg } = wording;
  const actions = new Map(details.weaknesses.map(({ indicator, nextAction }) => [indicator, nextAction]));
  const rows = details.indicators
    .filter(({ status }) => status === 'answered')
    .map(({ id, title, answerText, score }) => [
      id,
      title,
      answerText ?? '',
      score === null ? '–' : speech.tenths(score),
      actions.get(id) ?? '',
    ]);
  const columns = [
    { title: '', weight: 0.6 },
    { title: esg.indicator, weight: 2.6 },
    { title: esg.answer, weight: 2.4 },
    { title: esg.score, weight: 0.75, isNumber: true },
    { title: esg.nextAction, weight: 3 },
  ];
  return [{ type: 'table', columns, rows }];
}

/** What is not answered is asked below, and not listed here. */
function answers(details: EsgScore, language: Language): Block[] {
  const { esg } = language.wording;
  const rows = details.indicators
    .filter(({ status }) => status !== 'missing')
    .map((indicator) => indicatorRow(indicator, language));
  if (rows.length === 0) return [];
  const columns = [
    { title: '', weight: 0.62 },
    { title: esg.indicator, weight: 2.1 },
    { title: esg.answer, weight: 2.4 },
    { title: esg.score, weight: 0.75, isNumber: true },
    { title: esg.weight, weight: 0.75, isNumber: true },
    { title: esg.codes, weight: 3 },
  ];
  return [
    { type: 'paragraph', text: esg.frameworks },
    { type: 'table', columns, rows },
  ];
}

function indicatorRow(indicator: EsgIndicatorResult, { wording, speech }: Language): string[] {
  const { id, title, status, answerText, score, weight } = indicator;
  return [
    id,
    title,
    status === 'answered' ? (answerText ?? '') : wording.esg.notApplicable,
    score === null ? '–' : speech.tenths(score),
    speech.percent(weight),
    codesOf(indicator, wording.esg),
  ];
}

function codesOf({ codes }: EsgIndicatorResult, { sdg }: ReportTexts['esg']): string {
  const disclosures = codes.vsme.map(({ code, paragraph }) => `${code} (§${paragraph})`);
  return codesByFramework(codes, disclosures, sdg).join(' · ');
}
