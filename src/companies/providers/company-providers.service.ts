import { Injectable } from '@nestjs/common';
import { ModelError, type ModelInUse, type ModelProvider } from '@palabre/llm-client';

import { badInput } from '../../common/errors/domain-error.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Secrets, UnreadableSecret } from '../../platform/secrets.js';
import { ModelProviders } from '../../llm/model-providers.js';
import type { Provider } from './provider.entity.js';
import { ProviderRepository } from './provider.repository.js';

/** A model of a company's provider, as far as it is known. */
export interface OfferedModel extends ModelInUse {
  name: string;
}

/** The purpose for encrypting a provider's key. */
export function providerSecretPurpose({ companyId, id }: Pick<Provider, 'companyId' | 'id'>): string {
  return `provider ${companyId} ${id}`;
}

/** The companies' own providers of models, ready for calls. */
@Injectable()
export class CompanyProviders {
  constructor(
    private readonly database: Database,
    private readonly providers: ProviderRepository,
    private readonly models: ModelProviders,
    private readonly secrets: Secrets,
  ) {}

  modelsOf(provider: Provider): OfferedModel[] {
    const facts = this.readable(provider)?.facts ?? this.models.facts.at(new URL(provider.baseUrl).host);
    return provider.models.map((name) => ({ name, ...facts.of(name) }));
  }

  /**
   * The provider of a model named `provider/model`. Null: the installation's. Rejects with ModelError if its key
   * cannot be decrypted.
   */
  async providerOf(companyId: string, model: string): Promise<ModelProvider | null> {
    if (keyIn(model) === null) return null;
    return this.database.read(companyId, (tx) => this.findProviderOf(tx, model));
  }

  /** The same in `tx`. */
  async findProviderOf(tx: Transaction, model: string): Promise<ModelProvider | null> {
    const key = keyIn(model);
    const provider = key === null ? null : await this.providers.find(tx, { key });
    return provider && this.open(provider);
  }

  /** Refuses a model that the company's provider does not offer. Locks the provider until `tx` ends. */
  async requireOffered(tx: Transaction, model: string, path: readonly string[]): Promise<void> {
    const key = keyIn(model);
    const provider = key === null ? null : await this.providers.lock(tx, { key }, 'FOR KEY SHARE');
    if (!provider || provider.models.length === 0) return;
    if (provider.models.includes(model.slice(provider.key.length + 1))) return;
    throw badInput(
      [...path],
      `The provider ${provider.key} offers no such model: ${provider.models.join(', ')}.`,
    );
  }

  /** False: no provider with this key. Otherwise it is locked until `tx` ends. */
  async keep(tx: Transaction, key: string): Promise<boolean> {
    return (await this.providers.lock(tx, { key }, 'FOR KEY SHARE')) !== null;
  }

  /** Rejects with ModelError if its key cannot be decrypted. */
  open(provider: Provider): ModelProvider {
    const { companyId, key, baseUrl, apiKey, api, models } = provider;
    const apis = { AUTO: 'auto', CHAT: 'chat', RESPONSES: 'responses' } as const;
    return this.models.ofCompany({
      companyId,
      key,
      baseUrl,
      apiKey: apiKey && this.decrypted(provider, apiKey),
      api: apis[api],
      model: models[0] ?? '',
    });
  }

  private readable(provider: Provider): ModelProvider | null {
    try {
      return this.open(provider);
    } catch (error) {
      if (error instanceof ModelError) return null;
      throw error;
    }
  }

  private decrypted(provider: Provider, apiKey: string): string {
    try {
      return this.secrets.decrypt(apiKey, providerSecretPurpose(provider));
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      const message = `The key of the provider ${provider.key} can no longer be read: set it again.`;
      throw new ModelError('MODEL_UNAVAILABLE', message, false, undefined, undefined, { cause: error });
    }
  }
}

/** The part of a model's name that may be a provider's key. Null: none. */
export function keyIn(model: string): string | null {
  const slash = model.indexOf('/');
  return slash > 0 ? model.slice(0, slash) : null;
}
