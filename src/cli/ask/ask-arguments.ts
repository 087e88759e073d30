import { Command, InvalidArgumentError } from 'commander';

import { speakThrough, type Terminal } from '../terminal.js';

export interface AskArguments {
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

const DEFAULT_ASSISTANT = 'mefali';

/** Reads the command line of `ask`. Throws commander's error when it makes no sense, or when help was asked for. */
export const parseAskArguments = (commandLine: readonly string[], terminal: Terminal): AskArguments => {
  const command = speakThrough(new Command('ask'), terminal)
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
};

/** A script's empty variable would begin a new conversation in silence. */
const conversationId = (text: string): string => {
  if (text.trim()) return text.trim();
  throw new InvalidArgumentError('Give the id of a conversation.');
};

/** A script's empty variable would have all documents read in silence. */
const documentIds = (text: string, earlier: readonly string[] = []): string[] => {
  if (text.trim()) return [...earlier, text.trim()];
  throw new InvalidArgumentError('Give the id of a document.');
};

const environmentHelp = `
Environment:
  PALABRE_URL      where the server is (default: http://localhost:PORT)
  PALABRE_TOKEN    a bearer token (default: one for demo@example.org, an admin, signed with AUTH_SECRET or the secret
                   in DATA_DIR)
  PALABRE_COMPANY  the company of that default token (default: demo)

Exit code: 0 completed, 1 failed, 2 refused, 3 no server, 130 cancelled (Ctrl-C).`;
