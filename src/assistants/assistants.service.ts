import { Injectable } from '@nestjs/common';

import type { Role, Viewer } from '../auth/viewer.js';
import { Database } from '../database/database.js';
import { OncePerCompany } from '../database/once-per-company.js';
import type { Transaction } from '../database/transaction.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantRepository } from './assistant.repository.js';
import { assistantDefinitions } from './definitions/assistant-definitions.js';
import type { PromptVersion } from './prompt-version.entity.js';

const REMEMBERED = 100_000;

const mayReadPrompts = new Set<Role>(['ADMIN', 'OPERATOR']);

@Injectable()
export class AssistantsService {
  private readonly shipped = new OncePerCompany((tx) => this.assistants.addMissing(tx, assistantDefinitions));

  /** By company and key. */
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantRepository,
  ) {}

  list(viewer: Viewer): Promise<Assistant[]> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.shipped.ensure(tx);
      return this.assistants.list(tx);
    });
  }

  find(viewer: Viewer, key: string): Promise<Assistant | null> {
    return this.database.transaction(viewer.companyId, (tx) => this.findByKey(tx, key));
  }

  async findByKey(tx: Transaction, key: string): Promise<Assistant | null> {
    await this.shipped.ensure(tx);
    // PostgreSQL refuses the question itself when there is a NUL in it.
    if (key.includes('\0')) return null;
    return this.assistants.findByKey(tx, key);
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
    return this.database.transaction(viewer.companyId, (tx) => this.assistants.findMany(tx, ids));
  }

  /** The assistant and the template in force, as a turn needs them. */
  async getWithTemplate(tx: Transaction, id: string): Promise<{ assistant: Assistant; template: string }> {
    const [assistant] = await this.assistants.findMany(tx, [id]);
    if (!assistant) throw new Error(`The assistant ${id} of a conversation does not exist.`);
    const prompt = (await this.assistants.findPrompt(tx, assistant)) ?? shippedPrompt(assistant);
    return { assistant, template: prompt.template };
  }

  /** The prompt in force; null for whoever may not read prompts. */
  async findPrompt(viewer: Viewer, assistant: Assistant): Promise<PromptInForce | null> {
    if (!mayReadPrompts.has(viewer.role)) return null;
    const published = await this.database.transaction(viewer.companyId, (tx) =>
      this.assistants.findPrompt(tx, assistant),
    );
    return published ?? shippedPrompt(assistant);
  }

  /** Every version, newest first, the one that ships last; none for whoever may not read prompts. */
  async listPrompts(viewer: Viewer, assistant: Assistant): Promise<PromptInForce[]> {
    if (!mayReadPrompts.has(viewer.role)) return [];
    const published = await this.database.transaction(viewer.companyId, (tx) =>
      this.assistants.listPrompts(tx, assistant.id),
    );
    return [...published, shippedPrompt(assistant)];
  }

  private remember(name: string, id: string): void {
    if (this.ids.size >= REMEMBERED) this.ids.clear();
    this.ids.set(name, id);
  }
}

export type PromptInForce = Pick<
  PromptVersion,
  'version' | 'template' | 'publishedAt' | 'publishedBy' | 'note'
>;

/** Version 0 is the code's own, so that an update of the product reaches every company that has published none. */
const shippedPrompt = ({ key }: Assistant): PromptInForce => {
  const definition = assistantDefinitions.find((candidate) => candidate.key === key);
  if (!definition) throw new Error(`The assistant ${key} has neither a published prompt nor one that ships.`);
  return { version: 0, template: definition.template, publishedAt: null, publishedBy: null, note: null };
};
