import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rooms } from '../oxlint.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A line of code in a file, and a part of the message that refuses it. */
const refused: [path: string, code: string, message: string][] = [
  ['src/conversations/up.ts', "import '../agent/loop.js';", 'Imports point down'],
  ['src/conversations/up-by-type.ts', "import type { Loop } from '../agent/loop.js';", 'Imports point down'],
  ['src/conversations/up-again.ts', "export { loop } from '../agent/loop.js';", 'Imports point down'],
  [
    'src/conversations/up-lazily.ts',
    "export const loop = () => import('../agent/loop.js');",
    'Imports point down',
  ],
  ['src/skills/functions/up.ts', "import '../../agent/loop.js';", 'Imports point down'],
  ['src/conversations/recall/up.ts', "import '../../memory/memory.service.js';", 'Imports point down'],
  ['src/platform/jobs/up.ts', "import '../../llm/model-providers.js';", 'Imports point down'],
  ['src/graphql/up.ts', "import '../app/app.module.js';", 'Imports point down'],
  ['src/conversations/turn.repository.ts', "import '../graphql/limits.js';", 'Imports point down'],
  ['src/agent/agent.module.ts', "import '../graphql/limits.js';", 'Imports point down'],
  ['src/common/up.ts', "import '../platform/database/database.js';", 'Imports point down'],
  ['src/common/config/up.ts', "import '../../platform/database/database.js';", 'Imports point down'],
  ['src/skills/models.ts', "import '../llm/model-providers.js';", 'does without'],
  ['src/doors/memories.ts', "import '../memory/memories.service.js';", 'does without'],
  ['src/agent/vendor.ts', "import OpenAI from 'openai';", '@palabre/llm-client'],
  ['src/llm/vendor-type.ts', "import type { Chat } from 'openai/resources';", '@palabre/llm-client'],
  ['src/conversations/vendor.ts', "import { PgBoss } from 'pg-boss';", 'src/platform/jobs'],
  ['src/platform/jobs/vendor.ts', "import { Pool } from 'pg';", 'src/platform/database'],
  [
    'src/platform/jobs/embedded.ts',
    "import { PGlite } from '@electric-sql/pglite';",
    'src/platform/database',
  ],
  ['src/skills/vendor.ts', "import { fetch } from 'undici';", '@palabre/outbound'],
  ['src/graphql/vendor.ts', "import ipaddr from 'ipaddr.js';", '@palabre/outbound'],
  ['src/conversations/counting.ts', "import { Counter } from 'prom-client';", 'src/platform/metrics'],
  ['src/conversations/turn.service.ts', "import type { EntityManager } from 'typeorm';", 'repository'],
  ['src/conversations/statement.ts', "export const send = (tx) => tx.query('SELECT 1');", 'repository'],
  [
    'src/conversations/rows.service.ts',
    "export const rows = (tx) => tx.select(Object, 'true', []);",
    'repository',
  ],
  ['src/conversations/manager.ts', 'export const managerOf = (tx) => tx.manager;', 'repository'],
  ['src/agent/stand-in.ts', "import '@palabre/offline-model';", 'The offline model'],
  [
    'src/app/cli/stand-in.ts',
    "import type { OfflineModel } from '@palabre/offline-model';",
    'The offline model',
  ],
  ['src/agent/loop/reactive.ts', "import { Injectable } from '@nestjs/common';", 'knows no framework'],
  ['src/agent/loop/prompt.ts', "import { GraphQLError } from 'graphql';", 'knows no framework'],
  ['src/documents/inside.ts', "import { fold } from '../../packages/lexical/src/fold.js';", 'by its name'],
  [
    'packages/reader/src/product.ts',
    "import { newId } from '../../../src/common/ids.js';",
    'stands by itself',
  ],
  ['packages/reader/src/framework.ts', "import { Injectable } from '@nestjs/common';", 'stands by itself'],
  [
    'src/conversations/double.ts',
    "import { ManualClock } from '../common/manual-clock.double.js';",
    'for tests',
  ],
  ['src/agent/loop/double.ts', "export * from './scripted-turn.double.js';", 'for tests'],
  ['src/llm/double.repository.ts', "import './chat-model.spec.js';", 'for tests'],
  [
    'src/agent/double.ts',
    "import { finish } from '@palabre/llm-client/scripted-chat-model.double.js';",
    'for tests',
  ],
  ['packages/reader/src/double.ts', "import './fixtures.double.js';", 'for tests'],
  ['clients/cli/src/product.ts', "import { newId } from '../../../src/common/ids.js';", 'stands by itself'],
  ['clients/js/src/node.ts', "import { readFile } from 'node:fs';", 'run in browsers'],
  ['src/conversations/environment.ts', "export const port = process.env['PORT'];", 'process.env'],
  ['src/conversations/environment-again.ts', "import { env } from 'node:process';", 'src/common/config'],
  ['src/conversations/printing.ts', "console.log('hello');", 'console'],
  ['src/conversations/loose.ts', 'export const loose = (value: any): unknown => value;', 'any'],
  [
    'src/conversations/one.ts',
    "import { two } from './two.js';\nexport const one = (): number => two();",
    'cycle',
  ],
  [
    'src/conversations/two.ts',
    "import { one } from './one.js';\nexport const two = (): number => one();",
    'cycle',
  ],
  ['src/conversations/long.ts', `export const all = [\n${'  1,\n'.repeat(300)}];`, 'many lines'],
];

