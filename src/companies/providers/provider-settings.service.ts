import { Injectable } from '@nestjs/common';
import { ModelError, type ModelProvider } from '@palabre/llm-client';

import { checkInput } from '../../common/check-input.js';
import { badInput, DomainError, existing } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Secrets } from '../../platform/secrets.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { providerLeaving } from '../companies.events.js';
import { CompanyRepository } from '../company.repository.js';
import { CompanyProviders, providerSecretPurpose } from './company-providers.service.js';
import type { Provider, ProviderApi } from './provider.entity.js';
import { MAX_PROVIDERS, modelName, ProviderInput } from './provider-input.js';
import { ProviderRepository } from './provider.repository.js';

const TEST_MS = 30_000;
/** Enough for models that reason first. */
const TEST_TOKENS = 1_000;

/** The result of a test, in words for people. */
export interface ProviderTest {
  ok: boolean;
  message: string;
  model: string;
  /** The protocol of the last request. */
  api: ProviderApi;
  durationMs: number;
}

/** Admins' settings of the company's providers. The caller has checked the role. */
@Injectable()
export class ProviderSettings {
  constructor(
    private readonly database: Database,
    private readonly providers: ProviderRepository,
    private readonly companies: CompanyRepository,
    private readonly opened: CompanyProviders,
    private readonly secrets: Secrets,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  list({ companyId }: Viewer): Promise<Provider[]> {
    return this.database.read(companyId, (tx) => this.providers.list(tx, {}, 'ORDER BY key COLLATE "C"'));
  }

  /**
   * Adds or changes a provider. Rejects with BAD_USER_INPUT, or with CONFLICT when there are too many, when an
   * assistant would lose its model, or when a new key would redirect an assistant whose model has that prefix at the
   * installation's provider.
   */
  set(viewer: Viewer, given: unknown): Promise<Provider> {
    const input = checkInput(ProviderInput, given);
    return this.database.transaction(viewer.companyId, async (tx) => {
      // Locked first, so that concurrent additions run one after the other.
      await this.companies.lockOwn(tx);
      const { key, baseUrl, api, models } = input;
      const before = await this.providers.lock(tx, { key }, 'FOR UPDATE');
      if (!before && (await this.providers.list(tx)).length >= MAX_PROVIDERS) throw tooMany();
      const id = before?.id ?? newId();
      const users = await this.providers.listUsers(tx, key);
      if (!before && users.length > 0) throw takesOver(key, users);
      const lost = users.filter(({ model }) => !models.includes(model.slice(key.length + 1)));
      if (models.length > 0 && lost.length > 0) throw inUse(lost);
      const apiKey = this.keyOf(viewer, id, before, input);
      await this.providers.put(tx, { id, key, baseUrl, api, models, apiKey });
      await this.audit.record(tx, viewer.id, 'provider.set', key, {
        baseUrl,
        api,
        models,
        apiKey: input.apiKey === undefined ? 'as before' : input.apiKey === null ? 'none' : 'given',
      });
      return this.get(tx, key);
    });
  }

  /** Removes a provider and its quotas; gives its id. Rejects with NOT_FOUND, or CONFLICT while assistants use it. */
  remove(viewer: Viewer, key: string): Promise<string> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const provider = existing(await this.providers.lock(tx, { key }, 'FOR UPDATE'), 'provider');
      const users = await this.providers.listUsers(tx, key);
      if (users.length > 0) throw inUse(users);
      await this.providers.delete(tx, { id: provider.id });
      await this.events.emit(tx, providerLeaving, key);
      await this.audit.record(tx, viewer.id, 'provider.removed', key);
      return provider.id;
    });
  }

  /**
   * Asks a model for one word. `name` null: the first offered model. Rejects with NOT_FOUND, or BAD_USER_INPUT if
   * there is no model.
   */
  async test(viewer: Viewer, key: string, name: string | null): Promise<ProviderTest> {
    const wanted = name === null ? null : checkInput(modelName, name, ['model']);
    const provider = await this.database.transaction(viewer.companyId, async (tx) => {
      const found = await this.get(tx, key);
      await this.audit.record(tx, viewer.id, 'provider.tested', key);
      return found;
    });
    const model = wanted ?? provider.models[0];
    if (model === undefined) throw badInput(['model'], 'Name a model: the provider has none in its list.');
    const beganAt = Date.now();
    const outcome = await this.ask(provider, model);
    return { ...outcome, model, durationMs: Date.now() - beganAt };
  }

  private async ask(
    provider: Provider,
    model: string,
  ): Promise<Pick<ProviderTest, 'ok' | 'message' | 'api'>> {
    const name = `${provider.key}/${model}`;
    try {
      const opened = this.opened.open(provider);
      const signal = AbortSignal.timeout(TEST_MS);
      try {
        await askForOneWord(opened, { companyId: provider.companyId, model: name }, signal);
      } finally {
        provider.api = opened.apiOf(name) === 'chat' ? 'CHAT' : 'RESPONSES';
      }
      const { api } = provider;
      const how = api === 'CHAT' ? 'by chat completions' : 'by the Responses API';
      return { ok: true, message: `${model} answers, asked ${how}.`, api };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        const message = `${model} did not answer in ${TEST_MS / 1_000} seconds.`;
        return { ok: false, message, api: provider.api };
      }
      if (!(error instanceof ModelError)) throw error;
      // Only if the provider answered: a network's own error messages are not for everybody.
      const said =
        error.status === undefined || !error.detail ? '' : ` It said: ${error.detail.slice(0, 500)}`;
      return { ok: false, message: `${error.message}${said}`, api: provider.api };
    }
  }

  /** A new host needs the key again, or an admin could send it to a host of their own. */
  private keyOf(viewer: Viewer, id: string, before: Provider | null, input: ProviderInput): string | null {
    const { apiKey, baseUrl } = input;
    if (apiKey === null) return null;
    if (apiKey !== undefined)
      return this.secrets.encrypt(apiKey, providerSecretPurpose({ companyId: viewer.companyId, id }));
    if (!before?.apiKey) return null;
    if (new URL(before.baseUrl).origin !== new URL(baseUrl).origin)
      throw badInput(['input', 'apiKey'], 'The host is another one: give the key again.');
    return before.apiKey;
  }

  private async get(tx: Transaction, key: string): Promise<Provider> {
    return existing(await this.providers.find(tx, { key }), 'provider');
  }
}

