import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { Command } from 'commander';

import { readClientConfig } from '../../config/client-config.js';
import { tokenSource } from '../client/client-token.js';
import { complain, isUnauthenticated, ownTokenHint } from '../complaint.js';
import { exitCodes, speakThrough, type Terminal, usageExitCode, wordsOf } from '../terminal.js';
import { DocumentClient, type SentDocument } from './document-client.js';

export interface UploadTerminal extends Terminal {
  /** True when a person looks at the standard error, where progress is told. */
  readonly isTTY: boolean;
}

/** Runs the command that sends documents, and gives the exit code. */
export const runUpload = async (
  commandLine: readonly string[],
  terminal: UploadTerminal,
): Promise<number> => {
  try {
    const files = parseFiles(commandLine, terminal);
    return await uploadAll(files, terminal);
  } catch (error) {
    return usageExitCode(error) ?? complain(error, terminal);
  }
};

const parseFiles = (commandLine: readonly string[], terminal: Terminal): readonly string[] =>
  speakThrough(new Command('upload'), terminal)
    .description(
      'Gives documents to a company of a running Palabre server, and waits until each can be searched.',
    )
    .usage('<file...>')
    .argument('<file...>', 'PDF, Office, OpenDocument, HTML, Markdown, CSV or text')
    .addHelpText(
      'after',
      '\nPrints a line for each: its id, how it ended, and its name. PALABRE_URL, PALABRE_TOKEN and PALABRE_COMPANY as\n' +
        'for ask. Exit code: 0 all can be searched, 1 not all, 2 refused, 3 no server.',
    )
    .parse(commandLine, { from: 'user' }).args;

const uploadAll = async (files: readonly string[], terminal: UploadTerminal): Promise<number> => {
  const config = readClientConfig(terminal.env);
  const client = new DocumentClient(config.serverUrl, tokenSource(config));
  let worst: number = exitCodes.done;
  try {
    for (const file of files) {
      const isFine = await upload(client, file, terminal);
      if (!isFine) worst = exitCodes.failed;
    }
    return worst;
  } catch (error) {
    if (isUnauthenticated(error) && !config.token) terminal.error(ownTokenHint(config.companySlug));
    throw error;
  } finally {
    await client.close();
  }
};

/** Whether it can be searched. */
const upload = async (client: DocumentClient, file: string, terminal: UploadTerminal): Promise<boolean> => {
  const name = basename(file);
  const problem = await problemOf(file);
  if (problem !== null) {
    terminal.error(`${name}: ${problem}\n`);
    return false;
  }
  const id = await client.send(file, name);
  for await (const document of client.follow(id)) {
    showProgress(document, name, terminal);
    if (document.status !== 'COMPLETED' && document.status !== 'FAILED') continue;
    terminal.out(`${id} ${document.status} ${name}\n`);
    terminal.error(remarksOn(document));
    return document.status === 'COMPLETED';
  }
  terminal.error(`${name}: it was deleted meanwhile.\n`);
  return false;
};

const problemOf = async (file: string): Promise<string | null> => {
  try {
    return (await stat(file)).isFile() ? null : 'this is no file.';
  } catch (error) {
    return wordsOf(error);
  }
};

const showProgress = ({ status, progress }: SentDocument, name: string, terminal: UploadTerminal): void => {
  if (!terminal.isTTY) return;
  const isOver = status === 'COMPLETED' || status === 'FAILED';
  const shown = isOver ? '' : `${name}: ${Math.floor(progress * 100)} %`;
  terminal.error(`\r\u001B[K${shown}`);
};

const remarksOn = ({ status, pages, passages, error, warnings }: SentDocument): string => {
  const sizes = [counted(pages, 'page'), counted(passages, 'passage')].filter((size) => size !== '');
  const lines = status === 'FAILED' ? [error ?? 'It failed.'] : [sizes.join(', ')];
  return [...lines, ...warnings]
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('');
};

const counted = (count: number | null, noun: string): string =>
  count === null ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
