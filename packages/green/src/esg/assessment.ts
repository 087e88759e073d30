import { type AnswerScale, type Grid, type Indicator, type PillarId, type Sector, sum } from './grid.js';

/** A level, an amount, or yes and no. */
export type Answer = number | boolean;

export interface Answers {
  /** By indicator id; each fits its indicator's scale. */
  answers: ReadonlyMap<string, Answer>;
  /** Ids of indicators that do not apply to the company. */
  notApplicable: ReadonlySet<string>;
  sector: Sector | null;
}

/** A score of the answered part, 0 to 100 with one decimal. Null: nothing is answered. `coverage`: 0 to 1. */
export interface PartialScore {
  score: number | null;
  coverage: number;
  /** Share of the overall score. */
  weight: number;
}

export interface ScoredIndicator {
  indicator: Indicator;
  isApplicable: boolean;
  answer: Answer | null;
  score: number | null;
  /** Share of the overall score, sector applied; 0 when it does not apply. */
  weight: number;
}

export interface Assessment {
  sector: Sector | null;
  /** In the order of the criteria. */
  indicators: readonly ScoredIndicator[];
  topics: readonly (PartialScore & { pillar: PillarId; topic: string })[];
  pillars: readonly (PartialScore & { pillar: PillarId })[];
  /** Null while a pillar's coverage is below the minimum. */
  score: number | null;
  grade: string | null;
  coverage: number;
  /** The heaviest first. */
  missing: readonly ScoredIndicator[];
  /** The highest contributions first. */
  strengths: readonly ScoredIndicator[];
  /** The highest potential first. */
  weaknesses: readonly ScoredIndicator[];
}

const minimumStrength = 75;
export const weaknessBelow = 50;

/** Rounds halves up, even where floating point is slightly below. */
function round(value: number, steps: number): number {
  return Math.round(value * steps + 1e-7) / steps;
}
function toTenth(score: number): number {
  return round(Math.min(100, Math.max(0, score)), 10);
}
/** The points of one answer. An answer of the wrong kind has none. */
export function pointsOf(answer: Answer, scale: AnswerScale): number {
  switch (scale.kind) {
    case 'yes_no':
      return answer === true ? scale.yes : scale.no;
    case 'level':
      return scale.points[Number(answer)] ?? 0;
    case 'amount':
      return toTenth(((Number(answer) - scale.at0) / (scale.at100 - scale.at0)) * 100);
  }
}

/** The weighted mean of the answered part, and the share of the weight that it covers. */
function partialScore(indicators: readonly ScoredIndicator[]): PartialScore {
  const answered = indicators.filter(({ score }) => score !== null);
  const weight = sum(indicators.map((each) => each.weight));
  const known = sum(answered.map((each) => each.weight));
  return {
    score: known > 0 ? toTenth(sum(answered.map((each) => each.weight * (each.score ?? 0))) / known) : null,
    coverage: weight > 0 ? round(known / weight, 1000) : 0,
    weight,
  };
}

/** The indicators of one pillar. Others take over the weight of those that do not apply. */
function scorePillar(
  grid: Grid,
  pillar: Grid['pillars'][number],
  { answers, notApplicable, sector }: Answers,
): ScoredIndicator[] {
  const own = [...grid.indicators.values()].filter((indicator) => indicator.pillar === pillar.id);
  const weighed = own.map((indicator) => {
    const isApplicable = !notApplicable.has(indicator.id);
    const weight = isApplicable ? indicator.weight * (sector?.multipliers[indicator.topic] ?? 1) : 0;
    return { indicator, isApplicable, weight };
  });
  const whole = sum(weighed.map(({ weight }) => weight));
  return weighed.map(({ indicator, isApplicable, weight }) => {
    const answer = isApplicable ? (answers.get(indicator.id) ?? null) : null;
    return {
      indicator,
      isApplicable,
      answer,
      score: answer === null ? null : pointsOf(answer, indicator.answer),
      weight: whole > 0 ? (weight / whole) * pillar.weight : 0,
    };
  });
}

function scoreTopics(grid: Grid, indicators: readonly ScoredIndicator[]): Assessment['topics'] {
  return grid.pillars.flatMap(({ id: pillar }) =>
    grid.topics.flatMap((topic) => {
      const own = indicators.filter(
        (each) => each.indicator.pillar === pillar && each.indicator.topic === topic,
      );
      return own.length > 0 ? [{ pillar, topic, ...partialScore(own) }] : [];
    }),
  );
}

/** Sorted by `valueOf`, highest first. Ties keep the order of the criteria. */
function mostFirst(
  indicators: readonly ScoredIndicator[],
  valueOf: (indicator: ScoredIndicator) => number,
): ScoredIndicator[] {
  return indicators.toSorted((one, other) => valueOf(other) - valueOf(one));
}

/** Points that a full answer would add to the overall score. */
export function potentialOf({ score, weight }: ScoredIndicator): number {
  return score === null ? 0 : toTenth(weight * (100 - score));
}

/**
 * Scores the answered part. Unanswered indicators are left out, not counted as 0. An overall score needs the minimum
 * coverage in every pillar: a well-known pillar must not stand in for an unknown one.
 */
export function assess(grid: Grid, given: Answers): Assessment {
  const byPillar = grid.pillars.map((pillar) => ({ pillar, scored: scorePillar(grid, pillar, given) }));
  const indicators = byPillar.flatMap(({ scored }) => scored);
  const pillars = byPillar.map(({ pillar, scored }) => ({
    pillar: pillar.id,
    ...partialScore(scored),
    weight: pillar.weight,
  }));
  const isEnough = pillars.every(({ coverage }) => coverage >= grid.minimumCoverage);
  const score = isEnough ? toTenth(sum(pillars.map((pillar) => pillar.weight * (pillar.score ?? 0)))) : null;
  const answered = indicators.filter((each) => each.score !== null);
  return {
    sector: given.sector,
    indicators,
    topics: scoreTopics(grid, indicators),
    pillars,
    score,
    grade: score === null ? null : (grid.grades.find(({ min }) => score >= min)?.grade ?? null),
    coverage: partialScore(indicators).coverage,
    missing: mostFirst(
      indicators.filter((each) => each.isApplicable && each.answer === null),
      ({ weight }) => weight,
    ),
    strengths: mostFirst(
      answered.filter((each) => (each.score ?? 0) >= minimumStrength),
      (each) => each.weight * (each.score ?? 0),
    ),
    weaknesses: mostFirst(
      answered.filter((each) => (each.score ?? 0) < weaknessBelow),
      (each) => each.weight * (100 - (each.score ?? 0)),
    ),
  };
}
