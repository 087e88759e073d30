import { PalabreError } from '@palabre/client';

import { UsageError } from './server-access.js';
import { exitCodes, type Terminal, wordsOf } from './terminal.js';

/** Runs a command with this process's command line, and leaves its exit code. */
export async function runCommand<T extends Terminal>(
  run: (commandLine: readonly string[], terminal: T) => number | Promise<number>,
  terminal: T,
): Promise<void> {
  process.stdout.on('error', onOutputError);
  try {
    process.exitCode = await run(process.argv.slice(2), terminal);
  } catch (error) {
    process.exitCode = reportError(error, terminal);
  }
}

function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  // The reader has closed the pipe (as `head` does). The command goes on.
  if (code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written (${message}).\n`);
  process.exit(exitCodes.failed);
}

const noServerCodes: ReadonlySet<string> = new Set(['UNREACHABLE', 'NOT_PALABRE']);

/** Shows what went wrong, and gives the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  const isFromServer = error instanceof PalabreError && !isNoServer(error);
  terminal.error(`${wordsOf(error)}${isFromServer ? ` (${error.code})` : ''}\n`);
  if (isNoServer(error)) {
    terminal.error('A server is started by npm start; --url or PALABRE_URL says where it is.\n');
    return exitCodes.noServer;
  }
  if (error instanceof UsageError) return exitCodes.usage;
  return isFromServer && error.code !== 'INTERNAL' ? exitCodes.usage : exitCodes.failed;
}

/** Whether no Palabre server answers. */
export function isNoServer(error: unknown): boolean {
  return error instanceof PalabreError && noServerCodes.has(error.code);
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof PalabreError && error.code === 'UNAUTHENTICATED';
}
