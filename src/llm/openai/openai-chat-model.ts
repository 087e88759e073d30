import type { Readable } from 'node:stream';
import type { OpenAI } from 'openai';

import { ChatModel, type ChatPart, type ChatRequest } from '../chat-model.js';
import { chatRequestBody } from './chat-request-body.js';
import { Dialects } from './dialects.js';
import { sdkError } from './sdk-error.js';
import { HttpTransport, providerClient } from './http-transport.js';
import { CompletionCall } from './completion-call.js';
import { estimateTokens } from './token-estimate.js';

export interface OpenAiChatModelOptions {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Empty for a provider that asks for none. */
  apiKey: string;
  /** For requests that name no model. */
  model: string;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** Told of a model, once, that turned out to call no tools: it is asked without them. */
  onToolless?: (model: string) => void;
  /** Told of a step whose model may want back more than is kept. */
  onLongEcho?: (model: string, bytes: number) => void;
}

/**
 * Any provider that speaks the chat completions protocol. The SDK makes the request; the answer is read from
 * the socket, which costs a fraction of the SDK's own stream and closes at once.
 */
export class OpenAiChatModel extends ChatModel {
  private readonly transport = new HttpTransport();
  private readonly client: OpenAI;
  private readonly dialects: Dialects;
  /** As echoes name it: without what a URL may hold of a secret. */
  private readonly provider: string;

  constructor(private readonly options: OpenAiChatModelOptions) {
    super();
    this.dialects = new Dialects(options.onToolless);
    const url = URL.parse(options.baseUrl);
    this.provider = `${url?.host}${url?.pathname}`;
    this.client = providerClient(options, this.transport);
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const model = request.model ?? this.options.model;
    const { apiKey, onLongEcho } = this.options;
    const context = {
      model,
      provider: this.provider,
      takenCallIds: request.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
      ),
      estimateInput: () => estimateTokens(JSON.stringify([request.messages, request.tools])),
      unopenedThoughts: this.dialects.unopenedThoughtsOf(model),
      onLongEcho: (bytes: number) => onLongEcho?.(model, bytes),
      textSink: request.textSink,
    };
    const send = (abort: AbortSignal): Promise<Readable> => this.send(request, model, abort);
    const toModelError = (error: unknown): unknown => sdkError(error, { model, apiKey, settings: 'LLM' });
    return new CompletionCall(send, toModelError, this.options, context, signal).parts;
  }

  /**
   * Asks for the list of models, which costs nothing, to see whether the key is good. Rejects as `stream` does; a
   * provider without such a list answers with a failure that tells nothing.
   */
  async checkKey(signal: AbortSignal): Promise<void> {
    const { model, apiKey } = this.options;
    try {
      const response = await this.client.get('/models', { signal }).asResponse();
      this.transport.messageOf(response).destroy();
    } catch (error) {
      throw sdkError(error, { model, apiKey, settings: 'LLM' });
    }
  }

  /** Closes all connections to the provider; calls under way fail. */
  close(): void {
    this.transport.close();
  }

  /** Sends the request, once more for each parameter that the provider turns out not to take. */
  private async send(request: ChatRequest, model: string, signal: AbortSignal): Promise<Readable> {
    const dialect = this.dialects.of(model);
    try {
      const body = chatRequestBody(request, { provider: this.provider, model }, dialect);
      const headers = { 'content-type': 'application/json' };
      const response = await this.client.post('/chat/completions', { body, headers, signal }).asResponse();
      return this.transport.messageOf(response);
    } catch (error) {
      if (!this.dialects.learn(model, dialect, request, error)) throw error;
      return this.send(request, model, signal);
    }
  }
}
