import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lines, rootFiles } from '../oxlint.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A line of code in a file, and a part of the message that refuses it. */
const refused: [path: string, code: string, message: string][] = [
  ['src/turns/up.ts', "import '../agent/loop.js';", 'Imports point down'],
  ['src/turns/up-by-type.ts', "import type { Loop } from '../agent/loop.js';", 'Imports point down'],
  ['src/turns/up-again.ts', "export { loop } from '../agent/loop.js';", 'Imports point down'],
  ['src/turns/up-lazily.ts', "export const loop = () => import('../agent/loop.js');", 'Imports point down'],
  ['src/skills/functions/up.ts', "import '../../agent/loop.js';", 'Imports point down'],
  ['src/llm/sideways.ts', "import '../jobs/job-queue.js';", 'Imports point down'],
  ['src/conversations/sideways.ts', "import '../memory/memory.service.js';", 'Imports point down'],
  ['src/graphql/root.ts', "import '../app.module.js';", 'Imports point down'],
  ['src/turns/turn.repository.ts', "import '../graphql/limits.js';", 'Imports point down'],
  ['src/agent/agent.module.ts', "import '../graphql/limits.js';", 'Imports point down'],
  ['src/common/up.ts', "import '../config/config.js';", 'Imports point down'],
  ['src/agent/vendor.ts', "import OpenAI from 'openai';", 'src/llm'],
  ['src/agent/vendor-type.ts', "import type { Chat } from 'openai/resources';", 'src/llm'],
  ['src/turns/vendor.ts', "import { PgBoss } from 'pg-boss';", 'src/jobs'],
  ['src/jobs/vendor.ts', "import { Pool } from 'pg';", 'src/database'],
  ['src/jobs/embedded.ts', "import { PGlite } from '@electric-sql/pglite';", 'src/database'],
  ['src/skills/vendor.ts', "import { fetch } from 'undici';", 'src/outbound'],
  ['src/graphql/vendor.ts', "import ipaddr from 'ipaddr.js';", 'src/outbound'],
  ['src/turns/counting.ts', "import { Counter } from 'prom-client';", 'src/metrics'],
  ['src/turns/turn.service.ts', "import type { EntityManager } from 'typeorm';", 'repository'],
  ['src/turns/statement.ts', "export const send = (tx) => tx.query('SELECT 1');", 'repository'],
  ['src/turns/rows.service.ts', "export const rows = (tx) => tx.select(Object, 'true', []);", 'repository'],
  ['src/turns/manager.ts', 'export const managerOf = (tx) => tx.manager;', 'repository'],
  ['src/agent/stand-in.ts', "import '../llm/offline/think.js';", 'The offline model'],
  ['src/agent/loop/stand-in.ts', "import '../../llm/offline/reading/fold.js';", 'The offline model'],
  ['src/cli/stand-in.ts', "import type { Reply } from '../llm/offline/think.js';", 'The offline model'],
  ['src/agent/loop/reactive.ts', "import { Injectable } from '@nestjs/common';", 'knows no framework'],
  ['src/agent/loop/prompt.ts', "import { GraphQLError } from 'graphql';", 'knows no framework'],
  ['src/turns/environment.ts', "export const port = process.env['PORT'];", 'process.env'],
  ['src/turns/environment-again.ts', "import { env } from 'node:process';", 'src/config'],
  ['src/turns/printing.ts', "console.log('hello');", 'console'],
  ['src/turns/loose.ts', 'export const loose = (value: any): unknown => value;', 'any'],
  ['src/turns/one.ts', "import { two } from './two.js';\nexport const one = (): number => two();", 'cycle'],
  ['src/turns/two.ts', "import { one } from './one.js';\nexport const two = (): number => one();", 'cycle'],
  ['src/turns/long.ts', `export const all = [\n${'  1,\n'.repeat(300)}];`, 'many lines'],
];

const allowed: [path: string, code: string][] = [
  ['src/main.ts', "export * from './app.module.js';"],
  ['src/cli/down.ts', "console.log(process.env['NO_COLOR']);\nexport * from '../entities.js';"],
  ['src/agent/down.ts', "export * from '../skills/skill.js';\nexport * from '../llm/chat-model.js';"],
  ['src/agent/agent.service.ts', "export { Injectable } from '@nestjs/common';"],
  ['src/skills/functions/own.ts', "export * from '../skill.js';\nexport * from '../http/client.js';"],
  ['src/turns/turn.entity.ts', "export { Entity } from 'typeorm';"],
  ['src/turns/rows.repository.ts', "export const send = (tx) => tx.query('SELECT 1');"],
  ['src/pubsub/statement.ts', "export const send = (tx) => tx.query('SELECT 1');"],
  ['src/turns/hand-on.ts', 'export const handOn = (tx) => tx.afterCommit(() => tx.companyId);'],
  ['src/database/database.ts', "export { Pool } from 'pg';\nexport { DataSource } from 'typeorm';"],
  ['src/llm/openai-chat-model.ts', "export { OpenAI } from 'openai';"],
  ['src/llm/llm.module.ts', "export * from './offline/think.js';"],
  ['src/llm/openai/stand-in.ts', "export * from '../offline/think.js';"],
  ['src/outbound/guard.ts', "export { Agent } from 'undici';\nexport { isValid } from 'ipaddr.js';"],
  ['src/config/config.ts', "export const port = process.env['PORT'];"],
];

let folder: string;
let found: { message: string; help?: string; code: string; filename: string }[];

const lint = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const binary = join(root, 'node_modules/oxlint/bin/oxlint');
    const done = (error: Error | null, stdout: string, stderr: string): void =>
      stdout.startsWith('{') ? resolve(stdout) : reject(error ?? new Error(stderr));
    execFile(process.execPath, [binary, '--format=json', 'src'], { cwd: folder }, done);
  });

const about = (path: string): string[] =>
  found
    .filter((diagnostic) => diagnostic.filename === path)
    .map(({ code, message, help }) => `${code}: ${message} ${help ?? ''}`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-lint-'));
  await copyFile(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, code] of [...refused, ...allowed]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${code}\n`);
  }
  ({ diagnostics: found } = JSON.parse(await lint()) as { diagnostics: typeof found });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(refused)('refuses %s', (path, _code, message) => {
  expect(about(path)).toEqual(expect.arrayContaining([expect.stringContaining(message)]));
});

it.each(allowed)('allows %s', (path) => {
  expect(about(path)).toEqual([]);
});

it('has every folder and file at the root of src on the map', async () => {
  const entries = await readdir(join(root, 'src'), { withFileTypes: true });
  const unknown = entries.filter((entry) =>
    entry.isDirectory()
      ? !lines.flat().includes(entry.name)
      : !rootFiles.includes(entry.name.replace(/\.ts$/, '')),
  );
  expect(unknown.map((entry) => entry.name)).toEqual([]);
});
