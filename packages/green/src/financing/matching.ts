import type { FinancingData, Programme } from './financing-data.js';
import type { Criterion } from './financing-matches.js';
import { judge, type Wish } from './judge.js';
import type { Judgement, ReasonCode } from './reason.js';

/**
 * Points of a fulfilled criterion. A choice of this product: place and purpose decide, windows need checking anyway.
 */
const weights: Readonly<Record<Criterion, number>> = {
  place: 4,
  purpose: 4,
  sector: 2,
  amount: 2,
  instrument: 2,
  access: 2,
  window: 1,
};

/** Points where only a wider value than the requested one fits. */
const lesserWeights: Partial<Record<ReasonCode, number>> = { place_in_region: 3, purpose_included: 2 };

function pointsFor({ criterion, verdict, reason }: Judgement): number {
  return verdict === 'fits' ? (lesserWeights[reason.code] ?? weights[criterion]) : 0;
}

export interface Judged {
  programme: Programme;
  judgements: Judgement[];
  points: number;
}

/** Every programme in exactly one list, the best first. */
export interface Matching {
  matches: Judged[];
  /** One criterion is failed. Those that another question could fix come first. */
  near: Judged[];
  others: Judged[];
  /** The criterion whose removal would find the most programmes. Empty where something was found. */
  widening: { criterion: Criterion; count: number }[];
}

function obstaclesOf({ judgements }: Judged): Criterion[] {
  return judgements.filter(({ verdict }) => verdict === 'does_not_fit').map(({ criterion }) => criterion);
}

/** The only failed criterion. */
export function obstacleOf(judged: Judged): Criterion | null {
  const obstacles = obstaclesOf(judged);
  return obstacles.length === 1 ? (obstacles[0] ?? null) : null;
}

export function judgeProgramme(programme: Programme, wish: Wish): Judged {
  const judgements = judge(programme, wish);
  const points = judgements.reduce((sum, judgement) => sum + pointsFor(judgement), 0);
  return { programme, judgements, points };
}

/** How far a company is from applying: 0 by itself, 1 through a bank or an intermediary, 2 only with others. */
function distanceOf({ programme, judgements }: Judged): number {
  const access = judgements.find(({ criterion }) => criterion === 'access')?.reason.code;
  if (access === 'access_through_others' || access === 'access_not_for_companies') return 2;
  return programme.smeAccess === 'direct' ? 0 : 1;
}

/** Whether a company applies by itself. */
export function isDirect(judged: Judged): boolean {
  return distanceOf(judged) === 0;
}

/** Direct application first, then points, then newer information, then the id, so that the order is total. */
function byRank(one: Judged, other: Judged): number {
  const year = ({ programme }: Judged) => programme.asOfYear ?? 0;
  return (
    distanceOf(one) - distanceOf(other) ||
    other.points - one.points ||
    year(other) - year(one) ||
    (one.programme.id < other.programme.id ? -1 : 1)
  );
}

/** A question can be changed. A company cannot move, change its kind, or open a window. */
function canBeAskedOtherwise(criterion: Criterion | null): boolean {
  return criterion !== 'place' && criterion !== 'access' && criterion !== 'window';
}

function wideningOf(near: readonly Judged[]): Matching['widening'] {
  const groups = Map.groupBy(near, obstacleOf);
  return [...groups]
    .flatMap(([criterion, group]) =>
      criterion === null || criterion === 'access' || criterion === 'window'
        ? []
        : [{ criterion, count: group.length }],
    )
    .toSorted(
      (one, other) =>
        Number(canBeAskedOtherwise(other.criterion)) - Number(canBeAskedOtherwise(one.criterion)) ||
        other.count - one.count,
    );
}

/** Judges every programme of the data. Pure; the order of the data does not matter. */
export function matchProgrammes(wish: Wish, data: Pick<FinancingData, 'programmes'>): Matching {
  const judged = data.programmes.map((programme) => judgeProgramme(programme, wish)).toSorted(byRank);
  const withObstacles = (from: number, to: number) =>
    judged.filter((each) => {
      const { length } = obstaclesOf(each);
      return length >= from && length <= to;
    });
  const matches = withObstacles(0, 0);
  // Programmes that another question would find come first. The order is otherwise kept.
  const { true: mendable = [], false: fixed = [] } = Object.groupBy(withObstacles(1, 1), (each) =>
    canBeAskedOtherwise(obstacleOf(each)) ? 'true' : 'false',
  );
  const near = [...mendable, ...fixed];
  return {
    matches,
    near,
    others: withObstacles(2, Number.POSITIVE_INFINITY),
    widening: matches.length > 0 ? [] : wideningOf(near),
  };
}
