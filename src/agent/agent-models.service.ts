import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { LOGGER, type Logger } from '../common/process/logger.js';
import { Config } from '../common/config/config.js';
import { ChatModel, type ChatPart, type ChatRequest, ModelError } from '../llm/chat-model.js';
import { ModelFacts } from '../llm/model-facts.js';
import type { MadeModelCall } from '../conversations/turns/model-calls/model-call.js';
import type { ModelCallRecord } from './loop/agent-ports.js';

const OFFLINE_MODEL = 'palabre-offline';
/** Names of models come from assistants too, which people write: no more of them are kept in mind. */
const MOST_MODELS = 200;

/** Of a call what is stored. */
export type PricedCall = Omit<ModelCallRecord, 'historyDropped' | 'failure'>;

/** The models of this installation, as the agent sees them. */
@Injectable()
export class AgentModels {
  /** Models whose provider has taken part of a prompt from its cache. */
  private readonly caching = new LRUCache<string, true>({ max: MOST_MODELS });
  /** Windows that a provider said to be smaller than was known. */
  private readonly saidWindows = new LRUCache<string, number>({ max: MOST_MODELS });

  constructor(
    private readonly config: Config,
    private readonly model: ChatModel,
    private readonly facts: ModelFacts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** In the order in which they are tried. `wanted`: an assistant's own; null: the installation's default. */
  candidatesFor(wanted: string | null): string[] {
    const { name, fallback } = this.config.model;
    const first = wanted ?? name ?? OFFLINE_MODEL;
    return fallback === null || fallback.name === first ? [first] : [first, fallback.name];
  }

  /** For what is done after a turn. `wanted`: the assistant's own model; null: the installation's default. */
  upkeepModelFor(wanted: string | null): string {
    const { upkeepName, name } = this.config.model;
    return upkeepName ?? wanted ?? name ?? OFFLINE_MODEL;
  }

  /** Tokens of prompt and answer together. */
  windowOf(model: string): number {
    return Math.min(this.facts.contextWindowOf(model), this.saidWindows.get(model) ?? Infinity);
  }

  /** Whether the model's provider was seen to cache prompts. */
  caches(model: string): boolean {
    return this.caching.has(model);
  }

  /**
   * Learns from a call whether its provider caches prompts, and from one that failed how much the model takes: the next
   * one need not be refused.
   */
  learnFrom({ model, usage }: Pick<ModelCallRecord, 'model' | 'usage'>, failure: unknown): void {
    if (usage.cachedInputTokens > 0) this.caching.set(model, true);
    if (!(failure instanceof ModelError)) return;
    const { windowTokens } = failure;
    if (windowTokens === undefined || windowTokens >= this.windowOf(model)) return;
    this.saidWindows.set(model, windowTokens);
    const message =
      'the model takes fewer tokens than was known: set LLM_CONTEXT_WINDOW to what it was started with';
    this.logger.warn({ model, windowTokens }, message);
  }

  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
    return this.model.stream(request, signal);
  }

  /** The call with its price, as it is stored. */
  priced(call: PricedCall, { hasSummary }: Pick<MadeModelCall, 'hasSummary'>): MadeModelCall {
    return { ...call, hasSummary, costUsd: this.facts.costOf(call.model, call.usage) };
  }
}
