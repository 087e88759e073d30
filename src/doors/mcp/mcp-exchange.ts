import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Answered by a stream from the start, so that comments keep the connection open. */
  isLong: boolean;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  url: string;
  makeServer: McpServerFactory;
  /** Sends an answer in parts. */
  stream: (frames: AsyncGenerator<string, void, undefined>) => Promise<void>;
  onError: (error: Error) => void;
}

/** Answers one request in either version of the protocol. Without sessions, so any process can answer. */
export async function answerExchange(exchange: Exchange): Promise<void> {
  const { request, reply, isLong, signal, url, makeServer, stream, onError } = exchange;
  const asked = new Request(url, { method: request.method, headers: headersOf(request), signal });
  const { body } = request;
  const handler = createMcpHandler(makeServer, {
    responseMode: isLong ? 'sse' : 'auto',
    // The stream sends its own.
    keepAliveMs: 0,
    onerror: onError,
  });
  const answer = await handler.fetch(asked, body == null ? {} : { parsedBody: body });
  if (answer.body && answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return stream(framesOf(answer.body));
  const text = await answer.text();
  void reply
    .code(answer.status)
    .headers({ ...Object.fromEntries(answer.headers), 'cache-control': 'no-store' })
    .send(text);
}

function headersOf({ headers }: FastifyRequest): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) given.append(name, one);
  }
  return given;
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
