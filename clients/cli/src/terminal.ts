import { CommanderError, type Command } from 'commander';

import type { Environment } from './server-access.js';

/** What a command uses of its process. */
export interface Terminal {
  /** Replaces the process's environment. */
  readonly env?: Environment;
  /** Standard output: what was asked for. */
  out(text: string): void;
  /** Standard error: what a person should know besides. */
  error(text: string): void;
  /**
   * Asks the person at the terminal, and returns the line that they type; empty at the end of input, and once it need
   * not be answered any more. Left out: nobody is there.
   */
  ask?(question: string, signal?: AbortSignal): Promise<string>;
}

export const exitCodes = { done: 0, failed: 1, usage: 2, noServer: 3, interrupted: 130 } as const;

/** Makes commander report through `terminal` and by exception, never by ending the process. */
export function useTerminal(command: Command, terminal: Terminal): Command {
  return command
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.error(text) });
}

/** The exit code for commander's own errors: --help, or a bad command line. Null: it is another error. */
export function usageExitCode(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}

/** The message of anything that was thrown. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : error;
  return typeof words === 'string' && words !== '' ? words : 'Something went wrong.';
}

/** `1 page`, `1,000 pages`. */
export function counted(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}
