import type { JsonObject } from '@palabre/plugin';

import {
  type Answer,
  type Assessment,
  type PartialScore,
  potentialOf,
  type ScoredIndicator,
  weaknessBelow,
} from './assessment.js';
import { codesByFramework, type EsgIndicatorResult, type EsgScore } from './esg-score.js';
import type { Grid, Unit } from './grid.js';
import type { CriteriaWords, IndicatorWords } from './criteria-words.js';
import { fill, type Values, type Wording, wordingOf } from '../wording.js';

/** What the text of an assessment needs. */
export interface Telling {
  grid: Grid;
  words: CriteriaWords;
  wording: Wording;
  /** Who named the sector. */
  basis: EsgScore['sector']['basis'];
}

const noWords: IndicatorWords = { title: '', question: '', levels: [], action: null };
function wordsOf({ indicator }: ScoredIndicator, { words }: Telling): IndicatorWords {
  return words.indicators[indicator.id] ?? noWords;
}

function figure(value: number, { wording }: Telling): string {
  return wording.speech.tenths(value);
}

function amountOf(unit: Unit, amount: string, { wording }: Telling): string {
  return fill(wording.esg.amounts[unit], { amount });
}

/** Rounded down: 59.9 % does not reach 60 %. */
function floored(share: number): string {
  return String(Math.floor(Math.round(share * 1000) / 10));
}

function percent(share: number, telling: Telling): string {
  return amountOf('percent', floored(share), telling);
}

