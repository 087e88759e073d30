import { rssBytes } from '../measure.js';
import { PacedLoad, warmUp } from '../paced-load.js';

const AT_ONCE = 200;
const RAMP_MS = 3000;
const RSS_EVERY_MS = 100;

/** As many people read along at the speed of a model: what it costs, and how late the tokens are. */
export const paced = {
  name: 'paced',
  title: `${AT_ONCE} turns at ${PacedLoad.tokensPerSecond} tokens/s`,
  systems: ['mock', 'bare', 'pglite', 'postgresql'],
  // Memory that one round has taken would be there for the next.
  isFresh: true,
  isQuick: true,
  metrics: {
    cpuPerThousand: { title: 'server CPU per 1,000 tokens', unit: 'ms', digits: 1, must: 0.7, aim: 0.45 },
    databaseCpuPerTurn: {
      title: 'PostgreSQL CPU a turn',
      unit: 'ms',
      digits: 2,
      must: 8,
      aim: 4,
      isAbsolute: true,
    },
    latenessP50: { title: 'lateness of a token p50', unit: 'ms', digits: 1 },
    latenessP99: {
      title: 'lateness of a token p99',
      unit: 'ms',
      digits: 1,
      must: 50,
      aim: 30,
      isAbsolute: true,
    },
    firstTextP50: { title: 'first text p50', unit: 'ms', digits: 1 },
    firstTextP99: { title: 'first text p99', unit: 'ms', digits: 1, must: 300, aim: 100, isAbsolute: true },
    memoryGrowth: { title: 'growth of memory, idle to peak', unit: 'MB', digits: 1, must: 1, aim: 0.6 },
  },

  async measure(system, { isQuick, profiled }) {
    await warmUp(() => system.newUser());
    await system.database?.analyze();
    const load = new PacedLoad(system);
    const growth = watchMemory(system.pid);
    await load.add(AT_ONCE, RAMP_MS);
    await load.pass(1000);
    const seen = await profiled(system, () => load.watch(isQuick ? 5000 : 8000));
    const memoryGrowth = growth() / 1e6;
    await load.abandon();
    const databaseCpuPerTurn = (seen.databaseCpuPerThousand * PacedLoad.turnTokens) / 1000;
    return { ...seen, databaseCpuPerTurn, memoryGrowth };
  },
};

/** Watches a process from now on; gives by how many bytes its memory has grown at most. */
function watchMemory(pid) {
  const idle = rssBytes(pid);
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, rssBytes(pid))), RSS_EVERY_MS);
  return () => {
    clearInterval(timer);
    return peak - idle;
  };
}
