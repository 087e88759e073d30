import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { badInput, existing, notFound } from '../../common/errors/domain-error.js';
import { Database } from '../../platform/database/database.js';
import { OncePerCompany } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AssistantDefinition } from './assistant-definition.js';
import { type Assistant, AssistantRepository } from './assistant.repository.js';

const MAX_CACHED_IDS = 100_000;

@Injectable()
export class AssistantsService {
  private readonly added = new OncePerCompany((tx) => this.assistants.addMissing(tx, this.shipped));

  /** By company id and key. */
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantRepository,
    /** The assistants that every company starts with. */
    private readonly shipped: readonly AssistantDefinition[],
  ) {}

  /** By key. Archived ones are for admins. */
  async list(viewer: Viewer): Promise<Assistant[]> {
    const all = await this.database.transaction(viewer.companyId, (tx) => this.listAll(tx));
    return viewer.role === 'MEMBER' ? all.filter(({ archived }) => !archived) : all;
  }

  async listAll(tx: Transaction): Promise<Assistant[]> {
    await this.added.ensure(tx);
    return this.assistants.list(tx, {}, 'ORDER BY key');
  }

  /** Rejects with BAD_USER_INPUT for an archived one. `path`: the argument that leads to it. */
  async requireInUse(tx: Transaction, id: string, path: readonly string[]): Promise<void> {
    if (await this.assistants.isArchived(tx, id))
      throw badInput(path, 'This assistant is archived: it answers no more questions.');
  }

  /** Rejects with NOT_FOUND for the first unknown key, with its index appended to `path`. */
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
    await this.added.ensure(tx);
    return this.assistants.find(tx, { key });
  }

  /** The id of the assistant with this key. Cached, for it never changes. */
  async findId(tx: Transaction, key: string): Promise<string | null> {
    const name = `${tx.companyId} ${key}`;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const assistant = await this.findByKey(tx, key);
    if (!assistant) return null;
    // After the commit: `tx` may have added it, and may still roll back.
    tx.afterCommit(() => this.remember(name, assistant.id));
    return assistant.id;
  }

  findMany(viewer: Viewer, ids: readonly string[]): Promise<Assistant[]> {
    return this.database.read(viewer.companyId, (tx) => this.assistants.list(tx, { id: ids }));
  }

  /** Rejects with NOT_FOUND. */
  async get(tx: Transaction, id: string): Promise<Assistant> {
    return existing(await this.assistants.find(tx, { id }), 'assistant');
  }

  /** Locks the assistant until `tx` ends. Rejects with NOT_FOUND. */
  async getLocked(tx: Transaction, key: string): Promise<Assistant> {
    await this.added.ensure(tx);
    return existing(await this.assistants.lock(tx, { key }), 'assistant');
  }

  private remember(name: string, id: string): void {
    if (this.ids.size >= MAX_CACHED_IDS) this.ids.clear();
    this.ids.set(name, id);
  }
}
