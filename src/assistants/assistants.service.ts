import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { differences } from '../common/differences.js';
import { notFound } from '../common/errors/domain-error.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { Database } from '../database/database.js';
import { OncePerCompany } from '../database/once-per-company.js';
import type { Transaction } from '../database/transaction.js';
import { AssistantChanges } from './assistant-changes.js';
import { AssistantHooks } from './assistant-hooks.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantRepository } from './assistant.repository.js';
import { assistantDefinitions } from './definitions/assistant-definitions.js';
import { PromptVersionRepository } from './prompts/prompt-version.repository.js';

const REMEMBERED = 100_000;

@Injectable()
export class AssistantsService {
  private readonly shipped = new OncePerCompany((tx) => this.assistants.addMissing(tx, assistantDefinitions));

  /** By company and key. */
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantRepository,
    private readonly prompts: PromptVersionRepository,
    private readonly audit: AuditService,
    private readonly hooks: AssistantHooks,
  ) {}

  list(viewer: Viewer): Promise<Assistant[]> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.shipped.ensure(tx);
      return this.assistants.list(tx);
    });
  }

  /** Rejects with NOT_FOUND, at its place below `path`, for the first key that no assistant has. */
  async requireKeys(viewer: Viewer, keys: readonly string[], path: readonly string[]): Promise<void> {
    const known = new Set((await this.list(viewer)).map(({ key }) => key));
    const unknown = keys.findIndex((key) => !known.has(key));
    if (unknown === -1) return;
    throw notFound('assistant', [...path, String(unknown)]);
  }

  find(viewer: Viewer, key: string): Promise<Assistant | null> {
    return this.database.transaction(viewer.companyId, (tx) => this.findByKey(tx, key));
  }

  async findByKey(tx: Transaction, key: string): Promise<Assistant | null> {
    await this.shipped.ensure(tx);
    return isStorable(key) ? this.assistants.findByKey(tx, key) : null;
  }

  /** The id of the assistant with this key: known after the first time, for it never changes. */
  async findId(tx: Transaction, key: string): Promise<string | null> {
    const name = `${tx.companyId} ${key}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const assistant = await this.findByKey(tx, key);
    if (!assistant) return null;
    // Not before the commit, for `tx` may have added it.
    tx.afterCommit(() => this.remember(name, assistant.id));
    return assistant.id;
  }

  findMany(viewer: Viewer, ids: readonly string[]): Promise<Assistant[]> {
    return this.database.read(viewer.companyId, (tx) => this.assistants.findMany(tx, ids));
  }

  /** The assistant of a conversation. Rejects with NOT_FOUND. */
  async get(tx: Transaction, id: string): Promise<Assistant> {
    const [assistant] = await this.assistants.findMany(tx, [id]);
    if (!assistant) throw notFound('assistant');
    return assistant;
  }

  /** The assistant and the template in force, as a turn needs them. Rejects with NOT_FOUND. */
  async getWithTemplate(tx: Transaction, id: string): Promise<{ assistant: Assistant; template: string }> {
    const assistant = await this.get(tx, id);
    const { template } = await this.prompts.getInForce(tx, assistant);
    return { assistant, template };
  }

  /** The assistant, held until `tx` ends. Rejects with NOT_FOUND. */
  async getLocked(tx: Transaction, key: string): Promise<Assistant> {
    await this.shipped.ensure(tx);
    const assistant = isStorable(key) ? await this.assistants.lockByKey(tx, key) : null;
    if (!assistant) throw notFound('assistant');
    return assistant;
  }

  /**
   * Changes what is given and leaves the rest, in force from the next turn on. Rejects with BAD_USER_INPUT or
   * NOT_FOUND; whoever calls has checked the role.
   */
  update(viewer: Viewer, key: string, input: unknown): Promise<Assistant> {
    const given = checkInput(AssistantChanges, input);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.getLocked(tx, key);
      const changes = differences(before, given);
      if (Object.keys(changes).length > 0) {
        await this.assistants.update(tx, before.id, changes);
        await this.audit.recordChange(tx, viewer.id, 'assistant.updated', key, changes, before);
        await this.hooks.changed(tx, before, { ...before, ...changes });
      }
      return { ...before, ...changes };
    });
  }

  private remember(name: string, id: string): void {
    if (this.ids.size >= REMEMBERED) this.ids.clear();
    this.ids.set(name, id);
  }
}

/** PostgreSQL refuses the question itself when there is a NUL in it. */
const isStorable = (key: string): boolean => !key.includes('\0');
