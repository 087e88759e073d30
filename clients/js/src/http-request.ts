import { errorIn, PalabreError } from './palabre-error.js';
import type { Operation } from './typed-document.js';

/** Gives the bearer token to sign in with; null: none is sent. */
export type TokenSource = () => Promise<string | null>;

const TIMEOUT_MS = 30_000;

/** Sends one query or mutation and gives its data. */
export async function httpRequest(
  endpoint: string,
  token: TokenSource,
  operation: Operation,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const limited = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const response = await post(
    endpoint,
    token,
    operation,
    'application/graphql-response+json, application/json',
    {
      signal: limited,
      givenUp: signal,
    },
  );
  const text = await response.text().catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw unreachable(endpoint, cause);
  });
  return dataIn(text, response.status, endpoint);
}

/** Sends an operation. Rejects with UNREACHABLE where nothing answers, and with the reason of `givenUp`. */
export async function post(
  endpoint: string,
  token: TokenSource,
  operation: Operation,
  accept: string,
  { signal, givenUp }: { signal: AbortSignal; givenUp: AbortSignal | undefined },
): Promise<Response> {
  const bearer = await token();
  const headers = {
    'content-type': 'application/json',
    accept,
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
  };
  try {
    return await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(operation), signal });
  } catch (cause) {
    givenUp?.throwIfAborted();
    throw unreachable(endpoint, cause);
  }
}

function unreachable(endpoint: string, cause: unknown): PalabreError {
  return new PalabreError('UNREACHABLE', `No Palabre server answers at ${endpoint}.`, { cause });
}

/** The data of a GraphQL answer. Throws its error, and what else an answer that is none tells. */
export function dataIn(text: string, status: number, endpoint: string): unknown {
  const { data, errors } = parsed(text);
  const error = errorIn(errors);
  if (error && status !== 404) throw error;
  // GraphQL tells what is missing with status 200: a 404 means a wrong path.
  if (data !== undefined && status !== 404) return data;
  // Proxies answer so while the server behind them is away.
  if (status >= 500 || status === 429)
    throw new PalabreError('UNREACHABLE', `The server at ${endpoint} is away (HTTP ${status}).`);
  throw new PalabreError('NOT_PALABRE', `What answers at ${endpoint} is no Palabre server (HTTP ${status}).`);
}

function parsed(text: string): { data?: unknown; errors?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
