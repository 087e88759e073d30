import { Command, InvalidArgumentError } from 'commander';

import { readClientConfig } from '../common/config/client-config.js';
import { tokenSource } from './client-token.js';
import { reportError, isUnauthenticated, ownTokenHint } from './run-command.js';
import { PalabreClient } from './palabre-client.js';
import { exitCodes, type Terminal, usageExitCode, wordsOf, useTerminal } from './terminal.js';
import type { ReceivedEvent } from './turn-event.js';
import { TurnPrinter } from './turn-printer.js';
import { distribution } from '../common/config/distribution.js';

interface AskTerminal extends Terminal {
  /** True when a person looks at the standard output. */
  readonly isTTY: boolean;
  readInput(): Promise<string>;
  /** Called when a turn is about to start; the signal aborts when the user wants it cancelled. */
  interruptSignal(): AbortSignal;
}

/** Runs the terminal client and gives the exit code. */
export async function runAsk(commandLine: readonly string[], terminal: AskTerminal): Promise<number> {
  try {
    const given = parseAskArguments(commandLine, terminal);
    const question = given.question === '-' ? (await terminal.readInput()).trim() : given.question;
    if (question) return await ask({ ...given, question }, terminal);
    terminal.error('There is no question.\n');
    return exitCodes.usage;
  } catch (error) {
    return usageExitCode(error) ?? reportError(error, terminal);
  }
}

async function ask(given: AskArguments, terminal: AskTerminal): Promise<number> {
  const config = readClientConfig(terminal.env);
  let screen: Screen = { terminal, conversationId: null, printer: null };
  const client = new PalabreClient(config.serverUrl, tokenSource(config), () =>
    notice(screen, 'The connection was lost. Connecting again …'),
  );
  try {
    const interrupt = terminal.interruptSignal();
    const { question: message, assistantKey, conversationId, documentIds } = given;
    const started = await client.startTurn({ message, assistantKey, conversationId, documentIds });
    if ('refusal' in started) {
      terminal.error(`${started.refusal}\n`);
      return exitCodes.usage;
    }
    const colours = terminal.isTTY && !config.plain;
    const { serverUrl } = config;
    const options = { colours, live: terminal.isTTY, serverUrl, conversationId: started.conversationId };
    const printer = given.json ? null : new TurnPrinter(options);
    screen = { terminal, conversationId: started.conversationId, printer };
    onAbort(interrupt, () => cancel(client, started.turnId, screen));
    return await follow(client.turnEvents(started.turnId), screen);
  } catch (error) {
    const code = reportError(error, terminal);
    if (isUnauthenticated(error) && !config.token) terminal.error(ownTokenHint(config.companySlug));
    if (code === exitCodes.noServer && screen.conversationId)
      terminal.error(whereTheAnswerWillBe(screen.conversationId));
    return code;
  } finally {
    await client.close();
  }
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

function cancel(client: PalabreClient, turnId: string, screen: Screen): void {
  // The terminal has just printed ^C on the current line.
  screen.printer?.endLine();
  notice(screen, '\nCancelling … (Ctrl-C again leaves at once)');
  client.cancelTurn(turnId).catch((error: unknown) => notice(screen, wordsOf(error)));
}

/** Shows the events, as JSON without a printer, and gives the exit code that the turn's end calls for. */
async function follow(events: AsyncIterable<ReceivedEvent>, { terminal, printer }: Screen): Promise<number> {
  let status = '';
  try {
    for await (const { event, raw } of events) {
      if (!printer) terminal.out(`${JSON.stringify(raw)}\n`);
      else if (event) terminal.out(printer.print(event));
      if (event?.__typename === 'TurnDone') status = event.status;
    }
  } finally {
    if (printer) terminal.out(printer.rest());
  }
  if (status === 'COMPLETED') return exitCodes.done;
  return status === 'CANCELLED' ? exitCodes.interrupted : exitCodes.failed;
}

function whereTheAnswerWillBe(conversationId: string): string {
  return `The answer will be in the conversation ${conversationId}.\n`;
}

interface AskArguments {
  /** `-` alone: the question comes from standard input. */
  readonly question: string;
  readonly assistantKey?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The documents that the turn is restricted to. */
  readonly documentIds?: readonly string[] | undefined;
  readonly json: boolean;
}

interface Options {
  assistant?: string;
  conversation?: string;
  document?: string[];
  json?: true;
}

const DEFAULT_ASSISTANT = distribution.assistant;

/** Reads the command line of `ask`. Throws commander's error for a bad command line, and for --help. */
function parseAskArguments(commandLine: readonly string[], terminal: Terminal): AskArguments {
  const command = useTerminal(new Command('ask'), terminal)
    .description('Asks an assistant of a running Palabre server, and shows the turn as it goes.')
    .usage('[options] <question...>')
    .argument('<question...>', 'the question, quoted or not; - reads it from standard input')
    .option('--assistant <key>', `who is asked (default: ${DEFAULT_ASSISTANT}, or the conversation's own)`)
    .option('--conversation <id>', 'go on with this conversation', conversationId)
    .option('--document <id>', 'about this document alone; may be given several times', documentIds)
    .option('--json', 'print the events, one JSON object a line, and nothing else')
    .addHelpText('after', environmentHelp)
    .parse(commandLine, { from: 'user' });
  const options = command.opts<Options>();
  const ownAssistant = options.conversation ? undefined : DEFAULT_ASSISTANT;
  return {
    question: command.args.join(' ').trim(),
    assistantKey: options.assistant ?? ownAssistant,
    conversationId: options.conversation,
    documentIds: options.document,
    json: options.json ?? false,
  };
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

const environmentHelp = `
Environment:
  PALABRE_URL      where the server is (default: http://localhost:PORT)
  PALABRE_TOKEN    a bearer token (default: one for demo@example.org, an admin, signed with AUTH_SECRET or the secret
                   in DATA_DIR)
  PALABRE_COMPANY  the company of that default token (default: demo)

Exit code: 0 completed, 1 failed, 2 refused, 3 no server, 130 cancelled (Ctrl-C).`;
