import { checkEvents, checkTold } from '../harness/laws.js';
import { persistently } from '../harness/persistence.js';
import { type Asked, Asker } from './asker.js';
import { Installation } from './installation.js';
import { MoodyModel } from './moody-model.js';
import { type Options, planOf } from './plan.js';
import { type Outcome, report } from './report.js';

declare const CHAOS: Options;

/** Questions of one conversation. */
const QUESTIONS_EACH = 5;

/** People who ask at the same time. */
const ASKERS_AT_ONCE = 12;

const say = (words: string): void => void process.stdout.write(words);

it(
  'loses no turn, no event and no answer, and does nothing twice that must not be',
  async () => {
    say(`Chaos: seed ${CHAOS.seed}, ${CHAOS.turns} turns, ${CHAOS.replicas} replicas.\n`);
    const model = new MoodyModel();
    await using installation = await Installation.start(CHAOS, model);
    const outcome = await run(installation, model);
    say(report(outcome));
    await checkTurns(outcome);
    checkOneAtATime(outcome);
    await checkDatabase(outcome);
    checkSkills(outcome);
  },
  (CHAOS.limitSeconds + 120) * 1000,
);

const run = async (installation: Installation, model: MoodyModel): Promise<Outcome> => {
  const { turns, troubles } = planOf(CHAOS);
  let ended = 0;
  const restarts: Promise<void>[] = [];
  const onEnd = (): void => {
    ended += 1;
    const isThird = ended === Math.ceil(turns.length / 3) || ended === Math.ceil((2 * turns.length) / 3);
    if (isThird) restarts.push(installation.restartDatabase());
  };
  const askers: Asker[] = [];
  const lines = Array.from({ length: Math.ceil(turns.length / QUESTIONS_EACH) }, (_, index) =>
    turns.slice(index * QUESTIONS_EACH, (index + 1) * QUESTIONS_EACH),
  );
  const next = lines.entries();
  const serve = async (): Promise<Asked[]> => {
    const asked: Asked[] = [];
    for (const [index, plans] of next) {
      const clients = await Promise.all(
        installation.replicas.map((replica) => replica.client(`asker-${index}`)),
      );
      const asker = new Asker(clients, model, onEnd);
      askers.push(asker);
      asked.push(...(await asker.ask(plans)));
    }
    return asked;
  };
  const suffering = installation.suffer(troubles, CHAOS.troubleSeconds);
  const asking = Promise.all(Array.from({ length: ASKERS_AT_ONCE }, serve));
  let asked: Asked[];
  try {
    asked = (await withinLimit(installation, asking)).flat();
  } finally {
    installation.rest();
    await Promise.all([suffering, ...restarts]);
  }
  const { witness } = installation;
  const runs = { sendOnce: await witness.runs('send_once'), lookUp: await witness.runs('look_up') };
  const refused = askers.reduce((total, asker) => total + asker.refused, 0);
  return { options: CHAOS, installation, model, asked, refused, runs };
};

/** Rejects with the turns that have not ended when the time is over. */
const withinLimit = async <T>(installation: Installation, asking: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const tell = async (): Promise<never> => {
    const unfinished = await installation.query(
      `SELECT id, status, attempt, lost_leases, last_sequence, lease_until - now() AS lease_left FROM turn
       WHERE finished_at IS NULL ORDER BY id`,
    );
    throw new Error(`After ${CHAOS.limitSeconds} s not all is over:\n${JSON.stringify(unfinished, null, 1)}`);
  };
  const timer = setTimeout(() => void tell().catch(late.reject), CHAOS.limitSeconds * 1000);
  try {
    return await Promise.race([asking, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Everybody saw a lawful stream, equal to what is stored, and to what a replay shows. */
const checkTurns = async ({ asked }: Outcome): Promise<void> => {
  for (const { turnId, sight, choice } of asked) {
    checkEvents(turnId, sight);
    checkTold(turnId, sight);
    const replay = await persistently(choice, (client) => client.allEvents(turnId));
    expect(replay).toEqual(sight.events);
  }
};

/** Of a conversation's turns one is answered after the other, in the order of asking. */
const checkOneAtATime = ({ asked }: Outcome): void => {
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
};

/** Each question that was taken is one turn, has ended, and has left nothing behind. */
const checkDatabase = async ({ installation, asked }: Outcome): Promise<void> => {
  const turns = await installation.query<{ id: string; status: string }>('SELECT id, status FROM turn');
  expect(turns.map(({ id }) => id).toSorted()).toEqual(asked.map(({ turnId }) => turnId).toSorted());
  const open = turns.filter(({ status }) => !['COMPLETED', 'FAILED', 'CANCELLED'].includes(status));
  expect(open).toEqual([]);
  expect(await installation.query("SELECT id FROM skill_call WHERE status = 'RUNNING'")).toEqual([]);
};

/** Nothing was done twice that must not be, and what is told to have succeeded was done. */
const checkSkills = ({ asked, runs: { sendOnce, lookUp } }: Outcome): void => {
  expect([...sendOnce].filter(([, times]) => times > 1)).toEqual([]);
  for (const { sight } of asked) {
    for (const { callStatus, skill, callId } of sight.events) {
      if (callStatus !== 'SUCCEEDED') continue;
      const runs = skill === 'send_once' ? sendOnce : lookUp;
      expect(runs.has(String(callId))).toBe(true);
    }
  }
};
