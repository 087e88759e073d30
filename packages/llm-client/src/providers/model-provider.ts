import { LRUCache } from 'lru-cache';

import { ChatModel, type ChatPart, type ChatRequest, type TokenUsage } from '../chat-model.js';
import { GuardedChatModel, type ModelCircuit } from '../guard/guarded-chat-model.js';
import type { ModelFacts } from '../models/model-facts.js';
import { readToldModels } from '../models/told-models.js';
import type { ModelApi } from '../openai/api-choice.js';
import type { ConnectionGuard } from '../openai/http-transport.js';
import { OpenAiChatModel } from '../openai/openai-chat-model.js';
import type { ProviderSettings } from '../openai/provider-error.js';

/** Names of settings in messages for people. */
export interface ModelSettings extends ProviderSettings {
  /** The setting for the context window. */
  window: string;
}

export interface ProviderConnection {
  baseUrl: string;
  apiKey: string | null;
  /** Default for requests without a model. */
  model: string;
  api: 'auto' | ModelApi;
  /** A prefix of model names that the provider does not use. Empty: none. */
  prefix: string;
  /** Limits connections. Default: no limit. */
  guard?: ConnectionGuard;
  /** Headers for each request, such as the trace. */
  headersOf?: () => Readonly<Record<string, string>>;
  settings: ModelSettings;
}

/** Receives notes for the operator. */
export interface ProviderLog {
  warn(facts: object, words: string): void;
}

interface ProviderLimits {
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** Calls at the same time. */
  maxConcurrent: number;
}

/** Addresses of self-hosted servers that report the loaded window: LM Studio, Ollama. */
const nativeLists = ['/api/v0/models', '/api/ps'] as const;

/** A limit, because assistants may name any model. */
const MAX_WARNED = 200;

export interface ModelAbilities {
  /** Prompt and answer together, as we count them. */
  windowTokens: number;
  /** False only if the model is known to see no images. */
  sees: boolean;
  /** Its answers can be held to a schema. Otherwise the prompt asks for it. */
  keepsToSchema: boolean;
}

/** One provider of models: its guarded connection, and facts of its models. */
export class ModelProvider extends ChatModel {
  readonly facts: ModelFacts;
  private readonly client: OpenAiChatModel;
  private readonly guarded: GuardedChatModel;
  private readonly closing = new AbortController();
  /** Models whose assumed window has been logged. */
  private readonly warned = new LRUCache<string, true>({ max: MAX_WARNED });
  private hasLooked = false;

  constructor(
    private readonly connection: ProviderConnection,
    limits: ProviderLimits,
    known: ModelFacts,
    private readonly log: ProviderLog,
  ) {
    super();
    const { baseUrl, apiKey, model } = connection;
    this.facts = known.at(hostOf(baseUrl));
    this.client = new OpenAiChatModel({
      ...limits,
      ...connection,
      apiKey: apiKey ?? '',
      traitsOf: (name) => ({ ...this.facts.of(this.nameOf(name)), api: this.facts.apiOf(this.nameOf(name)) }),
      onToolless: (name) =>
        log.warn(
          { model: name },
          'the model does not support tools: it is asked without them, and uses no skills',
        ),
      onLongEcho: (name, bytes) =>
        log.warn(
          { model: name, bytes },
          'what the model may want back of a step is too long: it is not kept',
        ),
    });
    const onKeyRefused = (): void =>
      log.warn(
        { provider: hostOf(baseUrl), model },
        `the provider refuses the key: check ${connection.settings.key}`,
      );
    this.guarded = new GuardedChatModel(this.client, {
      model,
      maxConcurrent: limits.maxConcurrent,
      onKeyRefused,
    });
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    if (this.hasLooked) this.warnOfAssumption(request.model ?? this.connection.model);
    return this.guarded.stream(request, signal);
  }

  abilitiesOf(model: string): ModelAbilities {
    const name = this.nameOf(model);
    return {
      windowTokens: this.facts.contextWindowOf(name),
      sees: this.facts.of(name).images !== false,
      keepsToSchema: this.client.keepsToSchema(model),
    };
  }

  /** Records the window that a provider stated when it refused a call. False: no smaller than known. */
  noteWindow(model: string, tokens: number): boolean {
    return this.facts.noteWindow(this.nameOf(model), tokens);
  }

  /** In USD. Null: no known price. */
  costOf(model: string, usage: TokenUsage): number | null {
    return this.facts.costOf(this.nameOf(model), usage);
  }

  circuitOf(model: string): ModelCircuit {
    return this.guarded.circuitOf(model);
  }

  /** The model's protocol, as far as known. */
  apiOf(model: string): ModelApi {
    return this.client.apiOf(model);
  }

  /** Reads the provider's list of models and its facts, which also checks the key. Never rejects. */
  async look(signal: AbortSignal): Promise<void> {
    await this.lookAtLists(signal);
    this.hasLooked = true;
  }

  /** Logs once that a model's window is assumed. */
  warnOfAssumption(model: string): void {
    const { contextWindow, windowSource } = this.facts.of(this.nameOf(model));
    if (windowSource !== 'ASSUMED' || this.warned.has(model)) return;
    this.warned.set(model, true);
    this.log.warn(
      { model, contextWindow },
      `nobody tells how much the model takes: this is taken for granted; set ${this.connection.settings.window}`,
    );
  }

  close(): void {
    this.closing.abort();
    this.client.close();
  }

  private async lookAtLists(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.closing.signal]);
    try {
      this.tellOf(await this.client.get('/models', either));
      this.guarded.key.accepted();
    } catch (error) {
      this.guarded.key.failed(error);
    }
    for (const path of nativeLists) {
      if (this.facts.of(this.nameOf(this.connection.model)).windowSource !== 'ASSUMED' || either.aborted)
        return;
      // Most servers have no such address.
      const text = await this.client
        .get(new URL(path, this.connection.baseUrl).href, either)
        .catch(() => null);
      this.tellOf(text);
    }
  }

  /** The provider's name for the model. */
  private nameOf(model: string): string {
    return model.slice(this.connection.prefix.length);
  }

  private tellOf(list: string | null): void {
    if (list !== null) this.facts.tell(readToldModels(list));
  }
}

/** The host only, because an address may hold a secret. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? '';
}
