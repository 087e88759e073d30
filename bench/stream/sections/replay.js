import { percentile } from '../measure.js';
import { nowMs, question } from '../question.js';

/** Slow enough for every token to be an event of its own: the windows of the log are 25 ms long. */
const TOKENS_PER_SECOND = 33;

/** How long it takes to see again what has been. */
export const replay = {
  name: 'replay',
  title: 'Coming back to a long turn',
  systems: ['pglite', 'postgresql'],
  metrics: {
    events: { title: 'events', unit: '', digits: 0 },
    replay: {
      title: 'replay from the beginning',
      unit: 'ms',
      digits: 1,
      must: 100,
      aim: 100,
      isAbsolute: true,
    },
    resumeP50: { title: 'first event by `after` p50', unit: 'ms', digits: 2 },
    resumeP99: {
      title: 'first event by `after` p99',
      unit: 'ms',
      digits: 2,
      must: 50,
      aim: 15,
      isAbsolute: true,
    },
  },

  /** Makes the long turn; it takes a minute, for all systems at the same time. */
  async prepare(system, { isQuick }) {
    const user = system.newUser();
    const tokens = isQuick ? 150 : 2080;
    const { turnId } = await user.turn(question({ tokens, tokensPerSecond: TOKENS_PER_SECOND }));
    await user.close();
    return turnId;
  },

  async measure(system, { prepared: turnId }) {
    const user = system.newUser();
    const whole = await see(user, turnId, 0);
    const replays = [];
    for (let time = 0; time < 9; time += 1) replays.push((await see(user, turnId, 0)).doneMs);
    const resumes = [];
    for (let time = 1; time <= 100; time += 1) {
      const after = Math.floor((whole.last * time) / 101);
      resumes.push((await see(user, turnId, after)).firstMs);
    }
    await user.close();
    return {
      events: whole.last,
      replay: percentile(replays, 0.5),
      resumeP50: percentile(resumes, 0.5),
      resumeP99: percentile(resumes, 0.99),
    };
  },
};

/** Sees a turn that has ended, from `after` on; rejects when an event is missing or comes twice. */
async function see(user, turnId, after) {
  const begun = nowMs();
  let last = after;
  let firstMs = null;
  const onEvent = ({ sequence }) => {
    firstMs ??= nowMs() - begun;
    if (sequence !== last + 1) throw new Error(`After the event ${last} came ${sequence}.`);
    last = sequence;
  };
  await user.follow(turnId, { onEvent, after }).ended;
  return { last, firstMs, doneMs: nowMs() - begun };
}
