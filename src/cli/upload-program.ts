import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { openAsBlob } from 'node:fs';
import { z } from 'zod';

import { backoffMs, type Pause, retry } from '../common/retry.js';
import { type ClientConfig, readClientConfig } from '../common/config/client-config.js';
import { tokenSource } from './client-token.js';
import {
  RequestRefused,
  EventSocket,
  graphqlRequest,
  GraphQLErrors,
  refusalOf,
  ServerUnreachable,
} from './graphql-client.js';
import { reportError, isUnauthenticated, ownTokenHint } from './run-command.js';
import { exitCodes, useTerminal, type Terminal, usageExitCode, wordsOf } from './terminal.js';

interface UploadTerminal extends Terminal {
  /** True when a person looks at the standard error, where progress is told. */
  readonly isTTY: boolean;
  /** Replaces the clock. */
  readonly pause?: Pause;
}

type Client = Pick<DocumentClient, 'send' | 'follow' | 'close'>;

/** A server that restarts, or whose database is away for a moment, is back within these. */
const MAX_TRIES = 6;
const BETWEEN_TRIES = { firstMs: 1_000, maxMs: 15_000 };

/** Runs the command that sends documents, and gives the exit code. */
export async function runUpload(
  commandLine: readonly string[],
  terminal: UploadTerminal,
  clientOf: (config: ClientConfig) => Client = (config) =>
    new DocumentClient(config.serverUrl, tokenSource(config)),
): Promise<number> {
  try {
    const files = parseFiles(commandLine, terminal);
    return await uploadAll(files, terminal, clientOf);
  } catch (error) {
    return usageExitCode(error) ?? reportError(error, terminal);
  }
}

function parseFiles(commandLine: readonly string[], terminal: Terminal): readonly string[] {
  return useTerminal(new Command('upload'), terminal)
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
}

async function uploadAll(
  files: readonly string[],
  terminal: UploadTerminal,
  clientOf: (config: ClientConfig) => Client,
): Promise<number> {
  const config = readClientConfig(terminal.env);
  const client = clientOf(config);
  const failed: string[] = [];
  try {
    for (const file of files) {
      const problem = await upload(client, file, terminal).catch((error: unknown) => {
        // An error that is not about this file would also fail the next one.
        if (files.length === 1 || !isOfOneFile(error)) throw error;
        reportError(error, terminal);
        return wordsOf(error);
      });
      if (problem !== null) failed.push(`${basename(file)}: ${problem}`);
    }
    if (failed.length === 0) return exitCodes.done;
    if (files.length > 1)
      terminal.error(`${failed.length} of ${files.length} files cannot be searched:\n${linesOf(failed)}`);
    return exitCodes.failed;
  } catch (error) {
    if (failed.length > 0) terminal.error(`Before that:\n${linesOf(failed)}`);
    if (isUnauthenticated(error) && !config.token) terminal.error(ownTokenHint(config.companySlug));
    throw error;
  } finally {
    await client.close();
  }
}