const allowed: [path: string, code: string][] = [
  ['src/app/main.ts', "export * from './app.module.js';\nexport * from '../graphql/graphql.module.js';"],
  ['src/app/cli/down.ts', "console.log(process.env['NO_COLOR']);\nexport * from '../app/entities.js';"],
  ['src/agent/down.ts', "export * from '../skills/skill.js';\nexport * from '../llm/model-providers.js';"],
  ['src/agent/agent.service.ts', "export { Injectable } from '@nestjs/common';"],
  ['src/skills/functions/own.ts', "export * from '../skill.js';\nexport * from '../http/client.js';"],
  ['src/conversations/turn.entity.ts', "export { Entity } from 'typeorm';"],
  ['src/conversations/rows.repository.ts', "export const send = (tx) => tx.query('SELECT 1');"],
  ['src/platform/pubsub/statement.ts', "export const send = (tx) => tx.query('SELECT 1');"],
  ['src/conversations/hand-on.ts', 'export const handOn = (tx) => tx.afterCommit(() => tx.companyId);'],
  ['src/platform/database/database.ts', "export { Pool } from 'pg';\nexport { DataSource } from 'typeorm';"],
  ['packages/llm-client/src/openai-chat-model.ts', "export { OpenAI } from 'openai';"],
  ['src/llm/llm.module.ts', "export * from '@palabre/offline-model';"],
  ['packages/outbound/src/guard.ts', "export { Agent } from 'undici';\nexport { isValid } from 'ipaddr.js';"],
  ['src/agent/loop/double.spec.ts', "export * from './scripted-turn.double.js';"],
  ['src/llm/scripted.double.ts', "export * from './other.double.js';"],
  ['packages/reader/src/double.spec.ts', "export * from './fixtures.double.js';"],
  ['src/common/config/config.ts', "export const port = process.env['PORT'];"],
  [
    'clients/cli/src/terminal.ts',
    "export { readFile } from 'node:fs';\nexport const url = process.env['PALABRE_URL'];",
  ],
];

let folder: string;
let found: { message: string; help?: string; code: string; filename: string }[];

function lint(): Promise<string> {
  return new Promise((resolve, reject) => {
    const binary = join(root, 'node_modules/oxlint/bin/oxlint');
    const done = (error: Error | null, stdout: string, stderr: string): void =>
      stdout.startsWith('{') ? resolve(stdout) : reject(error ?? new Error(stderr));
    execFile(
      process.execPath,
      [binary, '--format=json', 'src', 'packages', 'clients'],
      { cwd: folder },
      done,
    );
  });
}

function about(path: string): string[] {
  return found
    .filter((diagnostic) => diagnostic.filename === path)
    .map(({ code, message, help }) => `${code}: ${message} ${help ?? ''}`);
}

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

it('has every folder of src on the map, and nothing beside them', async () => {
  expect((await readdir(join(root, 'src'))).toSorted()).toEqual([...rooms].toSorted());
});
