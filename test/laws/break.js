/**
 * `npm run test:laws -- [--only WORDS] [--shard 1/3]`: breaks each law of the contract once, on purpose, and runs the
 * smallest test file that has to notice. Fails when one does not. `--only`: the breaks whose name or law has these words.
 *
 * The sources are changed while it runs, one file at a time, and put back whatever happens, Ctrl-C included.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { memoryBreaks } from './memory-breaks.ts';
import { turnBreaks } from './turn-breaks.ts';

const lawBreaks = [...turnBreaks, ...memoryBreaks];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

const PROJECTS = ['--project', 'unit', '--project', 'contract'];

/** A break may have a test wait for what never comes. */
const LIMIT_MS = 600_000;

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, shard: { type: 'string', default: '1/1' } },
});
const [shard, shards] = values.shard.split('/').map(Number);

let restore = () => undefined;
let running = null;
process.on('exit', () => restore());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endTests();
    process.exit(130);
  });
}

function isMeant({ name, law }) {
  return `${name} ${law}`.toLowerCase().includes(values.only.toLowerCase());
}

const verdicts = [];
function isOurs(_, index) {
  return index % shards === shard - 1;
}
for (const lawBreak of lawBreaks.filter(isMeant).filter(isOurs)) {
  const verdict = await tryOut(lawBreak);
  verdicts.push(verdict);
  print(lawBreak, verdict);
}
const unnoticed = verdicts.filter(({ isNoticed }) => !isNoticed).length;
say(`\n${verdicts.length - unnoticed} of ${verdicts.length} broken laws were noticed.`);
process.exitCode = unnoticed === 0 && verdicts.length > 0 ? 0 : 1;

/** Whether the break is noticed, and by what. */
async function tryOut({ file, search, replace, tests }) {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(search).length !== 2) {
    return { isNoticed: false, by: `the change does not fit ${file} any more: mend its entry in test/laws` };
  }
  restore = () => {
    writeFileSync(path, source);
    restore = () => undefined;
  };
  try {
    writeFileSync(
      path,
      source.replace(search, () => replace),
    );
    return await runTests(tests);
  } finally {
    restore();
  }
}

async function runTests(tests) {
  const folder = await mkdtemp(join(tmpdir(), 'palabre-laws-'));
  const report = join(folder, 'report.json');
  // The first test that fails is enough, and one that hangs has failed.
  const options = ['--bail=1', '--testTimeout=60000', '--reporter=json', `--outputFile=${report}`];
  try {
    running = spawn(process.execPath, [VITEST, 'run', ...PROJECTS, ...options, ...tests], {
      cwd: ROOT,
      stdio: 'ignore',
      // A group of its own: its workers end with it.
      detached: true,
    });
    const timer = setTimeout(endTests, LIMIT_MS);
    await once(running, 'close');
    clearTimeout(timer);
    return verdictOf(JSON.parse(await readFile(report, 'utf8').catch(() => 'null')));
  } finally {
    running = null;
    await rm(folder, { recursive: true, force: true });
  }
}

function endTests() {
  try {
    if (running) process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function verdictOf(report) {
  if (!report) return { isNoticed: false, by: 'the tests did not come to an end' };
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.find(({ status }) => status === 'failed');
  if (failed) return { isNoticed: true, by: failed.fullName };
  const isBroken = results.length === 0 || report.numFailedTestSuites > 0;
  return { isNoticed: false, by: isBroken ? 'the tests could not be run with it' : 'NOT NOTICED' };
}

function print({ name, law }, { isNoticed, by }) {
  say(`${isNoticed ? 'noticed' : 'MISSED '}  ${name}\n         law: ${law}\n         by:  ${by}`);
}

function say(words) {
  process.stdout.write(`${words}\n`);
}
