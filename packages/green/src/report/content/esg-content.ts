import type { EsgIndicatorResult, EsgScore } from '../../esg/esg-score.js';
import type { Block, Report, Table } from '../report.js';
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
  some,
} from './report-frame.js';
import { sourceText } from './source-text.js';

/** The report of an ESG self-assessment: every score, every answer, what is missing, and where the criteria come from. */
export function esgReport({ details, at }: Dated<EsgScore>, frame: ReportFrame): Report {
  const language = languageOf(details.language);
  const { wording, speech } = language;
  const facts = [
    ...companyFacts(frame.company, language),
    { label: wording.calculatedOn, value: speech.date(at) },
    { label: wording.dataVersion, value: details.dataVersion },
  ];
  return frameReport('esg', frame, language, facts, [
    ...part(wording.summary, 1, esgOverview(details, language)),
    ...part(wording.esg.byPillar, 1, pillars(details, language)),
    ...part(wording.esg.byTopic, 1, topics(details, language)),
    ...part(wording.esg.strengths, 1, strengths(details, language)),
    ...part(wording.esg.weaknesses, 1, weaknesses(details, language)),
    ...part(wording.esg.nextQuestions, 1, nextQuestions(details, wording.esg)),
    ...part(wording.esg.indicators, 1, indicators(details, language)),
    ...part(
      wording.notes,
      1,
      details.notes.map(({ text }) => ({ type: 'note', tone: 'caution', text }) as const),
    ),
    ...part(wording.sources, 1, [
      {
        type: 'sources',
        sources: details.sources.map((source) => ({ text: sourceText(source), url: source.url })),
      },
    ]),
  ]);
}

/** The overall figures, with what they say in a sentence. */
export function esgOverview(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg, notStated } = wording;
  const { score, grade, coverage, minimumCoverage, sector } = details;
  return [
    { type: 'paragraph', text: details.summary },
    {
      type: 'figures',
      figures: [
        score === null
          ? { label: esg.score, value: '–', detail: esg.noScore }
          : { label: esg.score, value: speech.tenths(score), detail: '/ 100' },
        { label: esg.grade, value: grade ?? '–', detail: grade === null ? notStated : 'A–E' },
        { label: esg.coverage, value: speech.percent(coverage), detail: esg.coverageDetail },
      ],
    },
    ...some<Block>(score === null, {
      type: 'note',
      tone: 'caution',
      text: fill(esg.noScoreText, {
        minimum: speech.percent(minimumCoverage),
        coverage: speech.percent(coverage),
      }),
    }),
    ...some<Block>(sector.title !== null, {
      type: 'facts',
      facts: [{ label: esg.sector, value: sector.title ?? '' }],
    }),
  ];
}

type Scored = Pick<EsgScore['pillars'][number], 'score' | 'weight' | 'coverage'>;

function scoreCells({ weight, score, coverage }: Scored, { wording, speech }: Language): string[] {
  return [
    speech.percent(weight),
    score === null ? wording.esg.missing : speech.tenths(score),
    speech.percent(coverage),
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
): Block[] {
  const values = scored.flatMap(({ title: label, score }) =>
    score === null ? [] : [{ label, value: score, text: speech.tenths(score) }],
  );
  return values.length === 0 ? [] : [{ type: 'chart', title, chart: { kind: 'bars', maximum: 100, values } }];
}

export function pillars(details: EsgScore, language: Language): Block[] {
  const { esg } = language.wording;
  return [
    ...scoreChart(esg.chartPillars, details.pillars, language),
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
    ...scoreChart(
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

function strengths(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg } = wording;
  const rows = details.strengths.map(({ indicator: id }) => {
    const indicator = indicatorOf(details, id);
    const { score = null, answerText = null } = indicator ?? {};
    return [id, indicator?.title ?? id, answerText ?? '', score === null ? '' : speech.tenths(score)];
  });
  return tableOf(rows, [
    { title: '', weight: 0.6 },
    { title: esg.indicator, weight: 3 },
    { title: esg.answer, weight: 3 },
    { title: esg.score, weight: 0.9, isNumber: true },
  ]);
}

function weaknesses(details: EsgScore, { wording, speech }: Language): Block[] {
  const { esg } = wording;
  const rows = details.weaknesses.map(({ indicator: id, potential, nextAction }) => [
    id,
    titleOf(details, id),
    nextAction,
    speech.tenths(potential),
  ]);
  return tableOf(rows, [
    { title: '', weight: 0.6 },
    { title: esg.indicator, weight: 2.4 },
    { title: esg.nextAction, weight: 3.4 },
    { title: esg.potential, weight: 1.1, isNumber: true },
  ]);
}

function nextQuestions(details: EsgScore, esg: ReportTexts['esg']): Block[] {
  return tableOf(
    details.nextQuestions.map(({ indicator, question, expected }) => [indicator, question, expected]),
    [
      { title: '', weight: 0.6 },
      { title: esg.question, weight: 4 },
      { title: esg.expected, weight: 3 },
    ],
  );
}

function tableOf(rows: readonly string[][], columns: Table['columns']): Block[] {
  return rows.length === 0 ? [] : [{ type: 'table', columns, rows }];
}

function indicators(details: EsgScore, language: Language): Block[] {
  const { esg } = language.wording;
  const groups = details.pillars.map(({ id, title }) => ({
    title,
    rows: details.indicators
      .filter(({ pillar }) => pillar === id)
      .map((indicator) => indicatorRow(indicator, language)),
  }));
  return [
    { type: 'paragraph', text: esg.frameworks },
    ...groups.flatMap(({ title, rows }) =>
      part(
        title,
        2,
        tableOf(rows, [
          { title: '', weight: 0.62 },
          { title: esg.indicator, weight: 2.1 },
          { title: esg.answer, weight: 2 },
          { title: esg.score, weight: 0.85, isNumber: true },
          { title: esg.weight, weight: 0.9, isNumber: true },
          { title: esg.codes, weight: 3 },
        ]),
      ),
    ),
  ];
}

function indicatorRow(indicator: EsgIndicatorResult, { wording, speech }: Language): string[] {
  const { id, title, status, answerText, score, weight } = indicator;
  const { missing, notApplicable } = wording.esg;
  const answers = { answered: answerText ?? '', missing, not_applicable: notApplicable };
  return [
    id,
    title,
    answers[status],
    score === null ? '–' : speech.tenths(score),
    speech.percent(weight),
    codesOf(indicator, wording.esg),
  ];
}

function codesOf({ codes }: EsgIndicatorResult, { sdg }: ReportTexts['esg']): string {
  const named: [string, readonly (string | number)[]][] = [
    ['VSME', codes.vsme.map(({ code, paragraph }) => `${code} (§${paragraph})`)],
    ['GRI', codes.gri],
    ['IFC', codes.ifc],
    ['ISO 26000', codes.iso26000],
    [sdg, codes.sdg],
  ];
  return named
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name} ${list.join(', ')}`)
    .join(' · ');
}
