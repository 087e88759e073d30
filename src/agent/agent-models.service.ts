import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { ChatModel, type ChatPart, type ChatRequest } from '../llm/chat-model.js';
import { ModelFacts } from '../llm/model-facts.js';
import type { MadeModelCall } from '../turns/model-calls/model-call.js';
import type { ModelCallRecord } from './loop/agent-ports.js';

const OFFLINE_MODEL = 'palabre-offline';

/** Of a call what is stored. */
export type PricedCall = Omit<ModelCallRecord, 'historyDropped' | 'failure'>;

/** The models of this installation, as the agent sees them. */
@Injectable()
export class AgentModels {
  constructor(
    private readonly config: Config,
    private readonly model: ChatModel,
    private readonly facts: ModelFacts,
  ) {}

  /** In the order in which they are tried. `wanted`: an assistant's own; null: the installation's default. */
  candidatesFor(wanted: string | null): string[] {
    const { name, fallback } = this.config.model;
    const first = wanted ?? name ?? OFFLINE_MODEL;
    return fallback === null || fallback.name === first ? [first] : [first, fallback.name];
  }

  /** Tokens of prompt and answer together. */
  windowOf(model: string): number {
    return this.facts.contextWindowOf(model);
  }

  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
    return this.model.stream(request, signal);
  }

  /** The call with its price, as it is stored. */
  priced(call: PricedCall, { hasSummary }: Pick<MadeModelCall, 'hasSummary'>): MadeModelCall {
    return { ...call, hasSummary, costUsd: this.facts.costOf(call.model, call.usage) };
  }
}
