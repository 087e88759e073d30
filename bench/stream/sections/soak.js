import { PacedLoad } from '../paced-load.js';

/** Whether memory grows for as long as there is work. Ten minutes: only on demand. */
export const soak = {
  name: 'soak',
  title: '200 turns at 20 tokens/s for ten minutes',
  systems: ['postgresql'],
  isFresh: true,
  rounds: 1,
  isOnDemand: true,
  metrics: {
    heapAtOnce: { title: 'live objects after a minute', unit: 'MB', digits: 1 },
    heapGrowth: { title: 'growth of live objects since', unit: 'MB', digits: 1 },
    rssGrowth: { title: 'growth of memory since', unit: 'MB', digits: 1 },
  },

  async measure(system, { isQuick }) {
    const load = new PacedLoad(system);
    const minuteMs = isQuick ? 5_000 : 60_000;
    await load.add(200, 3000);
    await load.pass(minuteMs);
    const early = await system.process.memory();
    await load.pass(9 * minuteMs);
    const late = await system.process.memory();
    await load.abandon();
    return {
      heapAtOnce: early.heapUsed / 1e6,
      heapGrowth: (late.heapUsed - early.heapUsed) / 1e6,
      rssGrowth: (late.rss - early.rss) / 1e6,
    };
  },
};
