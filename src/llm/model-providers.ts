import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type {
  ModelApi,
  ModelCircuit,
  ModelFacts,
  ModelProvider,
  ProviderConnection,
} from '@palabre/llm-client';

/** A provider of a company's own. */
export interface CompanyConnection {
  companyId: string;
  /** What its models' names begin with, before a slash. */
  key: string;
  baseUrl: string;
  apiKey: string | null;
  api: 'auto' | ModelApi;
  /** For requests that name no model; empty: there is none. */
  model: string;
}

/** For a look at what a provider tells of its models. */
export const LOOK_MS = 10_000;

/** Providers of companies that are kept open; one that is opened anew has lost no more than its circuits and what was learnt of it. */
const MAX_OPEN = 500;

/** All providers of models: the installation's own, and those that companies bring. The class is the injection token. */
export class ModelProviders {
  private readonly companies = new LRUCache<string, { made: string; provider: ModelProvider }>({
    max: MAX_OPEN,
  });

  constructor(
    /** The installation's: the usual one, with the name of its model. */
    readonly usual: { provider: ModelProvider; model: string },
    /** Asked while that one is away; null: none. */
    readonly fallback: { provider: ModelProvider; model: string } | null,
    private readonly openProvider: (connection: ProviderConnection, guarded: boolean) => ModelProvider,
  ) {}

  /** What is known of models, wherever they are. */
  get facts(): ModelFacts {
    return this.usual.provider.facts;
  }

  installed(model: string): ModelProvider {
    return this.fallback?.model === model ? this.fallback.provider : this.usual.provider;
  }

  /** How it stands with the installation's models: the usual one first. */
  circuits(): ModelCircuit[] {
    return [this.usual, ...(this.fallback ? [this.fallback] : [])].map(({ provider, model }) =>
      provider.circuitOf(model),
    );
  }

  /** A company's provider, with what was learnt of it for as long as it is not changed. */
  ofCompany({ companyId, key, model, ...connection }: CompanyConnection): ModelProvider {
    // By company, so that no two companies ever share one.
    const whose = `${companyId} ${key}`;
    const made = createHash('sha256').update(JSON.stringify(connection)).digest('base64');
    const known = this.companies.get(whose);
    if (known?.made === made) return known.provider;
    const provider = this.openProvider(
      {
        ...connection,
        model: `${key}/${model}`,
        prefix: `${key}/`,
        settings: {
          baseUrl: `the address of the provider ${key}`,
          key: `the key of the provider ${key}`,
          model: 'its name',
          // Which the operator has set for it.
          window: 'LLM_CONTEXT_WINDOW or MODELS_FILE',
          tooLong: 'The conversation is longer than the model can take.',
        },
      },
      true,
    );
    this.companies.set(whose, { made, provider });
    void provider.look(AbortSignal.timeout(LOOK_MS));
    return provider;
  }

  close(): void {
    for (const { provider } of this.companies.values()) provider.close();
    this.usual.provider.close();
    if (this.fallback?.provider !== this.usual.provider) this.fallback?.provider.close();
  }
}
