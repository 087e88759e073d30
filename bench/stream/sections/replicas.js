import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { PacedLoad, warmUp } from '../paced-load.js';
import { startReplicas } from '../systems.js';

const THROTTLE = fileURLToPath(new URL('../throttle.js', import.meta.url));

/** Of a processor, for each replica: two of them, the driver, the provider and PostgreSQL share a small machine. */
const SHARE = 0.4;

const MOST_LATENESS_MS = 50;

/** The first ones, and then a sixth more with each step. */
const LEAST_TURNS = 28;
function more(turns) {
  return Math.round(turns / 6);
}

const STEP_MS = { add: 1500, settle: 500, watch: 2500 };

/** How many more turns two replicas carry than one, each with the same share of a processor. */
export const replicas = {
  name: 'replicas',
  title: `Two replicas against one, each with ${SHARE} of a processor`,
  systems: ['postgresql'],
  rounds: 1,
  metrics: {
    one: { title: 'turns that one holds', unit: '', digits: 0 },
    two: { title: 'turns that two hold', unit: '', digits: 0 },
    twoAcross: { title: 'the same, half of them followed on the other replica', unit: '', digits: 0 },
    ratio: {
      title: 'two against one',
      unit: '×',
      digits: 2,
      must: 1.5,
      aim: 1.8,
      isAbsolute: true,
      isMoreBetter: true,
    },
    ratioAcross: { title: 'the same, half of them followed on the other replica', unit: '×', digits: 2 },
  },

  start: async (surroundings) => ({ surroundings, process: null, stop: async () => undefined }),

  async measure({ surroundings }) {
    const one = await mostHeld(surroundings, { count: 1, isAcross: false, least: LEAST_TURNS });
    const two = await mostHeld(surroundings, {
      count: 2,
      isAcross: false,
      least: Math.max(one, LEAST_TURNS),
    });
    const twoAcross = await mostHeld(surroundings, {
      count: 2,
      isAcross: true,
      least: Math.max(one, LEAST_TURNS),
    });
    return { one, two, twoAcross, ratio: two / one, ratioAcross: twoAcross / one };
  },
};

/** Adds turns until tokens come late; gives how many there were before. */
async function mostHeld(surroundings, { count, isAcross, least }) {
  const system = await startReplicas(surroundings, count, isAcross);
  const throttle = await throttled(system, count);
  try {
    const load = new PacedLoad(system);
    let held = 0;
    await load.add(least, 3 * STEP_MS.add);
    while (await isInTime(load)) {
      held = load.size;
      await load.add(more(held), STEP_MS.add);
    }
    await load.abandon();
    return held;
  } finally {
    throttle.kill();
    await once(throttle, 'exit');
    await system.stop();
  }
}

/** Once late may be by chance. */
async function isInTime(load) {
  for (let tries = 0; tries < 2; tries += 1) {
    await load.pass(STEP_MS.settle);
    const { latenessP99, tokensPerSecond } = await load.watch(STEP_MS.watch);
    process.stderr.write(`  ${load.size} turns: ${latenessP99.toFixed(1)} ms\n`);
    const isWhole = tokensPerSecond > 0.95 * load.size * PacedLoad.tokensPerSecond;
    if (isWhole && latenessP99 <= MOST_LATENESS_MS) return true;
  }
  return false;
}

/** Warms the replicas up, and takes most of the processor away from them. */
async function throttled(system, count) {
  await Promise.all(Array.from({ length: count }, (_, replica) => warmUp(() => system.newUser(replica))));
  return fork(THROTTLE, [SHARE, ...system.pids].map(String), { execArgv: [] });
}
