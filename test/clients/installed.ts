import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A package as `npm run test:clients` has installed it. What is used of it is described by the test. */
export function installed<Exports>(client: 'copilotkit' | 'assistant-ui', name: string): Exports {
  const folder = process.env.CLIENTS_FOLDER;
  if (folder === undefined) throw new Error('Run these tests by npm run test:clients.');
  return createRequire(join(folder, client, 'package.json'))(name) as Exports;
}
