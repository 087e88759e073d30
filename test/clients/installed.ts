import { createRequire } from 'node:module';
import { join } from 'node:path';

type Client = 'ai-sdk' | 'assistant-ui' | 'copilotkit';

/** Where `npm run test:clients` has installed the packages of a client. */
export function folderOf(client: Client): string {
  const folder = process.env.CLIENTS_FOLDER;
  if (folder === undefined) throw new Error('Run these tests by npm run test:clients.');
  return join(folder, client);
}

/** One of these packages. What is used of it is described by the test. */
export function installed<Exports>(client: Client, name: string): Exports {
  return createRequire(join(folderOf(client), 'package.json'))(name) as Exports;
}
