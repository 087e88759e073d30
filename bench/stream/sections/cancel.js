import { setTimeout as pause } from 'node:timers/promises';

import { percentile } from '../measure.js';
import { nowMs, question } from '../question.js';

/** Nobody waits any longer for a socket to be closed. */
const PATIENCE_MS = 2000;

/** From the wish to stop to the closed socket of the provider, which is then paid no longer. */
export const cancel = {
  name: 'cancel',
  title: 'Cancel to closed provider socket',
  systems: ['bare', 'pglite', 'postgresql'],
  isQuick: true,
  metrics: {
    streamingP50: { title: 'while it streams p50', unit: 'ms', digits: 1 },
    streamingP99: {
      title: 'while it streams p99',
      unit: 'ms',
      digits: 1,
      must: 25,
      aim: 10,
      isAbsolute: true,
    },
    silentP50: { title: 'while it is silent p50', unit: 'ms', digits: 1 },
    silentP99: {
      title: 'while it is silent p99',
      unit: 'ms',
      digits: 1,
      must: 25,
      aim: 10,
      isAbsolute: true,
    },
  },

  async measure(system, { isQuick }) {
    const times = isQuick ? 20 : 30;
    const streaming = await stopped(system, times, { tokensPerSecond: 20 });
    const silent = await stopped(system, times, { silent: true });
    return {
      streamingP50: percentile(streaming, 0.5),
      streamingP99: percentile(streaming, 0.99),
      silentP50: percentile(silent, 0.5),
      silentP99: percentile(silent, 0.99),
    };
  },
};

async function stopped(system, times, wishes) {
  const user = system.newUser();
  const waited = [];
  for (let time = 0; time < times; time += 1) {
    const ms = await stopOne(system, user, question({ ...wishes, noted: true }));
    waited.push(ms);
    // Once is enough to know that it does not come to an end.
    if (ms >= PATIENCE_MS) break;
  }
  await user.close();
  return waited;
}

async function stopOne(system, user, asked) {
  const { mock } = system;
  const speaks = Promise.withResolvers();
  const answers = mock.noteOf(asked.id, 'asked');
  const closes = mock.noteOf(asked.id, 'closed');
  const turnId = await user.start(asked);
  const onEvent = ({ __typename }) => __typename === 'TextDelta' && speaks.resolve();
  const { ended, leave } = user.follow(turnId, { onEvent });
  await answers;
  await (asked.silent ? pause(20) : speaks.promise);
  const begun = nowMs();
  const cancelled = system.cancel(user, turnId, leave);
  const ms = await Promise.race([
    closes.then((at) => at - begun),
    pause(PATIENCE_MS).then(() => PATIENCE_MS),
  ]);
  await cancelled;
  await ended;
  return ms;
}
