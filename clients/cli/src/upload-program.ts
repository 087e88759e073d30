import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { openAsBlob } from 'node:fs';
import { type DocumentProgress, type Palabre, PalabreError } from '@palabre/client';
import { backoffMs, type Pause, retry } from '@palabre/async';

import { isNoServer, isUnauthenticated, reportError } from './run-command.js';
import {
  clientOf,
  type FindAccess,
  type GivenServer,
  type ServerAccess,
  withServerOptions,
} from './server-access.js';
import { counted, exitCodes, useTerminal, type Terminal, usageExitCode, wordsOf } from './terminal.js';

export interface UploadTerminal extends Terminal {
  /** True when a person looks at the standard error, where progress is told. */
  readonly isTTY: boolean;
  /** Replaces the clock. */
  readonly pause?: Pause;
}

type Client = Pick<Palabre, 'uploadDocument' | 'documentProgress' | 'close'>;

/** Files sent at a time: while one is read, others are on their way. */
const AT_A_TIME = 4;

/** A server that restarts, or whose database is away for a moment, is back within these. */
const MAX_TRIES = 6;
const BETWEEN_TRIES = { firstMs: 1_000, maxMs: 15_000 };

/** What is different where the server is on another machine. */
export interface UploadSettings {
  /** The command's, in its help. */
  readonly name: string;
  readonly access: FindAccess;
  /** Which variables it looks at, as a sentence. */
  readonly environment: string;
}

/** Runs the command that sends documents, and gives the exit code. */
export async function runUpload(
  commandLine: readonly string[],
  terminal: UploadTerminal,
  settings: UploadSettings,
  connect: (access: ServerAccess) => Client = (access) => clientOf(access),
): Promise<number> {
  try {
    const { files, server } = parseFiles(commandLine, terminal, settings);
    const access = settings.access(server, terminal.env);
    return await uploadAll(files, terminal, access, connect(access));
  } catch (error) {
    return usageExitCode(error) ?? reportError(error, terminal);
  }
}

function parseFiles(
  commandLine: readonly string[],
  terminal: Terminal,
  { name, environment }: UploadSettings,
): { files: readonly string[]; server: GivenServer } {
  const command = withServerOptions(useTerminal(new Command(name), terminal))
    .description(
      'Gives documents to a company of a running Palabre server, and waits until each can be searched.',
    )
    .usage('<file...>')
    .argument('<file...>', 'PDF, Office, OpenDocument, HTML, Markdown, CSV or text')
    .addHelpText(
      'after',
      `\nPrints a line for each: its id, how it ended, and its name. ${environment} ` +
        'Exit code: 0 all can be searched, 1 not all, 2 refused, 3 no server.',
    )
    .parse(commandLine, { from: 'user' });
  return { files: command.args, server: command.opts<GivenServer>() };
}

async function uploadAll(
  files: readonly string[],
  terminal: UploadTerminal,
  { refusalHint }: ServerAccess,
  client: Client,
): Promise<number> {
  const problems = new Map<string, string>();
  const failed = (): string[] => files.flatMap((file) => problems.get(file) ?? []);
  try {
    const waiting = [...files];
    const sendNext = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const problem = await upload(client, file, terminal).catch((error: unknown) => {
          // An error that is not about this file would also fail the next one.
          if (files.length === 1 || !isOfOneFile(error)) {
            waiting.length = 0;
            throw error;
          }
          reportError(error, terminal);
          return wordsOf(error);
        });
        if (problem !== null) problems.set(file, `${basename(file)}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendNext));
    if (problems.size === 0) return exitCodes.done;
    if (files.length > 1)
      terminal.error(`${problems.size} of ${files.length} files cannot be searched:\n${linesOf(failed())}`);
    return exitCodes.failed;
  } catch (error) {
    if (problems.size > 0) terminal.error(`Before that:\n${linesOf(failed())}`);
    if (isUnauthenticated(error) && refusalHint) terminal.error(refusalHint);
    throw error;
  } finally {
    await client.close();
  }
}

function isOfOneFile(error: unknown): boolean {
  return (
    error instanceof PalabreError &&
    !isNoServer(error) &&
    !['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)
  );
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Gives the document's id. Tries again after temporary errors, with growing pauses. */
async function send(client: Client, file: string, terminal: UploadTerminal): Promise<string> {
  const pauseAfter = (error: unknown, tries: number): number | null => {
    const mayPass = error instanceof PalabreError && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
    if (!mayPass || tries === MAX_TRIES) return null;
    terminal.error(`${basename(file)}: ${error.message} It is tried again.\n`);
    return backoffMs(BETWEEN_TRIES, tries);
  };
  const { pause } = terminal;
  // The server finds the media type by itself.
  const options = { name: basename(file), mediaType: '' };
  const send = async (): Promise<string> => client.uploadDocument(await openAsBlob(file), options);
  return retry(send, pauseAfter, pause ? { pause } : {});
}

/** Why it cannot be searched; null: it can. */
async function upload(client: Client, file: string, terminal: UploadTerminal): Promise<string | null> {
  const name = basename(file);
  const problem = await problemOf(file);
  if (problem !== null) {
    terminal.error(`${name}: ${problem}\n`);
    return problem;
  }
  const id = await send(client, file, terminal);
  for await (const document of client.documentProgress(id)) {
    showProgress(document, name, terminal);
    if (document.status !== 'COMPLETED' && document.status !== 'FAILED') continue;
    terminal.out(`${id} ${document.status} ${name}\n`);
    terminal.error(remarksOn(document));
    return document.status === 'COMPLETED' ? null : (document.error ?? 'it failed.');
  }
  terminal.error(`${name}: ${DELETED}\n`);
  return DELETED;
}

const DELETED = 'it was deleted meanwhile.';

async function problemOf(file: string): Promise<string | null> {
  try {
    return (await stat(file)).isFile() ? null : 'this is no file.';
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? 'there is no such file.' : wordsOf(error);
  }
}

function showProgress({ status, progress }: DocumentProgress, name: string, terminal: UploadTerminal): void {
  if (!terminal.isTTY) return;
  const isOver = status === 'COMPLETED' || status === 'FAILED';
  const shown = isOver ? '' : `${name}: ${Math.floor(progress * 100)} %`;
  terminal.error(`\r\u001B[K${shown}`);
}

function remarksOn({ status, pages, passages, error, warnings }: DocumentProgress): string {
  const sizes = Object.entries({ page: pages, passage: passages }).flatMap(([noun, count]) =>
    count === null ? [] : counted(count, noun),
  );
  const lines = status === 'FAILED' ? [error ?? 'It failed.'] : [sizes.join(', ')];
  return [...lines, ...warnings]
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('');
}
