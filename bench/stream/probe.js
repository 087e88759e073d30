/** Preloaded into the servers under measurement: answers over IPC what cannot be seen from outside. */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const session = new Session();

const answers = {
  /** Bytes of live objects, and of the whole process, after garbage has been collected. */
  memory() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed: heapUsed + external, rss };
  },
  async profileStart() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 500 });
    await session.post('Profiler.start');
    return null;
  },
  async profileStop() {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
};

process.on('message', async ({ probe, ask }) => {
  if (probe) process.send({ probe, answer: await answers[ask]() });
});
// A server ends when it has nothing left to do, whoever listens.
process.channel?.unref();
