import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

import {
  type Answer,
  completionBody,
  completionRequest,
  type CompletionRequest,
  errorBody,
} from './protocol.js';
import { replyTo } from './reply.js';
import { writeAnswer } from './stream.js';
import { cutToTokens, estimateTokens } from './token-estimate.js';

export interface OfflineModelOptions {
  /** The speed of streamed answers. 0: without pauses. */
  tokensPerSecond: number;
}

export interface OfflineModel {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Ends open streams, and resolves when the port is free. */
  close(): Promise<void>;
}

const MODEL_NAME = 'palabre-offline';
const MAX_BODY_BYTES = 8 * 1024 * 1024;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

/** Starts the model on a free port of the loopback interface. Rejects if it cannot listen. */
export async function start({ tokensPerSecond }: OfflineModelOptions): Promise<OfflineModel> {
  const server = createServer((request, response) => void handle(request, response, tokensPerSecond));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | null = null;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => (closing ??= close(server)) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  tokensPerSecond: number,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const path = (request.url ?? '').split('?')[0];
    const asked = `${request.method} ${path}`;
    if (asked === 'GET /v1/models') sendJson(response, 200, models);
    else if (asked === 'POST /v1/chat/completions')
      await complete(parse(await bodyOf(request)), response, tokensPerSecond, gone.signal);
    else throw new Refused(404, `There is nothing at ${asked}.`, 'not_found');
  } catch (error) {
    refuse(response, error, gone.signal);
  }
}

const models = {
  object: 'list',
  data: [{ id: MODEL_NAME, object: 'model', created: 0, owned_by: 'palabre' }],
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES)
      throw new Refused(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`, 'request_too_large');
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

async function complete(
  asked: CompletionRequest,
  response: ServerResponse,
  tokensPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const answer = answerTo(asked);
  if (!asked.stream) return sendJson(response, 200, completionBody(answer));
  const includeUsage = asked.stream_options?.include_usage ?? false;
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  await writeAnswer(response, answer, { tokensPerSecond, includeUsage }, signal);
  response.end();
}

/** The same request always gets the same answer, ids included. */
function answerTo(request: CompletionRequest): Answer {
  const reply = replyTo(request);
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 20);
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  const text = 'text' in reply ? cutToTokens(reply.text, limit) : null;
  const calls = 'text' in reply ? [] : reply.calls;
  const prompt = estimateTokens(JSON.stringify([request.messages, request.tools]));
  const completion = estimateTokens(text ?? JSON.stringify(calls));
  const isCut = 'text' in reply && text !== reply.text;
  return {
    text,
    calls: calls.map((call, index) => ({
      id: `call_${digest}${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
    finish: isCut ? 'length' : text === null ? 'tool_calls' : 'stop',
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    envelope: {
      id: `chatcmpl-${digest}`,
      created: Math.floor(Date.now() / 1000),
      model: MODEL_NAME,
    },
  };
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function refuse(response: ServerResponse, error: unknown, gone: AbortSignal): void {
  if (gone.aborted) return;
  if (response.headersSent) return void response.destroy();
  // The unread rest of a refused body must not be parsed as the next request.
  response.setHeader('connection', 'close');
  if (error instanceof Refused) return sendJson(response, error.status, errorBody(error.message, error.code));
  sendJson(response, 500, errorBody('The offline model failed.', null, true));
}
