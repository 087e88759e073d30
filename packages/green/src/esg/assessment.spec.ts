import fc from 'fast-check';

import { type Answer, type Answers, assess, pointsOf } from './assessment.js';
import { loadGrid, type Indicator, units } from './grid.js';

const grid = loadGrid();
const indicators = [...grid.indicators.values()];
function heaviest(count: number, list: readonly Indicator[] = indicators) {
  return list
    .map(({ id, pillar, weight }) => ({
      id,
      share: weight * grid.pillars.find((each) => each.id === pillar)!.weight,
    }))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, count)
    .map(({ id }) => id);
}

function given(answers: Record<string, Answer>, more: Partial<Answers> = {}): Answers {
  return {
    answers: new Map(Object.entries(answers)),
    notApplicable: new Set(),
    sector: null,
    ...more,
  };
}
function score(answers: Record<string, Answer>, more?: Partial<Answers>) {
  return assess(grid, given(answers, more));
}
function pillarOf(assessment: ReturnType<typeof assess>, id: string) {
  return assessment.pillars.find(({ pillar }) => pillar === id)!;
}

function bestOf({ answer }: Indicator): Answer {
  if (answer.kind === 'yes_no') return answer.yes === 100;
  return answer.kind === 'level' ? answer.points.length - 1 : answer.at100;
}
function worstOf({ answer }: Indicator): Answer {
  if (answer.kind === 'yes_no') return answer.yes !== 100;
  return answer.kind === 'level' ? 0 : answer.at0;
}
function every(answerOf: (indicator: Indicator) => Answer) {
  return Object.fromEntries(indicators.map((indicator) => [indicator.id, answerOf(indicator)]));
}

function anyAnswerTo({ answer }: Indicator): fc.Arbitrary<Answer> {
  if (answer.kind === 'yes_no') return fc.boolean();
  if (answer.kind === 'level') return fc.nat(answer.points.length - 1);
  const { maximum, isWhole } = units[answer.unit];
  return isWhole ? fc.nat(maximum) : fc.double({ min: 0, max: maximum, noNaN: true });
}
const anyEntries = fc
  .subarray(indicators)
  .chain((chosen) => fc.tuple(...chosen.map((each) => fc.tuple(fc.constant(each.id), anyAnswerTo(each)))));
const anySector = fc.constantFrom(null, ...grid.sectors.values());
const anyAside = fc
  .subarray(indicators.filter((each) => each.maybeNotApplicable).map(({ id }) => id))
  .map((ids) => new Set(ids));
const anyGiven: fc.Arbitrary<Answers> = fc
  .tuple(anyEntries, anySector, anyAside)
  .map(([entries, sector, notApplicable]) => ({ answers: new Map(entries), sector, notApplicable }));

describe('pointsOf', () => {
  const points = (id: string, answer: Answer) => pointsOf(answer, grid.indicators.get(id)!.answer);

  it.each<[string, Answer, number]>([
    ['S02', true, 100],
    ['S02', false, 0],
    ['G04', true, 0],
    ['G04', false, 100],
    ['E01', 3, 75],
    ['E02', 30, 50], // of 60 %
    ['E02', 90, 100],
    ['S04', 0, 100],
    ['S04', 2, 0],
    ['S06', 4, 25], // of 16 hours
    ['S09', 12, 60], // 30 % is 0, 0 % is 100
    ['S12', 5, 100],
    ['S12', 27.5, 50], // halfway from 50 % to 5 %
  ])('gives %s, answered %s, %s points', (id, answer, expected) => {
    expect(points(id, answer)).toBe(expected);
  });
});