function isOfOneFile(error: unknown): boolean {
  return error instanceof RequestRefused && !['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Gives the document's id. Tries again after temporary errors, with growing pauses. */
async function send(client: Client, file: string, terminal: UploadTerminal): Promise<string> {
  const pauseAfter = (error: unknown, tries: number): number | null => {
    const mayPass = error instanceof RequestRefused && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
    if (!mayPass || tries === MAX_TRIES) return null;
    terminal.error(`${basename(file)}: ${error.message} It is tried again.\n`);
    return backoffMs(BETWEEN_TRIES, tries);
  };
  const { pause } = terminal;
  return retry(() => client.send(file, basename(file)), pauseAfter, pause ? { pause } : {});
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
  for await (const document of client.follow(id)) {
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
    return wordsOf(error);
  }
}

function showProgress({ status, progress }: SentDocument, name: string, terminal: UploadTerminal): void {
  if (!terminal.isTTY) return;
  const isOver = status === 'COMPLETED' || status === 'FAILED';
  const shown = isOver ? '' : `${name}: ${Math.floor(progress * 100)} %`;
  terminal.error(`\r\u001B[K${shown}`);
}

function remarksOn({ status, pages, passages, error, warnings }: SentDocument): string {
  const sizes = [counted(pages, 'page'), counted(passages, 'passage')].filter((size) => size !== '');
  const lines = status === 'FAILED' ? [error ?? 'It failed.'] : [sizes.join(', ')];
  return [...lines, ...warnings]
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('');
}

function counted(count: number | null, noun: string): string {
  return count === null ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const Sent = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
  progress: z.number(),
  pages: z.int().nullable(),
  passages: z.int().nullable(),
  error: z.string().nullable(),
  warnings: z.array(z.string()),
});

/** The state of a document. */
type SentDocument = z.output<typeof Sent>;

const Ticket = z.object({
  createDocumentUpload: z.object({
    document: z.object({ id: z.string() }),
    url: z.url({ protocol: /^https?$/ }),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
  }),
});
const Progress = z.object({ documentProgress: Sent });
const Refusal = z.object({ errors: GraphQLErrors });

const createUpload = `mutation CreateDocumentUpload($input: CreateDocumentUploadInput!) {
  createDocumentUpload(input: $input) { document { id } url method headers }
}`;
const followProgress = `subscription DocumentProgress($id: ID!) {
  documentProgress(documentId: $id) { id status progress pages passages error warnings }
}`;

/** As long as a ticket of the server lasts. */
const SENDING_MS = 15 * 60_000;

/** Sends documents by the public API. Rejects with ServerUnreachable or RequestRefused. */
class DocumentClient {
  private readonly endpoint: string;
  private readonly socket: EventSocket;

  constructor(
    serverUrl: string,
    private readonly token: () => Promise<string>,
  ) {
    this.endpoint = `${serverUrl}/graphql`;
    this.socket = new EventSocket(this.endpoint.replace(/^http/, 'ws'), token, () => undefined);
  }

  /** Gives the document's id once its bytes are stored. The server finds the media type by itself. */
  async send(path: string, name: string): Promise<string> {
    const file = await openAsBlob(path);
    const input = { name, mediaType: '', bytes: file.size };
    const data = await graphqlRequest(this.endpoint, await this.token(), {
      query: createUpload,
      variables: { input },
    });
    const { url, method, headers, document } = this.checked(Ticket, data).createDocumentUpload;
    const signal = AbortSignal.timeout(SENDING_MS);
    const response = await fetch(url, { method, headers, body: file, signal }).catch((cause: unknown) => {
      throw new ServerUnreachable(`The file could not be sent to ${new URL(url).origin}.`, { cause });
    });
    if (!response.ok) throw await refusalIn(response);
    await response.body?.cancel();
    return document.id;
  }

  /** The document's state, now and after each change, until it is COMPLETED or FAILED. */
  async *follow(id: string): AsyncGenerator<SentDocument, void> {
    for await (const data of this.socket.results({ query: followProgress, variables: { id } })) {
      const { documentProgress: document } = this.checked(Progress, data);
      yield document;
      if (document.status === 'COMPLETED' || document.status === 'FAILED') return;
    }
  }

  close(): Promise<void> {
    return this.socket.close();
  }

  private checked<T>(schema: z.ZodType<T>, data: unknown): T {
    const { success, data: value, error } = schema.safeParse(data);
    if (success) return value;
    throw new ServerUnreachable(`What answers at ${this.endpoint} does not keep to Palabre's contract.`, {
      cause: error,
    });
  }
}

async function refusalIn(response: Response): Promise<Error> {
  const refusal = Refusal.safeParse(await response.json().catch(() => null));
  return refusal.success
    ? refusalOf(refusal.data.errors)
    : new ServerUnreachable(`The file was not taken (HTTP ${response.status}).`);
}
