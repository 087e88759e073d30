import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { type AskedTurn, type Palabre, PalabreError } from '@palabre/client';
import { Command, InvalidArgumentError } from 'commander';

import { assistantsThere } from './assistants-there.js';
import { PersonAsked } from './input-answers.js';
import { isUnauthenticated, reportError } from './run-command.js';
import { clientOf, type FindAccess, type GivenServer, withServerOptions } from './server-access.js';
import { exitCodes, type Terminal, usageExitCode, wordsOf, useTerminal } from './terminal.js';
import { TurnPrinter } from './turn-printer.js';

export interface AskTerminal extends Terminal {
  /** True when a person looks at the standard output. */
  readonly isTTY: boolean;
  readInput(): Promise<string>;
  /** Called when a turn is about to start; the signal aborts when the user wants it cancelled. */
  interruptSignal(): AbortSignal;
}

/** What is different where the server is on another machine. */
export interface AskSettings {
  /** The command's, in its help. */
  readonly name: string;
  /** How people type it. */
  readonly typed: string;
  readonly access: FindAccess;
  /** Who is asked in a new conversation; null: whoever the command line names. */
  readonly defaultAssistant: string | null;
  /** The lines of the help about the environment. */
  readonly environment: string;
}

/** Runs the terminal client and gives the exit code. */
export async function runAsk(
  commandLine: readonly string[],
  terminal: AskTerminal,
  settings: AskSettings,
  connect: typeof clientOf = clientOf,
): Promise<number> {
  try {
    const given = parseAskArguments(commandLine, terminal, settings);
    const question = given.question === '-' ? (await terminal.readInput()).trim() : given.question;
    if (question || given.mode === 'regenerate')
      return await ask({ ...given, question }, terminal, settings, connect);
    terminal.error('There is no question.\n');
    return exitCodes.usage;
  } catch (error) {
    return usageExitCode(error) ?? reportError(error, terminal);
  }
}

async function ask(
  given: AskArguments,
  terminal: AskTerminal,
  { access: find, typed: command }: AskSettings,
  connect: typeof clientOf,
): Promise<number> {
  const access = find(given.server, terminal.env);
  let screen: Screen = { terminal, conversationId: null, printer: null };
  const client = connect(access, (isConnected) => {
    if (!isConnected) notice(screen, 'The connection was lost. Connecting again …');
  });
  try {
    const interrupt = terminal.interruptSignal();
    const turn = await turnOf(client, given);
    const { conversationId } = await turn.started;
    const colours = terminal.isTTY && !access.plain;
    // The token is not repeated: it would be on the screen.
    const typed = given.server.url === undefined ? command : `${command} --url ${access.url}`;
    const options = { colours, live: terminal.isTTY, serverUrl: access.url, conversationId, typed };
    screen = { terminal, conversationId, printer: given.json ? null : new TurnPrinter(options) };
    onAbort(interrupt, () => cancel(turn, screen));
    return await follow(client, turn, screen);
  } catch (error) {
    const code = reportError(error, terminal);
    terminal.error((await assistantsThere(client, error).catch(() => null)) ?? '');
    if (isUnauthenticated(error) && access.refusalHint) terminal.error(access.refusalHint);
    if (code === exitCodes.noServer && screen.conversationId)
      terminal.error(whereTheAnswerWillBe(screen.conversationId));
    return code;
  } finally {
    await client.close();
  }
}

async function turnOf(client: Palabre, given: AskArguments): Promise<AskedTurn> {
  const { mode, question: message, conversationId, assistantKey, documentIds } = given;
  if (mode === 'ask') {
    const attachmentIds = await attach(client, given);
    return client.ask({ message, assistantKey, conversationId, documentIds, attachmentIds });
  }
  const messageId = await lastQuestion(client, conversationId ?? '');
  if (mode === 'regenerate') return client.regenerate({ messageId, assistantKey });
  return client.ask({ message, assistantKey, conversationId, documentIds, replacesMessageId: messageId });
}

/** The ids of the files, once they are sent. */
async function attach(client: Palabre, { files = [], conversationId }: AskArguments): Promise<string[]> {
  const ids: string[] = [];
  for (const file of files) {
    // The server finds the media type by itself.
    const options = { name: basename(file), mediaType: '', conversationId };
    ids.push(await client.uploadAttachment(await fileAt(file), options));
  }
  return ids;
}

async function fileAt(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new PalabreError('BAD_USER_INPUT', `There is no file ${path}.`, { cause });
  }
}

interface LastMessages {
  conversation: { messages: { edges: { node: { id: string; role: string } }[] } } | null;
}

const lastMessages = `query LastMessages($id: ID!) {
  conversation(id: $id) { messages(last: 2) { edges { node { id role } } } }
}`;

/** The last question of the path that is shown; its answer may not be there yet. */
async function lastQuestion(client: Palabre, id: string): Promise<string> {
  const { conversation } = await client.request<LastMessages, { id: string }>(lastMessages, { id });
  const question = conversation?.messages.edges.findLast(({ node }) => node.role === 'USER');
  if (question) return question.node.id;
  throw new PalabreError('NOT_FOUND', 'There is no such conversation, or no question in it.');
}

/** What the user looks at. */
interface Screen {
  terminal: Terminal;
  /** null before the turn has started. */
  conversationId: string | null;
  /** null before that, and when events are shown as JSON. */
  printer: TurnPrinter | null;
}

