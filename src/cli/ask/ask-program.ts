import { readClientConfig } from '../../config/client-config.js';
import { type AskArguments, parseAskArguments } from './ask-arguments.js';
import { tokenSource } from '../client/client-token.js';
import { complain, isUnauthenticated, ownTokenHint } from '../complaint.js';
import { PalabreClient } from '../client/palabre-client.js';
import { exitCodes, type Terminal, usageExitCode, wordsOf } from '../terminal.js';
import type { ReceivedEvent } from '../client/turn-event.js';
import { TurnPrinter } from './turn-printer.js';

export interface AskTerminal extends Terminal {
  /** True when a person looks at the standard output. */
  readonly isTTY: boolean;
  readInput(): Promise<string>;
  /** Called when a turn is about to start; the signal aborts when the user wants it cancelled. */
  interruptSignal(): AbortSignal;
}

/** Runs the terminal client and gives the exit code. */
export const runAsk = async (commandLine: readonly string[], terminal: AskTerminal): Promise<number> => {
  try {
    const given = parseAskArguments(commandLine, terminal);
    const question = given.question === '-' ? (await terminal.readInput()).trim() : given.question;
    if (question) return await ask({ ...given, question }, terminal);
    terminal.error('There is no question.\n');
    return exitCodes.usage;
  } catch (error) {
    return usageExitCode(error) ?? complain(error, terminal);
  }
};

const ask = async (given: AskArguments, terminal: AskTerminal): Promise<number> => {
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
    const code = complain(error, terminal);
    if (isUnauthenticated(error) && !config.token) terminal.error(ownTokenHint(config.companySlug));
    if (code === exitCodes.noServer && screen.conversationId)
      terminal.error(whereToLook(screen.conversationId));
    return code;
  } finally {
    await client.close();
  }
};

/** What the user looks at. */
interface Screen {
  terminal: Terminal;
  /** null before the turn has started. */
  conversationId: string | null;
  /** null before that as well, and where events are shown as JSON. */
  printer: TurnPrinter | null;
}

/** Tells something besides the turn, on a line of its own. */
const notice = ({ terminal, printer }: Screen, text: string): void => {
  terminal.out(printer?.endLine() ?? '');
  terminal.error(`${text}\n`);
};

const onAbort = (signal: AbortSignal, act: () => void): void => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
};

const cancel = (client: PalabreClient, turnId: string, screen: Screen): void => {
  // The terminal has just written ^C behind what was there.
  screen.printer?.endLine();
  notice(screen, '\nCancelling … (Ctrl-C again leaves at once)');
  client.cancelTurn(turnId).catch((error: unknown) => notice(screen, wordsOf(error)));
};

/** Shows the events, as JSON without a printer, and gives the exit code that the turn's end calls for. */
const follow = async (
  events: AsyncIterable<ReceivedEvent>,
  { terminal, printer }: Screen,
): Promise<number> => {
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
};

const whereToLook = (conversationId: string): string =>
  `The answer will be in the conversation ${conversationId}.\n`;
