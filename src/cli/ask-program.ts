import { readClientConfig } from '../config/client-config.js';
import { ConfigError } from '../config/environment.js';
import { type AskArguments, parseAskArguments } from './ask-arguments.js';
import { tokenSource } from './client-token.js';
import { PalabreClient } from './palabre-client.js';
import { RequestRefused } from './request-refused.js';
import { ServerUnreachable } from './server-unreachable.js';
import { exitCodes, type Terminal, usageExitCode, wordsOf } from './terminal.js';
import type { ReceivedEvent } from './turn-event.js';
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
  const client = new PalabreClient(config.serverUrl, tokenSource(config), () =>
    terminal.error('The connection was lost. Connecting again …\n'),
  );
  try {
    const interrupt = terminal.interruptSignal();
    const { question: message, assistantKey, conversationId } = given;
    const started = await client.startTurn({ message, assistantKey, conversationId });
    if ('refusal' in started) {
      terminal.error(`${started.refusal}\n`);
      return exitCodes.usage;
    }
    cancelOn(interrupt, client, started.turnId, terminal);
    const colours = terminal.isTTY && !config.plain;
    const printer = new TurnPrinter({
      colours,
      live: terminal.isTTY,
      conversationId: started.conversationId,
    });
    return await follow(client.turnEvents(started.turnId), given.json ? null : printer, terminal);
  } catch (error) {
    if (isUnauthenticated(error) && !config.token) terminal.error(ownTokenHint(config.serverUrl));
    throw error;
  } finally {
    await client.close();
  }
};

const cancelOn = (
  interrupt: AbortSignal,
  client: PalabreClient,
  turnId: string,
  terminal: Terminal,
): void => {
  const cancel = (): void => {
    terminal.error('\nCancelling … (Ctrl-C again leaves at once)\n');
    client.cancelTurn(turnId).catch((error: unknown) => terminal.error(`${wordsOf(error)}\n`));
  };
  if (interrupt.aborted) cancel();
  else interrupt.addEventListener('abort', cancel, { once: true });
};

/** Shows the events, as JSON without a printer, and gives the exit code that the turn's end calls for. */
const follow = async (
  events: AsyncIterable<ReceivedEvent>,
  printer: TurnPrinter | null,
  terminal: Terminal,
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

const complain = (error: unknown, terminal: Terminal): number => {
  const code = error instanceof RequestRefused ? ` (${error.code})` : '';
  terminal.error(`${wordsOf(error)}${code}\n`);
  if (error instanceof ServerUnreachable) return exitCodes.noServer;
  if (error instanceof ConfigError) return exitCodes.usage;
  return error instanceof RequestRefused && error.code !== 'INTERNAL' ? exitCodes.usage : exitCodes.failed;
};

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof RequestRefused && error.code === 'UNAUTHENTICATED';

const ownTokenHint = (serverUrl: string): string =>
  `${serverUrl} does not accept the token that was made here: it has another secret, or no such company.\n` +
  'Set PALABRE_TOKEN (where the server runs: npm run palabre -- token --help), or AUTH_SECRET as the server has it.\n';
