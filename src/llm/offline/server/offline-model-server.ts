import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { type Answer, writeAnswer } from './completion-stream.js';
import { completionBody, completionRequest, type CompletionRequest, errorBody } from './protocol.js';
import { think } from '../think.js';
import { cutToTokens, estimateTokens } from './token-estimate.js';

export interface OfflineModelOptions {
  /** How fast answers are streamed. 0: without pauses. */
  tokensPerSecond: number;
}

export interface OfflineModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ends open streams, stops listening and resolves when the port is free. */
  close(): Promise<void>;
}

const modelName = 'palabre-offline';
const longestBody = 8 * 1024 * 1024;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > longestBody)
      throw new Refused(413, `The body is larger than ${longestBody} bytes.`, 'request_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parse(body: string): CompletionRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refused(400, 'The body is not valid JSON.');
  }
  const parsed = completionRequest.safeParse(value);
  if (!parsed.success) throw new Refused(400, z.prettifyError(parsed.error));
  return parsed.data;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function answerTo(request: CompletionRequest): Answer {
  const thought = think(request);
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  const cut = 'text' in thought ? cutToTokens(thought.text, limit) : null;
  const reply = cut ? { text: cut.text } : thought;
  const prompt = estimateTokens(JSON.stringify([request.messages, request.tools]));
  const completion = estimateTokens('text' in reply ? reply.text : JSON.stringify(reply.toolCalls));
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return {
    reply,
    finish: cut?.cut ? 'length' : 'text' in reply ? 'stop' : 'tool_calls',
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    envelope: {
      id: `chatcmpl-${digest.slice(0, 24)}`,
      created: Math.floor(Date.now() / 1000),
      model: modelName,
    },
  };
}

async function stream(
  response: ServerResponse,
  asked: CompletionRequest,
  tokensPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const includeUsage = asked.stream_options?.include_usage ?? false;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  await writeAnswer(response, answerTo(asked), { tokensPerSecond, includeUsage }, signal);
  response.end();
}

async function complete(
  request: IncomingMessage,
  response: ServerResponse,
  tokensPerSecond: number,
  signal: AbortSignal,
) {
  const asked = parse(await bodyOf(request));
  if (asked.stream) return stream(response, asked, tokensPerSecond, signal);
  const { reply, finish, usage, envelope } = answerTo(asked);
  return sendJson(response, 200, completionBody(envelope, reply, finish, usage));
}

const models = {
  object: 'list',
  data: [{ id: modelName, object: 'model', created: 0, owned_by: 'palabre' }],
};

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  tokensPerSecond: number,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const path = (request.url ?? '').split('?')[0];
    if (request.method === 'POST' && path === '/v1/chat/completions')
      await complete(request, response, tokensPerSecond, gone.signal);
    else if (request.method === 'GET' && path === '/v1/models') sendJson(response, 200, models);
    else throw new Refused(404, `There is nothing at ${request.method} ${path}.`, 'not_found');
  } catch (error) {
    refuse(response, error, gone.signal);
  }
}

function refuse(response: ServerResponse, error: unknown, gone: AbortSignal): void {
  if (gone.aborted) return;
  if (response.headersSent) return void response.destroy();
  // What was not read of a refused body must not be taken for the next request.
  response.setHeader('connection', 'close');
  if (error instanceof Refused) return sendJson(response, error.status, errorBody(error.message, error.code));
  sendJson(response, 500, {
    error: { message: 'The offline model failed.', type: 'server_error', param: null, code: null },
  });
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });

/** Starts the offline model on a free port of the loopback interface. Rejects when it cannot listen. */
export async function startOfflineModel({
  tokensPerSecond,
}: OfflineModelOptions): Promise<OfflineModelServer> {
  const server = createServer((request, response) => void handle(request, response, tokensPerSecond));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | null = null;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => (closing ??= closed(server)) };
}
