import { codesByFramework, type EsgIndicatorResult, type EsgScore } from '../../esg/esg-score.js';
import type { Block, Fact, Report } from '../report.js';
import { type Speech, type Wording, wordingOf } from '../../wording.js';
import {
  column,
  type ColumnOf,
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

/**
 * The report of an ESG self-assessment. With an overall score: all scores, answers, codes and sources. Without: a
 * working paper with the answers, actions and next questions.
 */
export function esgReport(result: Dated<EsgScore>, frame: ReportFrame): Report {
  const { details } = result;
  const language = wordingOf(details.language);
  const { esg, notes, noteOnResults, sources, summary } = language.report;
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
    { type: 'note', tone: 'plain', text: noteOnResults },
  ]);
}

/** A sentence on the whole, and the figures if there are any. */
function esgOverview(
  { summary, score, grade, coverage }: EsgScore,
  { report: wording, speech }: Wording,
): Block[] {
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

/** Rounded down: a share must not seem to reach a threshold. */
function floored(share: number, speech: Speech): string {
  return speech.percent(Math.floor(share * 100 + 1e-9) / 100, 0);
}

type Scored = Pick<EsgScore['pillars'][number], 'score' | 'weight' | 'coverage'>;

function scoreColumns({ report: { esg }, speech }: Wording) {
  return [
    numberColumn(esg.weight, 1, ({ weight }: Scored) => speech.percent(weight)),
    numberColumn(esg.score, 1.3, ({ score }: Scored) =>
      score === null ? esg.missing : speech.tenths(score),
    ),
    numberColumn(esg.coverage, 1.3, ({ coverage }: Scored) => floored(coverage, speech)),
  ];
}

function scoreChart(
  title: string,
  scored: readonly { title: string; score: number | null }[],
  { speech }: Wording,
): Block {
  const values = scored.flatMap(({ title: label, score }) =>
    score === null ? [] : [{ label, value: score, text: speech.tenths(score) }],
  );
  return { type: 'chart', title, chart: { maximum: 100, values } };
}

function pillars(details: EsgScore, language: Wording): Block[] {
  const { esg } = language.report;
  return [
    ...some(details.score !== null, scoreChart(esg.chartPillars, details.pillars, language)),
    tableOf(details.pillars, [column(esg.pillar, 3, ({ title }) => title), ...scoreColumns(language)]),
  ];
}

function topics(details: EsgScore, language: Wording): Block[] {
  const { esg } = language.report;
  const titles = new Map(details.pillars.map(({ id, title }) => [id, title]));
  return [
    scoreChart(
      esg.chartTopics,
      details.topics.map(({ pillar, title, score }) => ({ title: `${pillar} – ${title}`, score })),
      language,
    ),
    tableOf(details.topics, [
      column(esg.pillar, 1.6, ({ pillar }) => titles.get(pillar) ?? pillar),
      column(esg.topic, 3, ({ title }) => title),
      ...scoreColumns(language),
    ]),
  ];
}

function titleOf(details: EsgScore, id: string): string {
  return details.indicators.find((indicator) => indicator.id === id)?.title ?? id;
}

function strengths(details: EsgScore, { speech }: Wording): Block[] {
  const titles = details.strengths.map(({ indicator: id }) => `${id} ${titleOf(details, id)}`);
  return titles.length === 0 ? [] : [{ type: 'paragraph', text: `${speech.list(titles)}.` }];
}

function weaknesses(details: EsgScore, { report: { esg }, speech }: Wording): Block[] {
  return [
    tableOf(details.weaknesses, [
      column('', 0.6, ({ indicator }) => indicator),
      column(esg.indicator, 2.4, ({ indicator }) => titleOf(details, indicator)),
      column(esg.nextAction, 3.4, ({ nextAction }) => nextAction),
      numberColumn(esg.potential, 1.1, ({ potential }) => speech.tenths(potential)),
    ]),
  ];
}

/** As many questions as a person answers at a sitting. The others are only named. */
const ASKED = 5;

function nextQuestions(details: EsgScore, { report: wording, speech }: Wording): Block[] {
  const { esg, colon } = wording;
  const others = details.nextQuestions
    .slice(ASKED)
    .map(({ indicator: id }) => `${id} ${titleOf(details, id)}`);
  return [
    tableOf(details.nextQuestions.slice(0, ASKED), [
      column('', 0.6, ({ indicator }) => indicator),
      column(esg.question, 3.2, ({ question }) => question),
      column(esg.expected, 3.8, ({ expected }) => expected),
    ]),
    ...some<Block>(others.length > 0, {
      type: 'paragraph',
      text: `${esg.alsoMissing}${colon}${speech.list(others)}.`,
    }),
  ];
}

/** Notes that the summary repeats are left out. */
function limits({ notes }: EsgScore): string[] {
  return notes.filter(({ code }) => code !== 'minimum_coverage').map(({ text }) => text);
}

/** Every answer with its score, and an action for each weak one. */
function answersInShort(details: EsgScore, language: Wording): Block[] {
  const { esg } = language.report;
  const actions = new Map(details.weaknesses.map(({ indicator, nextAction }) => [indicator, nextAction]));
  return [
    tableOf(
      details.indicators.filter(({ status }) => status === 'answered'),
      [...answerColumns(language), column(esg.nextAction, 3, ({ id }) => actions.get(id) ?? '')],
    ),
  ];
}

/** Unanswered indicators are asked about below. */
function answers(details: EsgScore, language: Wording): Block[] {
  const { report, speech } = language;
  const { esg } = report;
  const told = details.indicators.filter(({ status }) => status !== 'missing');
  if (told.length === 0) return [];
  return [
    { type: 'paragraph', text: esg.frameworks },
    tableOf(told, [
      ...answerColumns(language),
      numberColumn(esg.weight, 0.75, ({ weight }) => speech.percent(weight)),
      column(esg.codes, 3, (indicator) => codesOf(indicator, esg)),
    ]),
  ];
}

function answerColumns({ report: { esg }, speech }: Wording): ColumnOf<EsgIndicatorResult>[] {
  return [
    column('', 0.62, ({ id }) => id),
    column(esg.indicator, 2.4, ({ title }) => title),
    column(esg.answer, 2.4, ({ status, answerText }) =>
      status === 'answered' ? (answerText ?? '') : esg.notApplicable,
    ),
    numberColumn(esg.score, 0.75, ({ score }) => (score === null ? '–' : speech.tenths(score))),
  ];
}

function codesOf({ codes }: EsgIndicatorResult, { sdg }: Wording['report']['esg']): string {
  const disclosures = codes.vsme.map(({ code, paragraph }) => `${code} (§${paragraph})`);
  return codesByFramework(codes, disclosures, sdg).join(' · ');
}
