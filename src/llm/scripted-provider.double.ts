import { once } from 'node:events';
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { JsonObject, JsonValue } from '../common/json.js';
import { type Meaning, meanings } from './embeddings/scripted-embedder.double.js';
import type { ModelError, ModelErrorCode, StopReason, ToolCall } from './chat-model.js';
import { replyTo, stopReasonOf, type Script, type ScriptStep } from './scripted-chat-model.double.js';

/** Bytes of the body, as they are; none sends the headers alone. */
export function raw(bytes: string | Uint8Array) {
  return { type: 'raw' as const, bytes };
}
/** Only as the first step of a reply. A body that is no text is sent as JSON. */
export function status(
  code: number,
  body: JsonValue = { error: { message: http.STATUS_CODES[code] ?? 'Error' } },
  headers: Record<string, string> = {},
) {
  return {
    type: 'status' as const,
    status: code,
    headers: { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
/** Cuts the connection. */
export function disconnect() {
  return { type: 'disconnect' as const };
}

/** What a scripted provider can do besides: bytes as they are, a status instead of a stream, a cut connection. */
export type ProviderStep =
  ScriptStep | ReturnType<typeof raw> | ReturnType<typeof status> | ReturnType<typeof disconnect>;

export type ProviderReply = readonly ProviderStep[];

/** A vector for each text, or what the provider does instead. Calls count from 1. */
export type EmbeddingScript = (
  texts: readonly string[],
  callNumber: number,
) => { vectors: readonly (readonly number[])[] } | ProviderReply;

/** Embeds each text by itself. */
export function embedEach(meaning: Meaning): EmbeddingScript {
  return (texts) => ({ vectors: texts.map(meaning) });
}

/** Starts a provider on a loopback port that plays a script over HTTP, for tests of the real client. */
export async function startScriptedProvider(
  script: Script<JsonObject, ProviderReply>,
  embeddings?: EmbeddingScript,
): Promise<ScriptedProvider> {
  const provider = new ScriptedProvider(script);
  if (embeddings) provider.embeddings = embeddings;
  await provider.listen();
  return provider;
}

export class ScriptedProvider {
  /** Bodies of the requests, in order. */
  readonly requests: JsonObject[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Bodies of the requests for embeddings, in order. */
  readonly embeddingRequests: JsonObject[] = [];
  /** How it answers those from now on. */
  embeddings: EmbeddingScript = embedEach(meanings({}));
  /** What it answers to whoever asks for its list of models. */
  modelsStatus = 404;
  /** TCP connections that clients have opened so far. */
  connections = 0;
  private readonly aborts = new Aborts();
  private readonly server = http.createServer((request, response) => void this.onRequest(request, response));

  /** Use startScriptedProvider. */
  constructor(private script: Script<JsonObject, ProviderReply>) {
    this.server.on('connection', () => void (this.connections += 1));
  }

  /** What LLM_BASE_URL would be. */
  get baseUrl(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The provider is not listening.');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /** Replies whose socket the client closed before their end. */
  get aborted(): number {
    return this.aborts.count;
  }

  /** Resolves at the first abort that no earlier call of this has waited for, also if it is over already. */
  nextAbort(): Promise<void> {
    return this.aborts.next();
  }

  /** Begins anew with another script: calls count from 1 again. */
  play(script: Script<JsonObject, ProviderReply>): void {
    this.script = script;
    this.requests.length = 0;
    this.headers.length = 0;
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.close();

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isCutByUs = false;
    const cut = (): void => {
      isCutByUs = true;
      // Not destroy(): what was written before has to arrive.
      response.socket?.end();
    };
    response.on('close', () => void (response.writableFinished || isCutByUs || this.aborts.add()));
    try {
      const [, route] = /(\/chat\/completions|\/embeddings)$/.exec(request.url ?? '') ?? [];
      if (request.method === 'GET' && request.url?.endsWith('/models'))
        return void response
          .writeHead(this.modelsStatus, { 'content-type': 'application/json' })
          .end('{"data":[]}');
      if (request.method !== 'POST' || route === undefined) return void response.writeHead(404).end();
      const body = (await json(request)) as JsonObject;
      this.headers.push(request.headers);
      if (route === '/embeddings') return await this.embed(body, response, cut);
      const callNumber = this.requests.push(body);
      await new Playing(body, response, cut).play(replyTo(this.script, body, callNumber));
    } catch (error) {
      // Not to be mistaken for a reply: the test's own mistake has to be seen.
      response.writeHead(418).end(String(error));
    }
  }

  private async embed(body: JsonObject, response: ServerResponse, cut: () => void): Promise<void> {
    const callNumber = this.embeddingRequests.push(body);
    const answer = this.embeddings(body['input'] as string[], callNumber);
    if (!('vectors' in answer)) return new Playing(body, response, cut).play(answer);
    const data = answer.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const usage = { prompt_tokens: 0, total_tokens: 0 };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data, model: body['model'], usage }));
  }
}

class Aborts {
  count = 0;
  private awaited = 0;
  private readonly waiting: (() => void)[] = [];

  add(): void {
    this.count += 1;
    this.waiting.shift()?.();
  }

  next(): Promise<void> {
    this.awaited += 1;
    if (this.awaited <= this.count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

const finishReasons: Record<StopReason, string | null> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
  unknown: null,
};

const answers: Record<ModelErrorCode | 'RETRYABLE', [status: number, word: string]> = {
  CONTEXT_TOO_LARGE: [400, 'context_length_exceeded'],
  MODEL_REFUSED: [400, 'content_filter'],
  MODEL_UNAVAILABLE: [401, 'invalid_api_key'],
  RETRYABLE: [503, 'unavailable'],
};

type SentStep = Exclude<
  ProviderStep,
  { type: 'hang' } | { type: 'disconnect' } | { type: 'gate' } | { type: 'finish' }
>;

/** One reply on its way. */
class Playing {
  private calls = 0;

  constructor(
    private readonly request: JsonObject,
    private readonly response: ServerResponse,
    private readonly cut: () => void,
  ) {}

  async play(reply: ProviderReply): Promise<void> {
    for (const step of reply) {
      if (this.response.destroyed) return;
      if (step.type === 'hang') return;
      if (step.type === 'disconnect') return this.cut();
      if (step.type === 'gate') await step.until;
      else if (step.type === 'finish') this.finish(stopReasonOf(reply, step.reason), step);
      else this.send(step);
    }
    this.response.end();
  }

  private send(step: SentStep): void {
    switch (step.type) {
      case 'text':
        return this.delta({ content: step.text });
      case 'reasoning':
        return this.delta({ reasoning_content: step.text });
      case 'retraction':
        return this.delta({ content: '</think>\n\n' });
      case 'tool-call':
        return this.toolCall(step.call);
      case 'failure':
        return this.fail(step.error);
      case 'raw':
        return this.write(step.bytes);
      case 'status':
        return void this.response.writeHead(step.status, step.headers).end(step.body);
    }
  }

  private finish(reason: StopReason, { usage }: Extract<ScriptStep, { type: 'finish' }>): void {
    this.chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishReasons[reason] }] });
    const options = this.request['stream_options'];
    if (
      typeof options === 'object' &&
      options !== null &&
      'include_usage' in options &&
      usage.source === 'PROVIDER'
    ) {
      this.chunk({
        choices: [],
        usage: {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          total_tokens: usage.inputTokens + usage.outputTokens,
          prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
        },
      });
    }
    this.write('data: [DONE]\n\n');
  }

  private toolCall({ id, name, arguments: text }: ToolCall): void {
    const index = this.calls++;
    const half = Math.ceil(text.length / 2);
    this.delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      if (piece !== '') this.delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }

  private fail({ code, retryable, message, retryAfterMs }: ModelError): void {
    const [number, word] = answers[retryable ? 'RETRYABLE' : code];
    const error = { message, type: word, code: this.response.headersSent ? number : word };
    if (this.response.headersSent) return this.write(`data: ${JSON.stringify({ error })}\n\n`);
    const headers: Record<string, string> = {};
    if (retryAfterMs !== undefined) headers['retry-after-ms'] = String(retryAfterMs);
    this.send(status(number, { error }, headers));
  }

  private delta(delta: JsonObject): void {
    this.chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  }

  private chunk(fields: JsonObject): void {
    const chunk = {
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      ...fields,
    };
    this.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }

  private write(bytes: string | Uint8Array): void {
    if (!this.response.headersSent) {
      this.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      this.response.flushHeaders();
    }
    if (bytes.length > 0) this.response.write(bytes);
  }
}