/** Shows a message on a line of its own. */
function notice({ terminal, printer }: Screen, text: string): void {
  terminal.out(printer?.endLine() ?? '');
  terminal.error(`${text}\n`);
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

function cancel(turn: AskedTurn, screen: Screen): void {
  // The terminal has just printed ^C on the current line.
  screen.printer?.endLine();
  notice(screen, '\nCancelling … (Ctrl-C again leaves at once)');
  turn.cancel().catch((error: unknown) => notice(screen, wordsOf(error)));
}

interface TurnFiles {
  turn: { files: { name: string; url: string }[] } | null;
}

const turnFiles = `query TurnFiles($id: ID!) { turn(id: $id) { files { name url } } }`;

/**
 * Shows the events, as JSON without a printer, then the files that skills have made, and gives the exit code that the
 * turn's end calls for.
 */
async function follow(client: Palabre, turn: AskedTurn, { terminal, printer }: Screen): Promise<number> {
  const person = new PersonAsked(client, terminal);
  try {
    for await (const event of turn) {
      terminal.out(printer?.print(event) ?? `${JSON.stringify(event)}\n`);
      if (printer) person.take(event);
    }
    if (printer && turn.state.end?.usage.skillCalls) {
      const { turnId: id } = await turn.started;
      const made = await client.request<TurnFiles, { id: string }>(turnFiles, { id });
      for (const file of made.turn?.files ?? []) terminal.out(printer.file(file));
    }
  } finally {
    person.leave();
    if (printer) terminal.out(printer.rest());
  }
  const { status } = turn.state;
  if (status === 'COMPLETED') return exitCodes.done;
  return status === 'CANCELLED' ? exitCodes.interrupted : exitCodes.failed;
}

function whereTheAnswerWillBe(conversationId: string): string {
  return `The answer will be in the conversation ${conversationId}.\n`;
}

interface AskArguments {
  /** Whether the question is a new one, the last one in other words, or the last one as it is. */
  readonly mode: 'ask' | 'edit' | 'regenerate';
  /** `-` alone: the question comes from standard input. */
  readonly question: string;
  readonly assistantKey?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The documents that the turn is restricted to. */
  readonly documentIds?: string[] | undefined;
  /** What goes with the question. */
  readonly files?: string[] | undefined;
  readonly json: boolean;
  readonly server: GivenServer;
}

interface Options extends GivenServer {
  assistant?: string;
  conversation?: string;
  document?: string[];
  attach?: string[];
  edit?: true;
  regenerate?: true;
  json?: true;
}

/** Reads the command line of `ask`. Throws commander's error for a bad command line, and for --help. */
function parseAskArguments(
  commandLine: readonly string[],
  terminal: Terminal,
  { name, defaultAssistant, environment }: AskSettings,
): AskArguments {
  const command = withServerOptions(useTerminal(new Command(name), terminal))
    .description('Asks an assistant of a running Palabre server, and shows the turn as it goes.')
    .usage('[options] <question...>')
    .argument('[question...]', 'the question, quoted or not; - reads it from standard input')
    .option(
      '--assistant <key>',
      `who is asked (default: ${defaultAssistant === null ? '' : `${defaultAssistant}, or `}the conversation's own)`,
    )
    .option('--conversation <id>', 'go on with this conversation', conversationId)
    .option('--document <id>', 'about this document alone; may be given several times', documentIds)
    .option(
      '--attach <file>',
      'give this document or image with the question; may be given several times',
      files,
    )
    .option('--edit', "ask the conversation's last question anew, in these words; its first version stays")
    .option('--regenerate', "have the conversation's last question answered once more; takes no question")
    .option('--json', 'print the events, one JSON object a line, and nothing else')
    .addHelpText('after', `\nEnvironment:\n${environment}\n${EXIT_CODES}`)
    .parse(commandLine, { from: 'user' });
  const options = command.opts<Options>();
  const mode = modeOf(command, options);
  const ownAssistant = options.conversation ? undefined : (defaultAssistant ?? undefined);
  return {
    mode,
    question: command.args.join(' ').trim(),
    assistantKey: options.assistant ?? ownAssistant,
    conversationId: options.conversation,
    documentIds: options.document,
    files: options.attach,
    json: options.json ?? false,
    server: { ...(options.url && { url: options.url }), ...(options.token && { token: options.token }) },
  };
}

function modeOf(command: Command, { conversation, edit, regenerate, attach }: Options): AskArguments['mode'] {
  if (!regenerate && command.args.length === 0) command.error("error: missing required argument 'question'");
  if (!edit && !regenerate) return 'ask';
  if (!conversation) command.error('error: --edit and --regenerate need a --conversation');
  if (attach) command.error('error: --attach is for new questions: an edited one keeps what it has');
  if (edit && regenerate) command.error('error: give --edit or --regenerate, not both');
  if (regenerate && command.args.length > 0) command.error('error: --regenerate takes no question');
  return edit ? 'edit' : 'regenerate';
}

/** An empty variable in a script would silently begin a new conversation. */
function conversationId(text: string): string {
  if (text.trim()) return text.trim();
  throw new InvalidArgumentError('Give the id of a conversation.');
}

/** An empty variable in a script would silently search all documents. */
function documentIds(text: string, earlier: readonly string[] = []): string[] {
  if (text.trim()) return [...earlier, text.trim()];
  throw new InvalidArgumentError('Give the id of a document.');
}

function files(path: string, earlier: readonly string[] = []): string[] {
  return [...earlier, path];
}

const EXIT_CODES = `
Exit code: 0 completed, 1 failed, 2 refused, 3 no server, 130 cancelled (Ctrl-C).`;