describe('assess', () => {
  it('weighs what is answered within its pillar, and leaves out the rest', () => {
    const result = score({ E01: 4, E03: 1, S02: true });
    // (10 × 100 + 12 × 33) ÷ 22
    expect(pillarOf(result, 'E')).toEqual({ pillar: 'E', score: 63.5, coverage: 0.22, weight: 0.35 });
    expect(pillarOf(result, 'S')).toMatchObject({ score: 100, coverage: 0.09 });
    expect(pillarOf(result, 'G')).toMatchObject({ score: null, coverage: 0 });
    // 0.35 × 0.22 + 0.35 × 0.09
    expect(result).toMatchObject({ score: null, grade: null, coverage: 0.109 });
    expect(result.topics.find(({ topic }) => topic === 'energy-ghg')).toMatchObject({
      pillar: 'E',
      score: 63.5,
      coverage: 0.667, // 22 of 33
    });
  });

  it('applies the multipliers of the sector', () => {
    const agro = grid.sectors.get('agro')!;
    const result = score({ E01: 4, E08: 0 }, { sector: agro });
    // Energy 10 × 1, water 8 × 1.5: 1,000 ÷ 22
    expect(pillarOf(result, 'E').score).toBe(45.5);
    // The pillar: 33 energy, 16 × 1.4 climate, 9 pollution, 15 × 1.5 water, 21 × 1.1 waste, 6 × 1.5 biodiversity = 119
    expect(pillarOf(result, 'E').coverage).toBe(0.185);
  });

  it('leaves out what does not apply, and gives its weight to the others', () => {
    const result = score({ E01: 4 }, { notApplicable: new Set(['E09']) });
    expect(pillarOf(result, 'E').coverage).toBe(0.108); // 10 of 93
    expect(result.missing.map(({ indicator }) => indicator.id)).not.toContain('E09');
    expect(result.indicators.find(({ indicator }) => indicator.id === 'E09')).toMatchObject({
      isApplicable: false,
      weight: 0,
      score: null,
    });
  });

  it('gives everything to the best and nothing to the worst', () => {
    const [best, worst] = [score(every(bestOf)), score(every(worstOf))];
    expect(best).toMatchObject({ score: 100, grade: 'A', coverage: 1, missing: [], weaknesses: [] });
    expect(best.strengths).toHaveLength(38);
    expect(worst).toMatchObject({ score: 0, grade: 'E', coverage: 1, strengths: [] });
    // S01 and S10 are of the same pillar: 12 and 10 of 100. What brings most comes first.
    expect(worst.weaknesses.slice(0, 2).map(({ indicator }) => indicator.id)).toEqual(['E03', 'S01']);
  });

  it('gives an overall score from 60 % of each pillar on, and not for two full pillars', () => {
    const { E, S, G } = Object.groupBy(indicators, ({ pillar }) => pillar);
    const bests = (list: readonly Indicator[] = []) =>
      Object.fromEntries(list.map((each) => [each.id, bestOf(each)]));
    const enough = { ...bests(E), ...bests(S) };
    expect(score(enough)).toMatchObject({ score: null, coverage: 0.7 });
    // 12 + 12 + 12 + 11 + 10 = 57 of 100, then 61 with G10.
    const five = bests(G!.filter(({ id }) => ['G01', 'G03', 'G06', 'G07', 'G08'].includes(id)));
    expect(score({ ...enough, ...five }).score).toBeNull();
    expect(score({ ...enough, ...five, G10: false })).toMatchObject({ score: 100, grade: 'A' });
  });

  it('asks the heaviest questions first when nothing is known', () => {
    const result = score({});
    expect(result).toMatchObject({ score: null, coverage: 0, strengths: [], weaknesses: [] });
    expect(result.pillars.every((pillar) => pillar.score === null && pillar.coverage === 0)).toBe(true);
    expect(result.missing).toHaveLength(38);
    expect(result.missing.slice(0, 5).map(({ indicator }) => indicator.id)).toEqual(heaviest(5));
    expect(heaviest(5)).toEqual(['E03', 'S01', 'G01', 'G03', 'G06']);
  });
});

describe('whatever the answers', () => {
  it('keeps scores from 0 to 100 and coverage from 0 to 1', () => {
    fc.assert(
      fc.property(anyGiven, (answers) => {
        const result = assess(grid, answers);
        const parts = [result, ...result.pillars, ...result.topics];
        const scores = [...parts, ...result.indicators].map((part) => part.score ?? 0);
        const coverages = parts.map(({ coverage }) => coverage);
        expect(Math.min(...scores, ...coverages)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...scores)).toBeLessThanOrEqual(100);
        expect(Math.max(...coverages)).toBeLessThanOrEqual(1);
        expect(result.indicators.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('never lowers a pillar, nor what is covered, for one more best answer', () => {
    fc.assert(
      fc.property(anyGiven, fc.constantFrom(...indicators), (answers, indicator) => {
        fc.pre(!answers.notApplicable.has(indicator.id));
        const before = assess(grid, answers);
        const more = new Map([...answers.answers, [indicator.id, bestOf(indicator)]]);
        const after = assess(grid, { ...answers, answers: more });
        const [one, other] = [pillarOf(before, indicator.pillar), pillarOf(after, indicator.pillar)];
        expect(other.score ?? 0).toBeGreaterThanOrEqual(one.score ?? 0);
        expect(other.coverage).toBeGreaterThanOrEqual(one.coverage);
      }),
    );
  });

  it('does not depend on the order of the answers', () => {
    fc.assert(
      fc.property(anyGiven, (answers) => {
        const reversed = new Map([...answers.answers].toReversed());
        expect(assess(grid, { ...answers, answers: reversed })).toEqual(assess(grid, answers));
      }),
    );
  });

  it('has each indicator answered, missing or set aside, and an overall score only above the minimum', () => {
    fc.assert(
      fc.property(anyGiven, (answers) => {
        const result = assess(grid, answers);
        const answered = result.indicators.filter(({ answer }) => answer !== null);
        expect(answered.length + result.missing.length + answers.notApplicable.size).toBe(indicators.length);
        const least = Math.min(...result.pillars.map(({ coverage }) => coverage));
        expect(result.score === null).toBe(least < grid.minimumCoverage);
        expect(result.grade === null).toBe(result.score === null);
      }),
    );
  });
});
