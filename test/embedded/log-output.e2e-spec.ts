import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '../harness/free-port.js';
import { makeDataDir } from '../harness/test-database.js';

const MAIN = fileURLToPath(new URL('../../dist/app/main.js', import.meta.url));

let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
let url: string;
let server: ChildProcess;

beforeEach(async () => {
  dataDir = await makeDataDir();
});
afterEach(async () => {
  server.kill('SIGKILL');
  await dataDir[Symbol.asyncDispose]();
});

async function start(stdout: number | 'pipe'): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawn(process.execPath, [MAIN], {
    env: { DATA_DIR: dataDir.path, PORT: `${port}` },
    cwd: '/',
    stdio: ['ignore', stdout, 'inherit'],
  });
  while (server.exitCode === null && !(await isReady())) await sleep(100);
}

function isReady(): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function answers(): Promise<number> {
  const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(5_000) });
  return response.status;
}

/** One line of the log each. */
async function ask(requests: number): Promise<void> {
  for (let asked = 0; asked < requests; asked += 50) {
    const pages = Array.from({ length: 50 }, () => fetch(`${url}/nowhere`).then((page) => page.text()));
    await Promise.all(pages);
  }
}

async function exitCode(): Promise<unknown> {
  const exited = once(server, 'exit', { signal: AbortSignal.timeout(20_000) });
  server.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

it('of a server whose disk is full is left out, and the server serves and stops as ever', async () => {
  await using full = await open('/dev/full', 'w');
  await start(full.fd);
  await ask(200);
  expect(await answers()).toBe(200);
  expect(await exitCode()).toBe(0);
});

it('that nobody reads does not hold the server up', async () => {
  await start('pipe');
  await ask(4_000);
  expect(await answers()).toBe(200);
  expect(await exitCode()).toBe(0);
});
