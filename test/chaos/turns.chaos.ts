import { inject } from 'vitest';

import { hasOwnPostgres } from '../harness/own-postgres.js';
import { checkEvents, checkTold } from '../harness/laws.js';
import { persistently } from '../harness/persistence.js';
import { type Asked, Asker } from './asker.js';
import { Installation } from './installation.js';
import { MoodyModel } from './moody-model.js';
import { answerTo, type Options, type Plan, planOf, toBeAnswered, type TroubleKind } from './plan.js';
import { Progress } from './progress.js';
import { isAnswered, type Outcome, report } from './report.js';

declare module 'vitest' {
  interface ProvidedContext {
    chaos: Options;
  }
}

const CHAOS = inject('chaos');

/** The part of all turns that may end because they lost too many owners. */
const MOST_LOST = 0.05;
/** The limit for few turns, because one kill hits all turns that a process is answering. */
const LEAST_LOST = 5;

/** People who ask at the same time. */
const ASKERS_AT_ONCE = 12;

function say(words: string): void {
  return void process.stdout.write(words);
}

it(
  'answers what was asked, loses no turn and no event, and does nothing twice that must not be',
  async () => {
    const plan = planOf(CHAOS, { restarts: hasOwnPostgres });
    say(`Chaos: seed ${CHAOS.seed}, ${CHAOS.turns} turns, ${CHAOS.replicas} replicas.\n`);
    const model = new MoodyModel();
    await using installation = await Installation.start(CHAOS, model);
    const outcome = await run(installation, model, plan);
    say(report(outcome));
    checkTroubles(outcome);
    // First, for it tells of what went wrong where nothing was seen.
    await checkTurns(outcome);
    checkAnswers(outcome);
    checkOneAtATime(outcome);
    await checkDatabase(outcome);
    checkSkills(outcome);
  },
  (CHAOS.limitSeconds + 300) * 1000,
);

async function run(installation: Installation, model: MoodyModel, plan: Plan): Promise<Outcome> {
  const progress = new Progress();
  const askers: Asker[] = [];
  const next = plan.lines.entries();
  const serve = async (): Promise<Asked[]> => {
    const asked: Asked[] = [];
    for (const [index, line] of next) {
      const clients = await Promise.all(
        installation.replicas.map((replica) => replica.client(`asker-${index}`)),
      );
      const asker = new Asker(clients, model, progress.advance);
      askers.push(asker);
      asked.push(...(await asker.ask(line)));
    }
    return asked;
  };
  const suffering = installation.suffer(plan.troubles, progress);
  const asking = Promise.all(Array.from({ length: ASKERS_AT_ONCE }, serve));
  let asked: Asked[];
  try {
    const [heard] = await withinLimit(installation, Promise.all([asking, suffering]));
    asked = heard.flat();
  } finally {
    installation.rest();
    progress.abandon();
    await suffering.catch(() => undefined);
  }
  const { witness } = installation;
  const runs = { sendOnce: await witness.runs('send_once'), lookUp: await witness.runs('look_up') };
  const refused = askers.reduce((total, asker) => total + asker.refused, 0);
  return { options: CHAOS, plan, installation, model, asked, refused, runs };
}

/** Rejects with the turns that have not ended when the time is over. */
async function withinLimit<T>(installation: Installation, asking: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const tell = async (): Promise<never> => {
    const unfinished = await installation.query(
      `SELECT id, status, attempt, lost_leases, last_sequence, (lease_until - now())::text AS lease_left,
         (now() - started_at)::text AS running_for, idle_seconds FROM turn WHERE finished_at IS NULL ORDER BY id`,
    );
    const { happened } = installation;
    throw new Error(
      `After ${CHAOS.limitSeconds} s not all is over:\n${JSON.stringify({ happened, unfinished }, null, 1)}`,
    );
  };
  const timer = setTimeout(() => void tell().catch(late.reject), CHAOS.limitSeconds * 1000);
  try {
    return await Promise.race([asking, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whatever was planned to befall the installation did. */
function checkTroubles({ plan, installation }: Outcome): void {
  const planned: Record<TroubleKind, number> = { kill: 0, stop: 0, cut: 0, pause: 0, restart: 0 };
  for (const { kind } of plan.troubles) planned[kind] += 1;
  expect(installation.happened).toEqual(planned);
}

/** Who was answered was told exactly the model's words; and so was everybody whom only troubles could keep from it. */
function checkAnswers({ plan, asked }: Outcome): void {
  const due = new Set(plan.lines.flatMap(toBeAnswered));
  for (const { sight, plan: turn } of asked) {
    if (sight.told?.finishReason === 'ANSWERED') expect(sight.told.answer?.text).toBe(answerTo(turn));
  }
  const unanswered = asked.filter((one) => due.has(one.plan) && !isAnswered(one));
  for (const { plan: turn } of asked) due.delete(turn);
  // None was never asked, or refused.
  expect(due.size).toBe(0);
  // One that has cost several owners their lives is not tried again; it has to be the exception.
  for (const { sight } of unanswered) {
    expect(sight.told).toMatchObject({ status: 'FAILED', error: { code: 'LEASE_LOST' } });
  }
  expect(unanswered.length).toBeLessThanOrEqual(Math.max(asked.length * MOST_LOST, LEAST_LOST));
}

/** Everybody saw a lawful stream, equal to what is stored, and to what a replay shows. */
async function checkTurns({ asked }: Outcome): Promise<void> {
  for (const { turnId, sight, choice } of asked) {
    checkEvents(turnId, sight);
    checkTold(turnId, sight);
    const replay = await persistently(choice, (client) => client.allEvents(turnId));
    expect(replay).toEqual(sight.events);
  }
}

/** Of a conversation's turns one is answered after the other, in the order of asking. */
function checkOneAtATime({ asked }: Outcome): void {
  for (const turns of Map.groupBy(asked, ({ conversationId }) => conversationId).values()) {
    let freeSince = '';
    for (const { sight } of turns.toSorted((one, other) => (one.turnId < other.turnId ? -1 : 1))) {
      const begun = sight.events.find(({ status }) => status === 'RUNNING');
      // One that was ended while it waited was never begun, and ended when it was its time to.
      if (!begun) continue;
      expect(begun.at >= freeSince).toBe(true);
      freeSince = sight.events.at(-1)?.at ?? '';
    }
  }
}

/** Each question that was taken is one turn, has ended, and has left nothing behind. */
async function checkDatabase({ installation, asked }: Outcome): Promise<void> {
  const turns = await installation.query<{ id: string; status: string }>('SELECT id, status FROM turn');
  expect(turns.map(({ id }) => id).toSorted()).toEqual(asked.map(({ turnId }) => turnId).toSorted());
  const open = turns.filter(({ status }) => !['COMPLETED', 'FAILED', 'CANCELLED'].includes(status));
  expect(open).toEqual([]);
  expect(await installation.query("SELECT id FROM skill_call WHERE status = 'RUNNING'")).toEqual([]);
}

/** Nothing was done twice that must not be, and what is told to have succeeded was done. */
function checkSkills({ asked, runs: { sendOnce, lookUp } }: Outcome): void {
  expect([...sendOnce].filter(([, times]) => times > 1)).toEqual([]);
  for (const { sight } of asked) {
    for (const { callStatus, skill, callId } of sight.events) {
      if (callStatus !== 'SUCCEEDED') continue;
      const runs = skill === 'send_once' ? sendOnce : lookUp;
      expect(runs.has(String(callId))).toBe(true);
    }
  }
}
