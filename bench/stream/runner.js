import { systems } from './systems.js';

/**
 * A part of the benchmark.
 *
 * @typedef {object} Section
 * @property {string} name
 * @property {string} title
 * @property {string[]} systems by name
 * @property {Record<string, Metric>} metrics by the keys of what `measure` gives
 * @property {boolean} [isFresh] Every round has a process of its own.
 * @property {boolean} [isQuick] Part of a quick run.
 * @property {boolean} [isOnDemand] Runs only when it is asked for by name.
 * @property {number} [rounds] at most
 * @property {(surroundings: import('./systems.js').Surroundings) => Promise<{ stop(): Promise<void> }>} [start]
 *   Instead of starting the system.
 * @property {(system: import('./systems.js').Running, options: object) => Promise<unknown>} [prepare]
 *   Once for each system, for all at the same time; what it gives is `options.prepared`.
 * @property {(system: import('./systems.js').Running, options: object) => Promise<Record<string, number>>} measure
 * @property {(figures: Record<string, Record<string, number>>) => void} [finish] Looks at a round as a whole.
 *
 * @typedef {object} Metric
 * @property {string} title
 * @property {string} unit
 * @property {number} digits
 * @property {number} [must] As a ratio to bare, for Palabre on PostgreSQL.
 * @property {number} [aim]
 * @property {boolean} [isAbsolute] The goals are in the metric's unit.
 * @property {boolean} [isMoreBetter]
 */

/** Those that have to be stopped whatever happens. */
const running = new Set();

async function stop(system) {
  running.delete(system);
  await system.stop();
}

/** Stops all servers and removes their databases. */
export function stopEverything() {
  return Promise.all([...running].map(stop));
}

async function start(section, name, surroundings) {
  const system = await (section.start ?? systems[name])(surroundings);
  running.add(system);
  return system;
}

async function measure(section, name, system, options) {
  process.stderr.write(`${section.name}: ${name}\n`);
  try {
    return await section.measure(system, options);
  } catch (error) {
    throw new Error(`${section.name} of ${name} failed. ${system.process?.output ?? ''}`, { cause: error });
  }
}

/** One round of a system that is started for it alone. */
async function measureFresh(section, name, surroundings, options) {
  const system = await start(section, name, surroundings);
  const figures = await measure(section, name, system, options);
  await stop(system);
  return figures;
}

/**
 * Every system once in each round, beginning with another one each time. When it rejects, systems may still run.
 *
 * @param {Section} section @param {string[]} names of systems @param {import('./systems.js').Surroundings} surroundings
 * @returns {Promise<Record<string, Record<string, number>>[]>} the figures by system and metric, for each round
 */
export async function runSection(section, names, surroundings, options) {
  const kept = [];
  // One after the other: starting takes both processors as it is.
  for (const name of section.isFresh ? [] : names) kept.push(await start(section, name, surroundings));
  const prepared = await Promise.all(kept.map((system) => section.prepare?.(system, options)));
  const rounds = [];
  for (let round = 0; round < Math.min(options.rounds, section.rounds ?? Infinity); round += 1) {
    const figures = {};
    for (const [turn] of names.entries()) {
      const index = (turn + round) % names.length;
      const name = names[index];
      figures[name] = section.isFresh
        ? await measureFresh(section, name, surroundings, options)
        : await measure(section, name, kept[index], { ...options, prepared: prepared[index] });
    }
    section.finish?.(figures);
    rounds.push(figures);
  }
  await Promise.all(kept.map(stop));
  return rounds;
}
