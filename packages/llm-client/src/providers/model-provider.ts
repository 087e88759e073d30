import { LRUCache } from 'lru-cache';

import { ChatModel, type ChatPart, type ChatRequest, type TokenUsage } from '../chat-model.js';
import { GuardedChatModel, type ModelCircuit } from '../guard/guarded-chat-model.js';
import type { ModelFacts } from '../models/model-facts.js';
import { readToldModels } from '../models/told-models.js';
import type { ModelApi } from '../openai/api-choice.js';
import type { ConnectionGuard } from '../openai/http-transport.js';
import { OpenAiChatModel } from '../openai/openai-chat-model.js';
import type { ProviderSettings } from '../openai/provider-error.js';

/** What is told to people, by the names that they know. */
export interface ModelSettings extends ProviderSettings {
  /** What says how much a model takes. */
  window: string;
}

/** How to reach a provider. */
export interface ProviderConnection {
  baseUrl: string;
  apiKey: string | null;
  /** For requests that name no model. */
  model: string;
  api: 'auto' | ModelApi;
  /** A prefix of model names that the provider itself does not use; empty: none. */
  prefix: string;
  /** Where it may connect to; left out: anywhere. */
  guard?: ConnectionGuard;
  /** Sent with each request for an answer, such as the trace that it belongs to. */
  headersOf?: () => Readonly<Record<string, string>>;
  settings: ModelSettings;
}

/** Where a provider tells what its operator should know. */
export interface ProviderLog {
  warn(facts: object, words: string): void;
}

interface ProviderLimits {
  firstByteTimeoutMs: number;
  idleTimeoutMs: number;
  /** Calls at the same time. */
  maxConcurrent: number;
}

/** Servers on machines of one's own that tell elsewhere how much a model was started with: LM Studio, Ollama. */
const nativeLists = ['/api/v0/models', '/api/ps'] as const;

/** A limit, because assistants may name any model. */
const MAX_WARNED = 200;

/** What can be asked of a model. */
export interface ModelAbilities {
  /** Of prompt and answer together, as we count them. */
  windowTokens: number;
  /** It may be shown images: false only where it is known to see none. */
  sees: boolean;
  /** Its answers can be made to fit a schema; else they have to be asked for it. */
  keepsToSchema: boolean;
}

/** One provider of models: its guarded connection, and what is known of its models. */
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

  /** Records the window that a provider named when it refused a call. False: it was known to be no larger. */
  noteWindow(model: string, tokens: number): boolean {
    return this.facts.noteWindow(this.nameOf(model), tokens);
  }

  /** In USD; null: no price is known. */
  costOf(model: string, usage: TokenUsage): number | null {
    return this.facts.costOf(this.nameOf(model), usage);
  }

  circuitOf(model: string): ModelCircuit {
    return this.guarded.circuitOf(model);
  }

  /** The protocol that a model is asked in, as far as is known by now. */
  apiOf(model: string): ModelApi {
    return this.client.apiOf(model);
  }

  /** Asks which models there are, and what is told of them; shows whether the key is good. Never rejects. */
  async look(signal: AbortSignal): Promise<void> {
    await this.lookAtLists(signal);
    this.hasLooked = true;
  }

  /** Says so once where nobody tells how much a model takes. */
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

  /** What the provider calls it. */
  private nameOf(model: string): string {
    return model.slice(this.connection.prefix.length);
  }

  private tellOf(list: string | null): void {
    if (list !== null) this.facts.tell(readToldModels(list));
  }
}

/** An address may hold a secret; its host does not. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? '';
}