function toTenThousandth(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function sayAnswer(scored: ScoredIndicator, answer: Answer, telling: Telling): string {
  const { esg: texts } = telling.wording;
  const scale = scored.indicator.answer;
  switch (scale.kind) {
    case 'yes_no':
      return answer === true ? texts.yes : texts.no;
    case 'level':
      return wordsOf(scored, telling).levels[Number(answer)] ?? '';
    case 'amount':
      return amountOf(scale.unit, figure(Number(answer), telling), telling);
  }
}

function sayExpected(scored: ScoredIndicator, telling: Telling): string {
  const { esg: texts } = telling.wording;
  const scale = scored.indicator.answer;
  switch (scale.kind) {
    case 'yes_no':
      return texts.expectedYesNo;
    case 'level':
      return wordsOf(scored, telling)
        .levels.map((level, index) => fill(texts.level, { index, level }))
        .join(texts.semicolon);
    case 'amount':
      return texts.expectedAmounts[scale.unit];
  }
}

/** How to improve a weak answer: its own action, the first level that is not weak, or a sufficient amount. */
function sayNextAction(scored: ScoredIndicator, telling: Telling): string {
  const { levels, action } = wordsOf(scored, telling);
  const { esg: texts } = telling.wording;
  const { answer: scale } = scored.indicator;
  if (action !== null || scale.kind === 'yes_no') return action ?? '';
  if (scale.kind === 'level') {
    const next = scale.points.findIndex((points) => points >= weaknessBelow);
    return fill(texts.betterLevel, { level: levels[next] ?? '' });
  }
  const amount = (value: number): string => amountOf(scale.unit, figure(value, telling), telling);
  return fill(texts.betterAmount, { target: amount(scale.at100), now: amount(Number(scored.answer)) });
}

function tellIndicator(scored: ScoredIndicator, telling: Telling): EsgIndicatorResult {
  const { indicator, isApplicable, answer, score, weight } = scored;
  const { title, question } = wordsOf(scored, telling);
  const answered = answer === null ? 'missing' : 'answered';
  return {
    id: indicator.id,
    pillar: indicator.pillar,
    topic: indicator.topic,
    title,
    question,
    status: isApplicable ? answered : 'not_applicable',
    answer,
    answerText: answer === null ? null : sayAnswer(scored, answer, telling),
    unit: indicator.answer.kind === 'amount' ? indicator.answer.unit : null,
    score,
    weight: toTenThousandth(weight),
    codes: indicator.codes,
    sources: [...indicator.sources],
  };
}

function summarise(assessment: Assessment, telling: Telling): string {
  const { wording, words, grid } = telling;
  const { esg: texts } = wording;
  const { score, grade } = assessment;
  if (assessment.coverage === 0) return texts.nothing;
  const pillars = assessment.pillars.map((pillar) =>
    fill(texts.pillar, {
      title: words.pillars[pillar.pillar] ?? pillar.pillar,
      score: pillar.score === null ? null : figure(pillar.score, telling),
      coverage: percent(pillar.coverage, telling),
    }),
  );
  return fill(score === null ? texts.notScored : texts.scored, {
    score: score === null ? null : figure(score, telling),
    grade: grade ?? '',
    coverage: percent(assessment.coverage, telling),
    needed: percent(grid.minimumCoverage, telling),
    pillars: pillars.join(texts.comma),
  });
}

function notesOf(assessment: Assessment, telling: Telling): EsgScore['notes'] {
  const { words, wording, grid, basis } = telling;
  const note = (code: keyof Wording['esg']['notes'], values: Values = {}) => ({
    code,
    text: fill(wording.esg.notes[code], values),
  });
  const { sector } = assessment;
  const setAside = assessment.indicators.filter(({ isApplicable }) => !isApplicable);
  const titles = setAside.map((scored) => wordsOf(scored, telling).title).join(' · ');
  return [
    note('design_choice'),
    note('self_declared'),
    ...(assessment.score === null
      ? [note('minimum_coverage', { needed: percent(grid.minimumCoverage, telling) })]
      : []),
    ...(sector ? [] : [note('sector_unknown', { sectors: Object.values(words.sectors).join(' · ') })]),
    ...(sector && basis === 'profile'
      ? [note('sector_from_profile', { sector: words.sectors[sector.id] ?? sector.id })]
      : []),
    ...(setAside.length > 0 ? [note('not_applicable', { titles })] : []),
  ];
}

function tellParts(assessment: Assessment, { words }: Telling): Pick<EsgScore, 'pillars' | 'topics'> {
  const part = (each: PartialScore) => ({
    weight: toTenThousandth(each.weight),
    score: each.score,
    coverage: each.coverage,
  });
  return {
    pillars: assessment.pillars.map((each) => ({
      id: each.pillar,
      title: words.pillars[each.pillar] ?? each.pillar,
      ...part(each),
    })),
    topics: assessment.topics.map((each) => ({
      pillar: each.pillar,
      id: each.topic,
      title: words.topics[each.topic] ?? each.topic,
      ...part(each),
    })),
  };
}

type Lists = Pick<EsgScore, 'strengths' | 'weaknesses' | 'nextQuestions'>;

function tellLists(assessment: Assessment, telling: Telling): Lists {
  return {
    strengths: assessment.strengths.map(({ indicator }) => ({ indicator: indicator.id })),
    weaknesses: assessment.weaknesses.map((each) => ({
      indicator: each.indicator.id,
      potential: potentialOf(each),
      nextAction: sayNextAction(each, telling),
    })),
    nextQuestions: assessment.missing.map((each) => ({
      indicator: each.indicator.id,
      question: wordsOf(each, telling).question,
      expected: sayExpected(each, telling),
    })),
  };
}

export function sayScore({ score, grade, coverage, language }: EsgScore): string {
  const { esg: texts, speech } = wordingOf(language);
  return fill(texts.inShort, {
    score: score === null ? null : speech.tenths(score),
    grade,
    coverage: fill(texts.amounts.percent, { amount: floored(coverage) }),
  });
}

export function tellAssessment(assessment: Assessment, telling: Telling): EsgScore {
  const { grid, words, wording, basis } = telling;
  const { sector, score, grade, coverage } = assessment;
  return {
    kind: 'esg_score',
    dataVersion: grid.version,
    language: wording.language,
    summary: summarise(assessment, telling),
    sector: { id: sector?.id ?? null, title: words.sectors[sector?.id ?? ''] ?? null, basis },
    score,
    grade,
    coverage,
    minimumCoverage: grid.minimumCoverage,
    ...tellParts(assessment, telling),
    indicators: assessment.indicators.map((each) => tellIndicator(each, telling)),
    ...tellLists(assessment, telling),
    notes: notesOf(assessment, telling),
    sources: [...grid.sources],
  };
}

/** The most items of a list that a model gets: as many as a person takes in at once. */
const mostShown = 5;

function codesInShort({ codes }: EsgIndicatorResult): string {
  const disclosures = new Set(codes.vsme.map(({ code }) => code));
  return codesByFramework(codes, [...disclosures]).join('; ');
}

/**
 * The same for a model: most important first, lists shortened. All open questions of the pillar `questions` are kept.
 */
export function shortenScore(full: EsgScore, questions: EsgIndicatorResult['pillar'] | null): JsonObject {
  const byId = new Map(full.indicators.map((each) => [each.id, each]));
  const shown = (id: string): JsonObject => {
    const each = byId.get(id);
    return each ? { id, title: each.title, score: each.score, codes: codesInShort(each) } : { id };
  };
  const parts = (list: readonly { score: number | null; coverage: number }[], keys: readonly string[]) =>
    Object.fromEntries(list.map(({ score, coverage }, index) => [keys[index] ?? '', { score, coverage }]));
  const wanted =
    questions === null
      ? full.nextQuestions.slice(0, mostShown)
      : full.nextQuestions.filter(({ indicator }) => byId.get(indicator)?.pillar === questions);
  const begun = full.topics.filter(({ score }) => score !== null);
  return {
    summary: full.summary,
    score: full.score,
    grade: full.grade,
    coverage: full.coverage,
    sector: full.sector.id,
    pillars: parts(
      full.pillars,
      full.pillars.map(({ id }) => id),
    ),
    topics: Object.fromEntries(begun.map(({ pillar, id, score }) => [`${pillar} ${id}`, score])),
    nextQuestions: wanted.map(({ indicator, question, expected }) => ({ id: indicator, question, expected })),
    notAnswered: full.nextQuestions.length,
    strengths: full.strengths.slice(0, mostShown).map(({ indicator }) => shown(indicator)),
    weaknesses: full.weaknesses
      .slice(0, mostShown)
      .map(({ indicator, nextAction }) => ({ ...shown(indicator), nextAction })),
    notes: full.notes.map(({ text }) => text),
    dataVersion: full.dataVersion,
  };
}
