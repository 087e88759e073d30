import { APIError, OpenAI } from 'openai';
import type { IncomingMessage } from 'node:http';
import { ChatModel } from './chat-model.js';
import type { ChatPart, ChatRequest } from './chat-model.js';
import { chatRequestBody, commonDialect, type Dialect } from './openai/chat-request-body.js';
import { CompletionCall } from './openai/completion-call.js';
import { HttpTransport } from './openai/http-transport.js';
import { refusesParameter } from './openai/provider-error.js';
import { bodyOf, sdkError } from './openai/sdk-error.js';
import { estimateTokens } from './openai/token-estimate.js';

export interface OpenAiChatModelOptions {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Empty for a provider that asks for none. */
  apiKey: string;
  /** For requests that name no model. */
  model: string;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
}

/** The SDK has its own clock for the request; ours is the one in force. */
const noTimeoutMs = 2 ** 31 - 1;

/**
 * Any provider that speaks the chat completions protocol. The SDK makes the request; the answer is read from
 * the socket, which costs a fraction of the SDK's own stream and closes at once.
 */
export class OpenAiChatModel extends ChatModel {
  private readonly transport = new HttpTransport();
  private readonly client: OpenAI;
  /** Only models that want something else than most. */
  private readonly dialects = new Map<string, Dialect>();

  constructor(private readonly options: OpenAiChatModelOptions) {
    super();
    this.client = new OpenAI({
      baseURL: options.baseUrl,
      apiKey: options.apiKey || 'none',
      // Else the SDK takes them from the environment, which one function of ours reads.
      adminAPIKey: null,
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: noTimeoutMs,
      fetch: this.transport.fetch,
    });
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const model = request.model ?? this.options.model;
    const context = {
      model,
      takenCallIds: request.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
      ),
      estimateInput: () => estimateTokens(JSON.stringify([request.messages, request.tools])),
    };
    const send = (abort: AbortSignal): Promise<IncomingMessage> => this.send(request, model, abort);
    const { apiKey } = this.options;
    const toModelError = (error: unknown): unknown => sdkError(error, { model, apiKey, settings: 'LLM' });
    return new CompletionCall(send, toModelError, this.options, context, signal).parts;
  }

  /** Closes all connections to the provider; calls under way fail. */
  close(): void {
    this.transport.close();
  }

  /** Sends the request, once more for each parameter that the provider turns out not to know. */
  private async send(request: ChatRequest, model: string, signal: AbortSignal): Promise<IncomingMessage> {
    const dialect = this.dialects.get(model) ?? commonDialect;
    try {
      const body = chatRequestBody(request, model, dialect);
      const headers = { 'content-type': 'application/json' };
      const response = await this.client.post('/chat/completions', { body, headers, signal }).asResponse();
      return this.transport.messageOf(response);
    } catch (error) {
      const other = otherDialect(dialect, error);
      if (other === null) throw error;
      this.dialects.set(model, other);
      return this.send(request, model, signal);
    }
  }
}

/** A dialect that may please a provider that refused this one, or null. */
function otherDialect(dialect: Dialect, error: unknown): Dialect | null {
  if (!(error instanceof APIError) || typeof error.status !== 'number') return null;
  const answer = { status: error.status, body: bodyOf(error) };
  if (dialect.streamOptions && refusesParameter(answer, 'stream_options')) {
    return { ...dialect, streamOptions: false };
  }
  if (dialect.maxTokensName === 'max_tokens' && refusesParameter(answer, 'max_tokens')) {
    return { ...dialect, maxTokensName: 'max_completion_tokens' };
  }
  return null;
}
