import { dataIn, post, type TokenSource } from './http-request.js';
import { PalabreError } from './palabre-error.js';
import type { Operation, Result } from './typed-document.js';

/** The server sends a comment every 12 seconds where it has nothing else to say. */
const SILENCE_MS = 30_000;

/**
 * The results of a subscription over server-sent events, for networks that let no WebSocket through: one request a
 * subscription, as graphql-sse does it in its distinct connections mode. `opened` is called once the server streams.
 */
export async function* eventStream(
  endpoint: string,
  token: TokenSource,
  operation: Operation,
  { signal, opened }: { signal: AbortSignal | undefined; opened: () => void },
): AsyncGenerator<Result, void, undefined> {
  const watch = new SilenceWatch(signal);
  try {
    const url = `${endpoint}/stream`;
    const response = await post(url, token, operation, 'text/event-stream', {
      signal: watch.signal,
      givenUp: signal,
    });
    if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
      dataIn(await response.text(), response.status, url);
      throw new PalabreError('NOT_PALABRE', `What answers at ${url} does not stream.`);
    }
    opened();
    for await (const { name, data } of messagesIn(response.body, watch)) {
      if (name === 'complete') return;
      if (name === 'next') yield JSON.parse(data) as Result;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof PalabreError ? cause : lost(cause);
  } finally {
    watch.end();
  }
  throw lost(undefined);
}

function lost(cause: unknown): PalabreError {
  return new PalabreError('UNREACHABLE', 'The connection to the server is lost.', { cause });
}

/** Aborts when nothing has come for too long: a connection that is half open tells nothing by itself. */
class SilenceWatch {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor(givenUp: AbortSignal | undefined) {
    this.signal = givenUp ? AbortSignal.any([givenUp, this.controller.signal]) : this.controller.signal;
    this.heard();
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(), SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }
}

/** The messages of an event stream: https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* messagesIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  watch: SilenceWatch,
): AsyncGenerator<{ name: string; data: string }, void, undefined> {
  const decoder = new TextDecoder();
  // Not `for await`: some browsers do not iterate over streams.
  const reader = body.getReader();
  let rest = '';
  let name = '';
  let data = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    watch.heard();
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('event:')) name = line.slice(6).trim();
      else if (line.startsWith('data:')) data += line.slice(5).trim();
      else if (line.trim() === '') {
        if (name) yield { name, data };
        name = data = '';
      }
    }
  }
}
