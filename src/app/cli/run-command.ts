import { PalabreError } from '@palabre/client';

import { loadEnvFile, ConfigError } from '../../common/config/environment.js';
import { exitCodes, type Terminal, wordsOf } from './terminal.js';

/** Runs a command with this process's command line and the settings of .env, and leaves its exit code. */
export async function runCommand<T extends Terminal>(
  run: (commandLine: readonly string[], terminal: T) => Promise<number>,
  terminal: T,
): Promise<void> {
  process.stdout.on('error', onOutputError);
  try {
    loadEnvFile();
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
    terminal.error('A server is started by npm start; PALABRE_URL says where it is.\n');
    return exitCodes.noServer;
  }
  if (error instanceof ConfigError) return exitCodes.usage;
  return isFromServer && error.code !== 'INTERNAL' ? exitCodes.usage : exitCodes.failed;
}

/** Whether no Palabre server answers. */
export function isNoServer(error: unknown): boolean {
  return error instanceof PalabreError && noServerCodes.has(error.code);
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof PalabreError && error.code === 'UNAUTHENTICATED';
}

/** What to do when the server refuses a token that was signed here. */
export function ownTokenHint(company: string): string {
  return (
    `The token was made here, for the company ${company}, as PALABRE_TOKEN is not set. Give this command the server's own\n` +
    'DATA_DIR or AUTH_SECRET, and PALABRE_COMPANY if it has no such company; or a token as PALABRE_TOKEN\n' +
    '(where the server runs: npm run -s palabre -- token --help).\n'
  );
}
