/**
 * `npm run test:clients`: front ends that are too large to be installed with every `npm ci`, as their makers publish them,
 * against the built server and the sources. npm fetches them, in these versions, into a folder that is gone afterwards;
 * CLIENTS_FOLDER names one that stays, and is used again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each in a folder of its own: they want different versions of the same packages. */
const CLIENTS = {
  'ai-sdk': {
    '@ai-sdk/openai-compatible': '3.0.92',
    '@ai-sdk/react': '4.0.177',
    ai: '7.0.173',
    react: '19.3.1',
    'react-test-renderer': '19.3.1',
  },
  copilotkit: { '@copilotkit/runtime': '1.75.0', '@copilotkit/core': '1.75.0' },
  'assistant-ui': {
    '@assistant-ui/react': '0.15.22',
    '@assistant-ui/react-ag-ui': '0.0.57',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'react-test-renderer': '19.3.1',
  },
};

async function run(command, args, options) {
  const [code] = await once(spawn(command, args, { stdio: 'inherit', ...options }), 'close');
  return code;
}

async function install(folder, dependencies) {
  if (existsSync(join(folder, 'node_modules'))) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--loglevel=error',
  ];
  if ((await run('npm', args, { cwd: folder })) !== 0) throw new Error('npm could not install the clients.');
}

const kept = process.env.CLIENTS_FOLDER;
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'palabre-clients-')));
try {
  for (const [name, dependencies] of Object.entries(CLIENTS)) await install(join(folder, name), dependencies);
  // Inside of these clients some promises of a lost connection are nobody's.
  const args = [
    'run',
    '--project',
    'clients',
    '--dangerouslyIgnoreUnhandledErrors',
    ...process.argv.slice(2),
  ];
  // CopilotKit's runtime would tell its maker that it was started.
  const env = { ...process.env, CLIENTS_FOLDER: folder, COPILOTKIT_TELEMETRY_DISABLED: 'true' };
  process.exitCode = (await run('vitest', args, { env })) ?? 1;
} finally {
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
}
