import { once } from 'node:events';
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { JsonObject, JsonValue } from '@palabre/json';
import { type Meaning, meanings } from './embeddings/scripted-embedder.double.js';
import type { ModelError, ModelErrorCode, StopReason, ToolCall } from './chat-model.js';
import { replyTo, stopReasonOf, type Script, type ScriptStep } from './scripted-chat-model.double.js';

/** Bytes of the body, unchanged. No bytes send only the headers. */
export function raw(bytes: string | Uint8Array) {
  return { type: 'raw' as const, bytes };
}
/** Only as the first step of a reply. Other bodies than text are sent as JSON. */
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

/** Further steps of a scripted provider: raw bytes, a status instead of a stream, a cut connection. */
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
  /** The protocol of each request. */
  readonly protocols: ('chat' | 'responses')[] = [];
  /** Whether it has the Responses API. Otherwise /responses is 404. */
  speaksResponses = true;
  /** Requests for unknown paths. */
  unknownRequests = 0;
  readonly headers: IncomingHttpHeaders[] = [];
  /** Bodies of the requests for embeddings, in order. */
  readonly embeddingRequests: JsonObject[] = [];
  /** The answers to embedding requests from now on. */
  embeddings: EmbeddingScript = embedEach(meanings({}));
  modelsStatus = 404;
  /** TCP connections that clients have opened so far. */
  connections = 0;
  private readonly aborts = new Aborts();
  private readonly server = http.createServer((request, response) => void this.onRequest(request, response));

  /** Use startScriptedProvider. */
  constructor(private script: Script<JsonObject, ProviderReply>) {
    this.server.on('connection', () => void (this.connections += 1));
  }

  /** The value of LLM_BASE_URL. */
  get baseUrl(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The provider is not listening.');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /** Replies whose socket the client closed early. */
  get aborted(): number {
    return this.aborts.count;
  }

  /** Resolves at the first abort that no earlier call waited for, even a past one. */
  nextAbort(): Promise<void> {
    return this.aborts.next();
  }

  /** Restarts with another script. Calls count from 1 again. */
  play(script: Script<JsonObject, ProviderReply>): void {
    this.script = script;
    this.requests.length = 0;
    this.protocols.length = 0;
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
      // Not destroy(), because everything written must arrive.
      response.socket?.end();
    };
    response.on('close', () => void (response.writableFinished || isCutByUs || this.aborts.add()));
    try {
      const [, route] = /(\/chat\/completions|\/responses|\/embeddings)$/.exec(request.url ?? '') ?? [];
      if (request.method === 'GET' && request.url?.endsWith('/models'))
        return void response
          .writeHead(this.modelsStatus, { 'content-type': 'application/json' })
          .end('{"data":[]}');
      const isUnknown = route === undefined || (route === '/responses' && !this.speaksResponses);
      if (request.method !== 'POST' || isUnknown) {
        this.unknownRequests += 1;
        return void response.writeHead(404).end();
      }
      const body = (await json(request)) as JsonObject;
      this.headers.push(request.headers);
      if (route === '/embeddings') return await this.embed(body, response, cut);
      const callNumber = this.requests.push(body);
      const protocol = route === '/responses' ? 'responses' : 'chat';
      this.protocols.push(protocol);
      const wire = new Wire(response, cut);
      const playing = protocol === 'chat' ? new ChatPlaying(body, wire) : new ResponsePlaying(body, wire);
      await playReply(playing, wire, replyTo(this.script, body, callNumber));
    } catch (error) {
      // Clearly not a reply, so that the test's mistake is visible.
      response.writeHead(418).end(String(error));
    }
  }

  private async embed(body: JsonObject, response: ServerResponse, cut: () => void): Promise<void> {
    const callNumber = this.embeddingRequests.push(body);
    const answer = this.embeddings(body['input'] as string[], callNumber);
    if (!('vectors' in answer)) {
      const wire = new Wire(response, cut);
      return playReply(new ChatPlaying(body, wire), wire, answer);
    }
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

/** How a protocol sends the steps of a reply. */
interface Playing {
  text(words: string): void;
  reasoning(words: string): void;
  toolCall(call: ToolCall): void;
  finish(reason: StopReason, step: Extract<ScriptStep, { type: 'finish' }>): void;
  /** An error after the beginning. */
  error(error: JsonObject): void;
}

async function playReply(playing: Playing, wire: Wire, reply: ProviderReply): Promise<void> {
  for (const step of reply) {
    if (wire.isGone) return;
    switch (step.type) {
      case 'hang':
        return;
      case 'disconnect':
        return wire.cut();
      case 'gate':
        await step.until;
        break;
      case 'finish':
        playing.finish(stopReasonOf(reply, step.reason), step);
        break;
      case 'text':
        playing.text(step.text);
        break;
      case 'reasoning':
        playing.reasoning(step.text);
        break;
      case 'retraction':
        playing.text('</think>\n\n');
        break;
      case 'tool-call':
        playing.toolCall(step.call);
        break;
      case 'failure':
        fail(playing, wire, step.error);
        break;
      case 'raw':
        wire.write(step.bytes);
        break;
      case 'status':
        wire.refuse(step);
        break;
    }
  }
  wire.end();
}

function fail(playing: Playing, wire: Wire, { code, retryable, message, retryAfterMs }: ModelError): void {
  const [number, word] = answers[retryable ? 'RETRYABLE' : code];
  if (wire.hasBegun) return playing.error({ message, type: word, code: number });
  const headers: Record<string, string> = {};
  if (retryAfterMs !== undefined) headers['retry-after-ms'] = String(retryAfterMs);
  wire.refuse(status(number, { error: { message, type: word, code: word } }, headers));
}

/** The output of one reply. */
class Wire {
  constructor(
    private readonly response: ServerResponse,
    readonly cut: () => void,
  ) {}

  get isGone(): boolean {
    return this.response.destroyed;
  }

  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  write(bytes: string | Uint8Array): void {
    if (!this.response.headersSent) {
      this.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      this.response.flushHeaders();
    }
    if (bytes.length > 0) this.response.write(bytes);
  }

  refuse({ status: code, headers, body }: ReturnType<typeof status>): void {
    this.response.writeHead(code, headers).end(body);
  }

  end(): void {
    this.response.end();
  }
}

class ChatPlaying implements Playing {
  private calls = 0;

  constructor(
    private readonly request: JsonObject,
    private readonly wire: Wire,
  ) {}

  text(content: string): void {
    this.delta({ content });
  }

  reasoning(words: string): void {
    this.delta({ reasoning_content: words });
  }

  toolCall({ id, name, arguments: text }: ToolCall): void {
    const index = this.calls++;
    const half = Math.ceil(text.length / 2);
    this.delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      if (piece !== '') this.delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }

  finish(reason: StopReason, { usage }: Extract<ScriptStep, { type: 'finish' }>): void {
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
    this.wire.write('data: [DONE]\n\n');
  }

  error(error: JsonObject): void {
    this.wire.write(`data: ${JSON.stringify({ error })}\n\n`);
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
    this.wire.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}

/** The Responses API. Thoughts come as a summary. Their encrypted content is `sealed-` and a number. */
class ResponsePlaying implements Playing {
  private readonly output: JsonObject[] = [];
  private begun = false;
  private message = '';

  constructor(
    private readonly request: JsonObject,
    private readonly wire: Wire,
  ) {}

  text(delta: string): void {
    const at = this.output.length;
    if (this.message === '')
      this.event('response.output_item.added', {
        output_index: at,
        item: { type: 'message', id: `msg_${at}` },
      });
    this.message += delta;
    this.event('response.output_text.delta', { output_index: at, content_index: 0, delta });
  }

  reasoning(delta: string): void {
    this.endMessage();
    const at = this.output.length;
    const id = `rs_${at}`;
    this.event('response.output_item.added', {
      output_index: at,
      item: { type: 'reasoning', id, summary: [] },
    });
    this.event('response.reasoning_summary_text.delta', { output_index: at, summary_index: 0, delta });
    const include = this.request['include'];
    const isSealed = Array.isArray(include) && include.includes('reasoning.encrypted_content');
    this.add({
      type: 'reasoning',
      id,
      summary: [{ type: 'summary_text', text: delta }],
      ...(isSealed && { encrypted_content: `sealed-${at}` }),
    });
  }

  toolCall({ id, name, arguments: text }: ToolCall): void {
    this.endMessage();
    const at = this.output.length;
    const item = { type: 'function_call', id: `fc_${at}`, call_id: id, name };
    this.event('response.output_item.added', { output_index: at, item: { ...item, arguments: '' } });
    this.event('response.function_call_arguments.delta', { output_index: at, delta: text });
    this.add({ ...item, arguments: text, status: 'completed' });
  }

  finish(reason: StopReason, { usage }: Extract<ScriptStep, { type: 'finish' }>): void {
    this.endMessage();
    const cut = { length: 'max_output_tokens', 'content-filter': 'content_filter' } as const;
    const why = reason === 'length' || reason === 'content-filter' ? cut[reason] : null;
    const status = why === null ? 'completed' : 'incomplete';
    this.event(`response.${status}`, {
      response: {
        ...this.response(status),
        output: this.output,
        incomplete_details: why && { reason: why },
        usage:
          usage.source === 'ESTIMATED'
            ? null
            : {
                input_tokens: usage.inputTokens,
                input_tokens_details: { cached_tokens: usage.cachedInputTokens },
                output_tokens: usage.outputTokens,
                output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
                total_tokens: usage.inputTokens + usage.outputTokens,
              },
      },
    });
  }

  error({ message = '', type = null }: JsonObject): void {
    this.event('response.failed', {
      response: { ...this.response('failed'), error: { code: type, message } },
    });
  }

  private endMessage(): void {
    const { message } = this;
    this.message = '';
    if (message === '') return;
    const content = [{ type: 'output_text', text: message, annotations: [] }];
    this.add({ type: 'message', id: `msg_${this.output.length}`, role: 'assistant', content });
  }

  private add(item: JsonObject): void {
    this.event('response.output_item.done', { output_index: this.output.length, item });
    this.output.push(item);
  }

  private response(status: string): JsonObject {
    return { id: 'resp_scripted', object: 'response', model: 'scripted', status };
  }

  private event(type: string, fields: JsonObject): void {
    if (!this.begun) {
      this.begun = true;
      this.event('response.created', { response: { ...this.response('in_progress'), output: [] } });
    }
    this.wire.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  }
}
