import { ConfigError } from '../config/environment.js';
import { RequestRefused } from './client/request-refused.js';
import { ServerUnreachable } from './client/server-unreachable.js';
import { exitCodes, type Terminal, wordsOf } from './terminal.js';

/** Tells what went wrong, and gives the exit code for it. */
export const complain = (error: unknown, terminal: Terminal): number => {
  const code = error instanceof RequestRefused ? ` (${error.code})` : '';
  terminal.error(`${wordsOf(error)}${code}\n`);
  if (error instanceof ServerUnreachable) return exitCodes.noServer;
  if (error instanceof ConfigError) return exitCodes.usage;
  return error instanceof RequestRefused && error.code !== 'INTERNAL' ? exitCodes.usage : exitCodes.failed;
};

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof RequestRefused && error.code === 'UNAUTHENTICATED';

/** For whoever was refused with a token that was signed here. */
export const ownTokenHint = (company: string): string =>
  `The token was made here, for the company ${company}, as PALABRE_TOKEN is not set. Give this command the server's own\n` +
  'DATA_DIR or AUTH_SECRET, and PALABRE_COMPANY if it has no such company; or a token as PALABRE_TOKEN\n' +
  '(where the server runs: npm run -s palabre -- token --help).\n';
