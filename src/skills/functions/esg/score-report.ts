import {
  type Answer,
  type Assessment,
  type PartialScore,
  potentialOf,
  type ScoredIndicator,
  weaknessBelow,
} from './assessment.js';
import type { EsgIndicatorResult, EsgScore } from './esg-score.js';
import type { Grid } from './grid.js';
import type { CriteriaWords, IndicatorWords } from './wording/criteria-words.js';
import type { EsgWording, NoteCode, NoteFacts } from './wording/wording.js';

/** What an assessment is told with. */
export interface Telling {
  grid: Grid;
  words: CriteriaWords;
  wording: EsgWording;
  /** Who named the sector. */
  basis: EsgScore['sector']['basis'];
}

const noWords: IndicatorWords = { title: '', question: '', levels: [], action: null };
const wordsOf = ({ indicator }: ScoredIndicator, { words }: Telling): IndicatorWords =>
  words.indicators.get(indicator.id) ?? noWords;

const figure = (value: number, { wording }: Telling): string =>
  new Intl.NumberFormat(wording.language, { maximumFractionDigits: 1 }).format(value);

/** Rounded down: 59.9 % is not the 60 % that it takes. */
const percent = (share: number, { wording }: Telling): string =>
  wording.amounts.percent(String(Math.floor(Math.round(share * 1000) / 10)));

const toTenThousandth = (share: number): number => Math.round(share * 10_000) / 10_000;

const sayAnswer = (scored: ScoredIndicator, answer: Answer, telling: Telling): string => {
  const { wording } = telling;
  const scale = scored.indicator.answer;
  switch (scale.kind) {
    case 'yes_no':
      return answer === true ? wording.yes : wording.no;
    case 'level':
      return wordsOf(scored, telling).levels[Number(answer)] ?? '';
    case 'amount':
      return wording.amounts[scale.unit](figure(Number(answer), telling));
  }
};

const sayExpected = (scored: ScoredIndicator, telling: Telling): string => {
  const { wording } = telling;
  const scale = scored.indicator.answer;
  switch (scale.kind) {
    case 'yes_no':
      return wording.expectedYesNo;
    case 'level':
      return wording.expectedLevels(wordsOf(scored, telling).levels);
    case 'amount':
      return wording.expectedAmounts[scale.unit];
  }
};

/** What to do about a weak answer: its own action, the first level that is weak no more, or the amount that is enough. */
const sayNextAction = (scored: ScoredIndicator, telling: Telling): string => {
  const { levels, action } = wordsOf(scored, telling);
  const { wording } = telling;
  const { answer: scale } = scored.indicator;
  if (action !== null || scale.kind === 'yes_no') return action ?? '';
  if (scale.kind === 'level') {
    return wording.betterLevel(levels[scale.points.findIndex((points) => points >= weaknessBelow)] ?? '');
  }
  const amount = wording.amounts[scale.unit];
  return wording.betterAmount(
    amount(figure(scale.at100, telling)),
    amount(figure(Number(scored.answer), telling)),
  );
};

const tellIndicator = (scored: ScoredIndicator, telling: Telling): EsgIndicatorResult => {
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
};

const summarise = (assessment: Assessment, telling: Telling): string => {
  const { wording, words, grid } = telling;
  const { score, grade, coverage } = assessment;
  if (coverage === 0) return wording.nothing;
  const pillars = assessment.pillars.map((pillar) => ({
    title: words.pillars.get(pillar.pillar) ?? pillar.pillar,
    score: pillar.score === null ? null : figure(pillar.score, telling),
    coverage: percent(pillar.coverage, telling),
  }));
  return score === null
    ? wording.notScored({
        coverage: percent(coverage, telling),
        needed: percent(grid.minimumCoverage, telling),
        pillars,
      })
    : wording.scored({
        score: figure(score, telling),
        grade: grade ?? '',
        coverage: percent(coverage, telling),
        pillars,
      });
};

const sectorNote = ({ sector }: Assessment, { words, wording, basis }: Telling): EsgScore['notes'] => {
  if (!sector) {
    const code = 'sector_unknown';
    return [{ code, text: wording.notes[code]({ sectors: [...words.sectors.values()].join(' · ') }) }];
  }
  const code = 'sector_from_profile';
  const title = words.sectors.get(sector.id) ?? sector.id;
  return basis === 'profile' ? [{ code, text: wording.notes[code]({ sector: title }) }] : [];
};

const notesOf = (assessment: Assessment, telling: Telling): EsgScore['notes'] => {
  const note = <Code extends NoteCode>(code: Code, facts: NoteFacts[Code]) => ({
    code,
    text: telling.wording.notes[code](facts),
  });
  const setAside = assessment.indicators.filter(({ isApplicable }) => !isApplicable);
  const titles = setAside.map((scored) => wordsOf(scored, telling).title).join(' · ');
  const needed = percent(telling.grid.minimumCoverage, telling);
  return [
    note('design_choice', {}),
    note('self_declared', {}),
    ...(assessment.score === null ? [note('minimum_coverage', { needed })] : []),
    ...sectorNote(assessment, telling),
    ...(setAside.length > 0 ? [note('not_applicable', { titles })] : []),
  ];
};

const tellParts = (assessment: Assessment, { words }: Telling): Pick<EsgScore, 'pillars' | 'topics'> => {
  const part = (each: PartialScore) => ({
    weight: toTenThousandth(each.weight),
    score: each.score,
    coverage: each.coverage,
  });
  return {
    pillars: assessment.pillars.map((each) => ({
      id: each.pillar,
      title: words.pillars.get(each.pillar) ?? each.pillar,
      ...part(each),
    })),
    topics: assessment.topics.map((each) => ({
      pillar: each.pillar,
      id: each.topic,
      title: words.topics.get(each.topic) ?? each.topic,
      ...part(each),
    })),
  };
};

type Lists = Pick<EsgScore, 'strengths' | 'weaknesses' | 'nextQuestions'>;

const tellLists = (assessment: Assessment, telling: Telling): Lists => ({
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
});

/** The assessment in full, in the language of `telling`. */
export const tellAssessment = (assessment: Assessment, telling: Telling): EsgScore => {
  const { grid, words, wording, basis } = telling;
  const { sector, score, grade, coverage } = assessment;
  return {
    kind: 'esg_score',
    dataVersion: grid.version,
    language: wording.language,
    summary: summarise(assessment, telling),
    sector: { id: sector?.id ?? null, title: words.sectors.get(sector?.id ?? '') ?? null, basis },
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
};
