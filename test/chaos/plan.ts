import fc from 'fast-check';

import { PROMPT_MS } from '../../src/platform/database/connection-failure.js';

export interface Options {
  turns: number;
  replicas: number;
  seed: number;
  limitSeconds: number;
}

/** Questions of one conversation. */
export const QUESTIONS_EACH = 5;

/** How a call of the model goes: one in ten does not go well. */
const mood = fc.oneof(
  { weight: 36, arbitrary: fc.constant('well' as const) },
  { weight: 4, arbitrary: fc.constantFrom('too-many', 'failing', 'cut', 'silent') },
);

const call = fc.record({
  skill: fc.constantFrom('send_once', 'look_up'),
  ms: fc.oneof(fc.constant(0), fc.nat({ max: 1_500 })),
});

/** Whichever replica: taken modulo how many there are. */
const whichever = fc.nat({ max: 99 });

const turn = fc.record({
  steps: fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  words: fc.integer({ min: 1, max: 120 }),
  wordMs: fc.nat({ max: 30 }),
  /** Of the first calls; all that come later go well, and so does each call after one that did not. */
  moods: fc.array(mood, { minLength: 8, maxLength: 8 }).map(withRests),
  whenBusy: fc.oneof(
    { weight: 10, arbitrary: fc.constant('ENQUEUE' as const) },
    { weight: 1, arbitrary: fc.constantFrom('INTERRUPT', 'REJECT') },
  ),
  /** Whether the next question of the conversation waits for this one's end. */
  isAwaited: fc.boolean(),
  leavesAfter: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
  /** Once so many events have been seen. */
  cancelAfter: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
  ),
  replicas: fc.array(whichever, { minLength: 7, maxLength: 7 }),
});

/** What befalls an installation, each once a round. */
const ROUND = ['kill', 'kill', 'cut', 'cut', 'stop', 'stop', 'pause', 'restart'] as const;

const TURNS_A_ROUND = 25;

/** The last turns are left in peace, so that every trouble befalls some. */
const TROUBLED_PART = 0.8;

const round = fc.shuffledSubarray([...ROUND], { minLength: ROUND.length }).chain((kinds) =>
  fc.tuple(
    ...kinds.map((kind) =>
      fc.record({
        kind: fc.constant(kind),
        replica: whichever,
        afterMs: fc.nat({ max: 1_500 }),
        downMs: fc.nat({ max: 2_000 }),
        /** Longer than a statement may take; sometimes longer than a lease. */
        silentMs: fc.integer({ min: PROMPT_MS + 1_000, max: PROMPT_MS + 8_000 }),
        /** Whether it befalls every replica's network at the same time. */
        isEverywhere: fc.boolean(),
        /** Whether the silence ends with what was held back getting through, or with its loss. */
        isLost: fc.boolean(),
      }),
    ),
  ),
);

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

export type Mood = Of<typeof mood>;
export type TurnPlan = Of<typeof turn>;
export type TroubleKind = (typeof ROUND)[number];
/** It comes once so many turns have ended, and after the one before it. */
export type Trouble = Of<typeof round>[number] & { onceEnded: number };

export interface Plan {
  /** Of one conversation each. */
  lines: TurnPlan[][];
  troubles: Trouble[];
}

/** `restarts`: whether the database can be restarted. */
export function planOf({ turns, seed }: Options, { restarts }: { restarts: boolean }): Plan {
  const plans = fc.sample(turn, { seed, numRuns: turns });
  const rounds = fc.sample(round, { seed, numRuns: Math.ceil(turns / TURNS_A_ROUND) });
  const troubles = rounds.flat().filter(({ kind }) => restarts || kind !== 'restart');
  return {
    lines: Array.from({ length: Math.ceil(turns / QUESTIONS_EACH) }, (_, index) =>
      plans.slice(index * QUESTIONS_EACH, (index + 1) * QUESTIONS_EACH),
    ),
    troubles: troubles.map((trouble, index) => ({
      ...trouble,
      onceEnded: Math.floor((turns * TROUBLED_PART * index) / troubles.length),
    })),
  };
}

/** The turns of a line that nothing in the plan ends early: they have to be answered. */
export function toBeAnswered(line: readonly TurnPlan[]): TurnPlan[] {
  return line.filter(({ cancelAfter, whenBusy, isAwaited }, index) => {
    const mayBeInterrupted = line.slice(index + 1).some((later) => later.whenBusy === 'INTERRUPT');
    return cancelAfter === null && whenBusy !== 'REJECT' && (isAwaited || !mayBeInterrupted);
  });
}

/** What the model says in a step of the turn, word by word; the last one is the answer. */
export function wordsOf({ steps, words }: TurnPlan, step: number): string[] {
  return Array.from({ length: steps[step] ? 3 : words }, (_, index) => `word-${step}-${index} `);
}

export function answerTo(plan: TurnPlan): string {
  return wordsOf(plan, plan.steps.length).join('');
}

/** A model that fails again and again gets no turn answered. */
function withRests(moods: readonly Mood[]): Mood[] {
  return moods.map((one, index) => (index > 0 && moods[index - 1] !== 'well' ? 'well' : one));
}
