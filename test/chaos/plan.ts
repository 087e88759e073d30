import fc from 'fast-check';

export interface Options {
  turns: number;
  replicas: number;
  seed: number;
  /** How long replicas are killed, stopped and cut off. */
  troubleSeconds: number;
  limitSeconds: number;
}

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
  moods: fc.array(mood, { minLength: 12, maxLength: 12 }),
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

const trouble = fc.record({
  kind: fc.constantFrom('kill', 'kill', 'cut', 'cut', 'stop'),
  replica: whichever,
  afterMs: fc.integer({ min: 100, max: 2_000 }),
  downMs: fc.nat({ max: 2_000 }),
});

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

export type Mood = Of<typeof mood>;
export type TurnPlan = Of<typeof turn>;
export type Trouble = Of<typeof trouble>;

export interface Plan {
  turns: TurnPlan[];
  /** One after the other, again and again. */
  troubles: Trouble[];
}

export const planOf = ({ turns, seed }: Options): Plan => ({
  turns: fc.sample(turn, { seed, numRuns: turns }),
  troubles: fc.sample(trouble, { seed, numRuns: 100 }),
});
