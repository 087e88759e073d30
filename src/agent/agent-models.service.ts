import { Inject, Injectable } from '@nestjs/common';

import { LOGGER, type Logger } from '../common/process/logger.js';
import { CompanyProviders } from '../companies/providers/providers.service.js';
import type { MadeModelCall } from '../conversations/turns/model-calls/model-call.js';
import { type ChatPart, type ChatRequest, ModelError } from '../llm/chat-model.js';
import type { ModelProvider } from '../llm/providers/model-provider.js';
import { ModelProviders } from '../llm/providers/model-providers.js';
import type { ModelCallRecord } from './loop/agent-ports.js';

/** Of a call what is stored. */
export type PricedCall = Omit<ModelCallRecord, 'historyDropped' | 'failure'>;

/** The models that assistants ask: the installation's, and those of providers that companies bring. */
@Injectable()
export class AgentModels {
  constructor(
    private readonly models: ModelProviders,
    private readonly companies: CompanyProviders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `wanted`: an assistant's own model; null: the installation's default. */
  async of(companyId: string, wanted: string | null): Promise<AssistantModels> {
    const { usual, fallback } = this.models;
    if (wanted !== null) {
      const own = await this.companies.providerOf(companyId, wanted).catch(unusable);
      if (own instanceof ModelError) return new AssistantModels([wanted], () => own, this.logger);
      // Who brings a provider decides where what is said goes: there, and nowhere else.
      if (own) return new AssistantModels([wanted], () => own, this.logger);
    }
    const first = wanted ?? usual.model;
    const candidates = fallback === null || fallback.model === first ? [first] : [first, fallback.model];
    return new AssistantModels(candidates, (model) => this.models.installed(model), this.logger);
  }
}

function unusable(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

/** The models that one assistant may ask. */
export class AssistantModels {
  constructor(
    /** In the order in which they are tried. */
    readonly candidates: readonly string[],
    /** A ModelError: it cannot be asked, for that reason. */
    private readonly providerOf: (model: string) => ModelProvider | ModelError,
    private readonly logger: Logger,
  ) {}

  get first(): string {
    return this.candidates[0] ?? '';
  }

  /** Tokens of prompt and answer together. */
  windowOf(model: string): number {
    const provider = this.providerOf(model);
    return provider instanceof ModelError ? Infinity : provider.windowOf(model);
  }

  /** Learns from a call that failed how much the model takes: the next one need not be refused. */
  learnFrom(model: string, failure: unknown): void {
    const provider = this.providerOf(model);
    if (!(failure instanceof ModelError) || provider instanceof ModelError) return;
    const { windowTokens } = failure;
    if (windowTokens === undefined || !provider.noteWindow(model, windowTokens)) return;
    this.logger.warn(
      { model, windowTokens },
      'the model takes fewer tokens than was known: set MODELS_FILE or LLM_CONTEXT_WINDOW to what it was started with',
    );
  }

  stream(request: ChatRequest & { model: string }, signal: AbortSignal): AsyncIterable<ChatPart> {
    const provider = this.providerOf(request.model);
    if (provider instanceof ModelError) return failing(provider);
    return provider.stream(request, signal);
  }

  /** The call with its price, as it is stored. */
  priced(call: PricedCall, { hasSummary }: Pick<MadeModelCall, 'hasSummary'>): MadeModelCall {
    const provider = this.providerOf(call.model);
    const costUsd = provider instanceof ModelError ? null : provider.costOf(call.model, call.usage);
    return { ...call, hasSummary, costUsd };
  }
}

// eslint-disable-next-line require-yield
async function* failing(reason: ModelError): AsyncGenerator<ChatPart> {
  throw reason;
}
