import { fileURLToPath } from 'node:url';

import { User } from './driver.js';
import { cpuMs } from './measure.js';
import { MockReader } from './mock-reader.js';
import { PalabreServer } from './palabre-server.js';
import { BenchDatabase } from './postgres.js';
import { ServerProcess } from './server-process.js';

/** What the mock provider calls. */
const SKILL = 'get_company_profile';

const BARE = fileURLToPath(new URL('bare-server.js', import.meta.url));

/**
 * A system under way, the same to every section.
 *
 * @typedef {object} Running
 * @property {import('./mock.js').Mock} mock
 * @property {number} pid of the server
 * @property {() => number} cpuMs of the server so far
 * @property {() => number | null} databaseCpuMs of PostgreSQL so far; null where there is none on this machine
 * @property {(index?: number) => User | MockReader} newUser
 * @property {(user: User, turnId: string, leave: () => void) => unknown} cancel
 * @property {ServerProcess | null} process
 * @property {BenchDatabase | null} database
 * @property {() => Promise<void>} stop
 */

/**
 * What all systems are started with.
 *
 * @typedef {object} Surroundings
 * @property {import('./mock.js').Mock} mock
 * @property {string} build The folder of the build.
 * @property {string | null} serverUrl of a PostgreSQL, on which databases may be made
 * @property {boolean} allSkills Whether Palabre's models are offered all that ship, instead of the one that bare has.
 */

/** @param {Surroundings} surroundings @returns {Promise<Running>} */
async function startMock({ mock }) {
  return {
    mock,
    pid: mock.pid,
    cpuMs: () => cpuMs(mock.pid),
    databaseCpuMs: () => null,
    newUser: () => new MockReader(mock.baseUrl),
    cancel: () => undefined,
    process: null,
    database: null,
    stop: async () => undefined,
  };
}

/** @param {Surroundings} surroundings @returns {Promise<Running>} */
async function startBare({ mock }) {
  const process = await ServerProcess.start(BARE, { LLM_BASE_URL: mock.baseUrl });
  return {
    mock,
    pid: process.pid,
    cpuMs: () => cpuMs(process.pid),
    databaseCpuMs: () => null,
    newUser: () => new User({ url: process.url }),
    // There is no other way.
    cancel: (_user, _turnId, leave) => leave(),
    process,
    database: null,
    stop: () => process.stop(),
  };
}

/** @param {Surroundings} surroundings @param {BenchDatabase | null} database @returns {Promise<Running>} */
async function startPalabre({ mock, build, allSkills }, database) {
  const databaseUrl = database?.url ?? null;
  const palabre = await PalabreServer.start({ build, llmBaseUrl: mock.baseUrl, databaseUrl });
  const { process, token } = palabre;
  if (!allSkills) await keepSkill(palabre);
  return {
    mock,
    pid: process.pid,
    cpuMs: () => cpuMs(process.pid),
    databaseCpuMs: () => database?.cpuMs() ?? null,
    newUser: () => new User({ url: process.url, token }),
    cancel: (user, turnId) => user.cancel(turnId),
    process,
    database,
    stop: async () => {
      await palabre.stop();
      await database?.drop();
    },
  };
}

async function keepSkill({ process, token }) {
  const admin = new User({ url: process.url, token });
  await admin.keepSkill(SKILL);
  await admin.close();
}

/** By the names that the report uses; each starts its system anew, with an empty database. */
export const systems = {
  mock: startMock,
  bare: startBare,
  pglite: (surroundings) => startPalabre(surroundings, null),
  postgresql: async (surroundings) =>
    startPalabre(surroundings, await BenchDatabase.create(surroundings.serverUrl)),
};

/**
 * Several Palabres on one PostgreSQL. Users are spread over them; `isAcross`: every other one asks one replica and
 * follows on another, as behind a balancer that does not care.
 *
 * @param {Surroundings} surroundings @param {number} count @param {boolean} isAcross
 */
export async function startReplicas({ mock, build, serverUrl, allSkills }, count, isAcross) {
  const database = await BenchDatabase.create(serverUrl);
  const options = { build, llmBaseUrl: mock.baseUrl, databaseUrl: database.url };
  // The first one alone, for it makes the tables.
  const palabres = [await PalabreServer.start(options)];
  if (!allSkills) await keepSkill(palabres[0]);
  while (palabres.length < count) palabres.push(await PalabreServer.start(options));
  return {
    mock,
    pids: palabres.map(({ process }) => process.pid),
    cpuMs: () => palabres.reduce((sum, { process }) => sum + cpuMs(process.pid), 0),
    databaseCpuMs: () => database.cpuMs(),
    newUser: (index) => {
      const { process, token } = palabres[index % count];
      const isElsewhere = isAcross && Math.floor(index / count) % 2 === 1;
      const followed = palabres[(index + (isElsewhere ? 1 : 0)) % count];
      return new User({ url: process.url, socketUrl: followed.process.url, token });
    },
    stop: async () => {
      await Promise.all(palabres.map((palabre) => palabre.stop()));
      await database.drop();
    },
  };
}
