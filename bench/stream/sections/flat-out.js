import { Load } from '../load.js';
import { question } from '../question.js';

const AT_ONCE = 20;
const TURN_TOKENS = 200;

/** How much gets through when the provider does not wait. */
export const flatOut = {
  name: 'flat-out',
  title: `Provider flat out, ${AT_ONCE} turns at once`,
  systems: ['mock', 'bare', 'pglite', 'postgresql'],
  isQuick: true,
  metrics: {
    tokensPerSecond: { title: 'tokens/s', unit: '', digits: 0, must: 3, aim: 5, isMoreBetter: true },
    cpuPerTurn: { title: 'server CPU a turn', unit: 'ms', digits: 2 },
    cpuPerThousand: { title: 'server CPU per 1,000 tokens', unit: 'ms', digits: 1 },
    databaseCpuPerTurn: { title: 'PostgreSQL CPU a turn', unit: 'ms', digits: 2 },
  },

  async measure(system, { isQuick, profiled }) {
    const load = new Load(system, { ask: () => question({ tokens: TURN_TOKENS }) });
    await load.add(AT_ONCE);
    await system.database?.analyze();
    await load.pass(isQuick ? 1500 : 2500);
    const seen = await profiled(system, () => load.during(isQuick ? 3000 : 5000));
    await load.finish();
    const perTurn = TURN_TOKENS / 1000;
    return {
      tokensPerSecond: seen.tokensPerSecond,
      cpuPerTurn: seen.cpuPerThousand * perTurn,
      cpuPerThousand: seen.cpuPerThousand,
      databaseCpuPerTurn: seen.databaseCpuPerThousand * perTurn,
    };
  },
};
