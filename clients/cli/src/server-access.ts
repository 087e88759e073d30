import { createPalabre, type Palabre } from '@palabre/client';
import { type Command, InvalidArgumentError } from 'commander';

/** With the client's pauses about a minute: a server that restarts is back by then. */
const MAX_RETRIES = 12;

/** A mistake in the settings or on the command line. The message says what to give. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The server that a command speaks to, and as whom. */
export interface ServerAccess {
  /** Without a slash at the end. */
  readonly url: string;
  /** A bearer token, asked for at each connection. */
  token(): Promise<string>;
  /** Output without colours (https://no-color.org). */
  readonly plain: boolean;
  /** What to do where the server refuses the token; null: whoever gave it knows. */
  readonly refusalHint: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line says of the server. */
export interface GivenServer {
  url?: string;
  token?: string;
}

/** Gives the access that the command line and the environment ask for. Throws UsageError. */
export type FindAccess = (given: GivenServer, env?: Environment) => ServerAccess;

/** Adds the options that say which server it is. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <address>', 'where the server is (instead of PALABRE_URL)', notBlank)
    .option('--token <token>', 'a bearer token; other users of this machine may see it there', notBlank);
}

/** An empty variable in a script would silently be another server or person. */
function notBlank(text: string): string {
  if (text.trim()) return text.trim();
  throw new InvalidArgumentError('It is empty.');
}

/** A client of the server. */
export function clientOf(
  { url, token }: Pick<ServerAccess, 'url' | 'token'>,
  onConnectionChange: (isConnected: boolean) => void = () => undefined,
): Palabre {
  return createPalabre({ url, token, maxRetries: MAX_RETRIES, onConnectionChange });
}

/** Any server, with a token that somebody has given. */
export function remoteAccess({ url, token }: GivenServer, env: Environment = process.env): ServerAccess {
  const address = url ?? env['PALABRE_URL'];
  const bearer = token ?? env['PALABRE_TOKEN'];
  if (!address || !/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new UsageError(
      'Say by --url or PALABRE_URL where the server is: an address that begins with http:// or https://.',
    );
  if (!bearer) throw new UsageError('Give a bearer token by PALABRE_TOKEN or --token, such as an API key.');
  return {
    url: address.replace(/\/+$/, ''),
    token: async () => bearer,
    plain: env['NO_COLOR'] !== undefined,
    refusalHint: null,
  };
}