/** Asks for one word, and waits for the complete answer. */
async function askForOneWord(
  provider: ModelProvider,
  { companyId, model }: { companyId: string; model: string },
  signal: AbortSignal,
): Promise<void> {
  const messages = [{ role: 'user' as const, content: 'Reply with the single word: ready' }];
  const request = { model, messages, tools: [], maxOutputTokens: TEST_TOKENS, companyId, isUpkeep: true };
  for await (const part of provider.stream(request, signal)) void part;
}

/** Assistants whose models prevent a change of the provider. */
type Users = readonly { key: string; model: string }[];

function inUse(users: Users): DomainError {
  return conflictOf(users, `Assistants use it: ${listed(users)}. Give them another model first.`);
}

function takesOver(key: string, users: Users): DomainError {
  const message =
    `The installation's provider answers for assistants whose models begin with ${key}/: ${listed(users)}. ` +
    'Choose another key, or give them another model until the provider is there.';
  return conflictOf(users, message);
}

function listed(users: Users): string {
  return users.map(({ key, model }) => `${key} (${model})`).join(', ');
}

function conflictOf(users: Users, message: string): DomainError {
  return new DomainError('CONFLICT', message, { assistants: users.map(({ key }) => key) });
}

function tooMany(): DomainError {
  return new DomainError('CONFLICT', `A company can have at most ${MAX_PROVIDERS} providers.`, {
    limit: MAX_PROVIDERS,
  });
}
