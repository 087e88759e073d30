import { Inject, Injectable } from '@nestjs/common';

import { LRUCache } from 'lru-cache';
import { type ChatPart, type ModelAbilities, ModelError, type ModelProvider } from '@palabre/llm-client';

import { Config } from '../common/config/config.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { CompanyProviders, keyIn } from '../companies/providers/company-providers.service.js';
import { INSTALLATION } from '../companies/usage/quota.repository.js';
import type { MadeModelCall } from '../conversations/turns/model-calls/model-call.js';
import { ModelProviders } from '../llm/model-providers.js';
import type { ModelCallRecord, NamedRequest, UsableModel } from './loop/agent-ports.js';
import { tracedModelCall } from './traced-calls.js';

/** The most models that are remembered. There is no other limit, because people write the names into assistants. */
const MAX_MODELS = 200;

type PricedCall = Omit<ModelCallRecord, 'historyDropped' | 'failure'>;

/** The models for assistants: the installation's, and those of companies' own providers. */
@Injectable()
export class AgentModels {
  /** Models whose provider has read part of a prompt from its cache. */
  private readonly caching = new LRUCache<string, true>({ max: MAX_MODELS });

  constructor(
    private readonly models: ModelProviders,
    private readonly companies: CompanyProviders,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly config: Config,
  ) {}

  /** `wanted`: an assistant's own model. Null: the installation's default. */
  async of(companyId: string, wanted: string | null): Promise<AssistantModels> {
    const { usual, fallback } = this.models;
    if (wanted !== null) {
      const own = await this.companies.providerOf(companyId, wanted).catch(unusable);
      // A company with its own provider sends its data there and nowhere else.
      if (own) return this.made([wanted], () => own, keyIn(wanted));
    }
    const first = wanted ?? usual.model;
    const candidates = fallback === null || fallback.model === first ? [first] : [first, fallback.model];
    return this.made(candidates, (model) => this.models.installed(model));
  }

  /** The model for work after a turn: the installation's upkeep model, unless the company has its own provider. */
  async ofUpkeep(companyId: string, wanted: string | null): Promise<AssistantModels> {
    const { upkeepName } = this.config.model;
    const models = await this.of(companyId, wanted);
    if (upkeepName === null || models.provider !== INSTALLATION) return models;
    return this.made([upkeepName], (model) => this.models.installed(model));
  }

  private made(
    candidates: readonly string[],
    providerOf: (model: string) => ModelProvider | ModelError,
    brought: string | null = null,
  ): AssistantModels {
    return new AssistantModels(candidates, providerOf, this.logger, this.caching, brought ?? INSTALLATION);
  }
}

/** The values for an unavailable model. No prompt is cut for it. */
const noAbilities: ModelAbilities = { windowTokens: Infinity, sees: false, keepsToSchema: false };

function unusable(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

export class AssistantModels {
  constructor(
    /** In the order of attempts. */
    readonly candidates: readonly string[],
    /** Returns a ModelError if the model cannot be asked. */
    private readonly providerOf: (model: string) => ModelProvider | ModelError,
    private readonly logger: Logger,
    private readonly caching: LRUCache<string, true>,
    /** The provider: the key of the company's own, or INSTALLATION. */
    readonly provider: string,
  ) {}

  get first(): string {
    return this.candidates[0] ?? '';
  }

  abilitiesOf(model: string): UsableModel {
    const provider = this.providerOf(model);
    const abilities = provider instanceof ModelError ? noAbilities : provider.abilitiesOf(model);
    return { ...abilities, caches: this.caching.has(model) };
  }

  /** Learns whether the provider caches prompts, and smaller windows from failures, so that the next call fits. */
  learnFrom({ model, usage }: Pick<ModelCallRecord, 'model' | 'usage'>, failure: unknown): void {
    if (usage.cachedInputTokens > 0) this.caching.set(model, true);
    const provider = this.providerOf(model);
    if (!(failure instanceof ModelError) || provider instanceof ModelError) return;
    const { windowTokens } = failure;
    if (windowTokens === undefined || !provider.noteWindow(model, windowTokens)) return;
    this.logger.warn(
      { model, windowTokens },
      'the model takes fewer tokens than was known: set MODELS_FILE or LLM_CONTEXT_WINDOW to what it was started with',
    );
  }

  stream(request: NamedRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
    const provider = this.providerOf(request.model);
    if (provider instanceof ModelError) return failing(provider);
    return tracedModelCall(request, (sent) => provider.stream(sent, signal));
  }

  priced(call: PricedCall, { hasSummary }: Pick<MadeModelCall, 'hasSummary'>): MadeModelCall {
    const provider = this.providerOf(call.model);
    const costUsd = provider instanceof ModelError ? null : provider.costOf(call.model, call.usage);
    return { ...call, provider: this.provider, hasSummary, costUsd };
  }
}

// eslint-disable-next-line require-yield
async function* failing(reason: ModelError): AsyncGenerator<ChatPart> {
  throw reason;
}
