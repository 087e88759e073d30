import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type {
  ModelApi,
  ModelCircuit,
  ModelFacts,
  ModelProvider,
  ProviderConnection,
} from '@palabre/llm-client';

interface CompanyConnection {
  companyId: string;
  /** The prefix of its models' names, before a slash. */
  key: string;
  baseUrl: string;
  apiKey: string | null;
  api: 'auto' | ModelApi;
  /** Default for requests without a model. Empty: none. */
  model: string;
}

/** The time limit for reading a provider's list of models. */
export const LOOK_MS = 10_000;

/** The most open providers of companies. A reopened one only loses its circuits and what it has learnt. */
const MAX_OPEN = 500;

/** All providers of models: the installation's, and companies' own. The class is the injection token. */
export class ModelProviders {
  private readonly companies = new LRUCache<string, { made: string; provider: ModelProvider }>({
    max: MAX_OPEN,
  });

  constructor(
    /** The installation's usual provider, with the name of its model. */
    readonly usual: { provider: ModelProvider; model: string },
    /** Used while the usual one is unavailable. Null: none. */
    readonly fallback: { provider: ModelProvider; model: string } | null,
    private readonly openProvider: (connection: ProviderConnection, guarded: boolean) => ModelProvider,
  ) {}

  get facts(): ModelFacts {
    return this.usual.provider.facts;
  }

  installed(model: string): ModelProvider {
    return this.fallback?.model === model ? this.fallback.provider : this.usual.provider;
  }

  /** The state of the installation's models, the usual one first. */
  circuits(): ModelCircuit[] {
    return [this.usual, ...(this.fallback ? [this.fallback] : [])].map(({ provider, model }) =>
      provider.circuitOf(model),
    );
  }

  /** A company's provider, which keeps what it has learnt while its settings stay the same. */
  ofCompany({ companyId, key, model, ...connection }: CompanyConnection): ModelProvider {
    // Keyed by company, so that companies never share one.
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
          // The operator's settings.
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
