import { ChatModel, type ChatPart, type ChatRequest, nearestEffort } from '../chat-model.js';
import { type ModelFact, nothingKnown } from '../models/model-facts.js';
import type { AnswerContext } from './answer.js';
import { AnswerCall, type OpenAnswer } from './answer-call.js';
import { ApiChoice, type ModelApi } from './api-choice.js';
import { refusalOf, callError } from './call-error.js';
import { chatCompletions } from './chat/chat-protocol.js';
import { Dialects } from './dialects.js';
import { type ConnectionGuard, HttpTransport, type ProviderAddress } from './http-transport.js';
import { type ProviderSettings, unnamedSettings } from './provider-error.js';
import { refusesAnswerSchema } from './refusal.js';
import { responsesApi } from './responses/responses-protocol.js';
import { estimatePrompt } from './token-estimate.js';

/** Facts of a model that affect requests. */
interface ModelTraits extends Pick<ModelFact, 'maxOutput' | 'reasons' | 'efforts' | 'structured'> {
  /** The protocol, where the choice is free. */
  api: ModelApi;
}

export interface OpenAiChatModelOptions extends ProviderAddress {
  /** Default for requests without a model. */
  model: string;
  /** A prefix of model names that the provider does not use. Default: none. */
  prefix?: string;
  /** Default: chat completions. */
  api?: 'auto' | ModelApi;
  /** Default: nothing is known of any model. */
  traitsOf?: (model: string) => ModelTraits;
  /** Limits connections. Default: no limit. */
  guard?: ConnectionGuard;
  /** Headers for each request, such as the trace. */
  headersOf?: () => Readonly<Record<string, string>>;
  /** Names of settings in error messages. */
  settings?: ProviderSettings;
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** Called once for a model that turns out to call no tools. It is offered none from then on. */
  onToolless?: (model: string) => void;
  /** Called for a step whose echo is too long to keep. */
  onLongEcho?: (model: string, bytes: number) => void;
}

const unknownTraits: ModelTraits = { ...nothingKnown, api: 'chat' };

/**
 * Any provider with the protocol of chat completions or responses. Reads the answer from the socket, which costs a
 * fraction of the stream in OpenAI's client and closes at once.
 */
export class OpenAiChatModel extends ChatModel {
  private readonly transport: HttpTransport;
  private readonly apis: ApiChoice;
  private readonly dialects: ReturnType<typeof dialectsOf>;
  /** Models whose text begins inside thoughts. */
  private readonly thinkers = new Set<string>();
  /** Its name in echoes, without secrets that a URL may hold. */
  private readonly provider: string;

  constructor(private readonly options: OpenAiChatModelOptions) {
    super();
    this.apis = new ApiChoice(options.api ?? 'chat', (model) => this.traitsOf(model).api);
    this.dialects = dialectsOf((model) => options.onToolless?.(model));
    const url = URL.parse(options.baseUrl);
    this.provider = `${url?.host}${url?.pathname}`;
    this.transport = new HttpTransport(options, options.guard);
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const model = request.model ?? this.options.model;
    const context = this.contextOf(request, model);
    const send = (abort: AbortSignal): Promise<OpenAnswer> => this.send(request, model, context, abort);
    const toModelError = (error: unknown): unknown => this.errorOf(error, model);
    return new AnswerCall(send, toModelError, this.options, signal, request).parts;
  }

  /** Reads an address of the provider such as `/models`, which costs nothing. Null: too long. Rejects like `stream`. */
  async get(path: string, signal: AbortSignal): Promise<string | null> {
    try {
      return await this.transport.read(path, { signal });
    } catch (error) {
      throw this.errorOf(error, this.options.model);
    }
  }

  /** The model's protocol, as far as known. */
  apiOf(model: string): ModelApi {
    return this.apis.of(model);
  }

  /** Whether the model's answers can be held to a schema, as far as known. */
  keepsToSchema(model: string): boolean {
    const { structured } = this.dialects[this.apis.of(model)].of(model);
    return this.traitsOf(model).structured === true && structured;
  }

  /** Closes all connections to the provider; calls under way fail. */
  close(): void {
    this.transport.close();
  }

  /** Sends the request, again for each difference of the provider. */
  private async send(
    request: ChatRequest,
    model: string,
    context: AnswerContext,
    signal: AbortSignal,
  ): Promise<OpenAnswer> {
    const api = this.apis.of(model);
    const { reasons } = this.traitsOf(model);
    const asked = {
      provider: this.provider,
      model,
      name: model.slice(this.options.prefix?.length ?? 0),
      reasons,
    };
    const { path, Reader } = this.dialects[api].protocol;
    const { body, learn } = this.dialects[api].ask(this.fitted(request, model, api), asked);
    try {
      const headers = this.options.headersOf?.() ?? {};
      const message = await this.transport.send(path, { body, headers, signal });
      return { body: message, reader: (emit) => new Reader(context, emit) };
    } catch (error) {
      const isLearnt = this.apis.learn(model, api, error) || learn(error);
      if (isLearnt) return this.send(request, model, context, signal);
      const { answerSchema, ...free } = request;
      const refusal = answerSchema && refusalOf(error);
      // Applies to this schema only. The caller checks the answer.
      if (refusal && refusesAnswerSchema(refusal)) return this.send(free, model, context, signal);
      throw error;
    }
  }

  private contextOf({ messages, tools }: ChatRequest, model: string): AnswerContext {
    const { thinkers } = this;
    return {
      model,
      provider: this.provider,
      takenCallIds: messages.flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
      ),
      estimateInput: () => estimatePrompt(messages, tools),
      unopenedThoughts: {
        areExpected: thinkers.has(model),
        expect: (areExpected) => void (areExpected ? thinkers.add(model) : thinkers.delete(model)),
      },
      onLongEcho: (bytes: number) => this.options.onLongEcho?.(model, bytes),
    };
  }

  /**
   * The request with the model's known effort: the requested one as far as it can be set. Background work gets the
   * least effort if models think by default.
   */
  private fitted(
    { reasoningEffort: wanted, ...request }: ChatRequest,
    model: string,
    api: ModelApi,
  ): ChatRequest {
    const { efforts, maxOutput } = this.traitsOf(model);
    const isLeast = request.isUpkeep && api === 'responses';
    const effort = isLeast ? efforts?.[0] : wanted && nearestEffort(wanted, efforts);
    return {
      ...request,
      maxOutputTokens: Math.min(request.maxOutputTokens, maxOutput ?? Infinity),
      ...(effort && { reasoningEffort: effort }),
    };
  }

  private traitsOf(model: string): ModelTraits {
    return this.options.traitsOf?.(model) ?? unknownTraits;
  }

  private errorOf(error: unknown, model: string): unknown {
    const { apiKey, settings = unnamedSettings } = this.options;
    return callError(error, { model, apiKey, settings });
  }
}

function dialectsOf(onToolless: (model: string) => void) {
  return {
    chat: new Dialects(chatCompletions, onToolless),
    responses: new Dialects(responsesApi, onToolless),
  } satisfies Record<ModelApi, unknown>;
}
