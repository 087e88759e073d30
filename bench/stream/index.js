/**
 * What a streamed turn costs when every event is stored before it is shown, beside the provider by itself and beside
 * a server that stores nothing, all in one run. A turn is one skill call and 200 tokens; models are offered that one
 * skill. See `--help`.
 */
import { writeFile } from 'node:fs/promises';

import { describeProfile } from './cpu-profile.js';
import { describeMachine } from './machine.js';
import { Mock } from './mock.js';
import { readOptions } from './options.js';
import { describe, summarize } from './report.js';
import { runSection, stopEverything } from './runner.js';
import { cancel } from './sections/cancel.js';
import { firstText } from './sections/first-text.js';
import { flatOut } from './sections/flat-out.js';
import { idleSubscriptions } from './sections/idle-subscriptions.js';
import { longConversation } from './sections/long-conversation.js';
import { paced } from './sections/paced.js';
import { replay } from './sections/replay.js';
import { replicas } from './sections/replicas.js';
import { soak } from './sections/soak.js';
import { statements } from './sections/statements.js';
import { systems } from './systems.js';

const sections = [
  firstText,
  flatOut,
  paced,
  cancel,
  idleSubscriptions,
  longConversation,
  replay,
  replicas,
  soak,
  statements,
];

/** Of the processors, by others: what times bear. */
const MOST_BUSY = 0.05;

/** Runs `work`, and prints where the server's time went meanwhile. */
async function profiled(system, work) {
  await system.process?.startProfile();
  const result = await work();
  const profile = await system.process?.stopProfile();
  if (profile) console.log(`\n${describeProfile(profile)}\n`);
  return result;
}

async function runSections(surroundings, options) {
  const measured = [];
  for (const section of sections.filter(({ name }) => options.only.includes(name))) {
    const names = section.systems.filter((name) => options.systems.includes(name));
    if (names.length === 0) continue;
    const rounds = await runSection(section, names, surroundings, options);
    const summary = summarize(section, rounds);
    measured.push({ ...summary, rounds });
    console.log(`\n${describe(summary)}`);
  }
  return measured;
}

async function run({ jsonFile, build, serverUrl, allSkills, isProfiled, ...options }) {
  if (serverUrl === null) {
    console.log('Without TEST_DATABASE_URL there is no PostgreSQL to measure.');
    options.systems = options.systems.filter((name) => name !== 'postgresql');
  }
  const machine = await describeMachine();
  if (machine.busy > MOST_BUSY) {
    console.log(`Others use ${Math.round(machine.busy * 100)} % of the processors: times will be off.`);
  }
  const mock = await Mock.start();
  const surroundings = { mock, build, serverUrl, allSkills };
  try {
    const measured = await runSections(surroundings, {
      ...options,
      profiled: isProfiled ? profiled : (_system, work) => work(),
    });
    if (jsonFile) {
      await writeFile(jsonFile, `${JSON.stringify({ machine, sections: measured }, null, 2)}\n`);
    }
  } finally {
    await stopEverything();
    await mock.stop();
  }
}

const options = readOptions(process.argv.slice(2), sections, Object.keys(systems));
process.once('SIGINT', () => void stopEverything().finally(() => process.exit(130)));
if (options) await run(options);
