import { Injectable } from '@nestjs/common';

import { checkInput } from '../../common/check-input.js';
import { differences } from '../../common/differences.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { assistantChanged, assistantCopied, skillsChosen } from '../companies.events.js';
import { CompanyProviders } from '../providers/company-providers.service.js';
import { AssistantChanges, NewAssistant, NewCopy } from './assistant-changes.js';
import type { Strategy } from './assistant-definition.js';
import { type Assistant, AssistantRepository } from './assistant.repository.js';
import { AssistantsService } from './assistants.service.js';
import { PromptVersionRepository } from './prompt-version.repository.js';
import { requireValidTemplate } from './prompts.service.js';

/** The same limit as for the assistants of a skill. */
export const MAX_ASSISTANTS = 100;

/** The same defaults as the shipped assistants. */
function newSettings(strategy: Strategy) {
  return {
    ...(strategy === 'PLANNED' ? { maxSteps: 5, maxSeconds: 45 } : { maxSteps: 10, maxSeconds: 120 }),
    maxOutputTokens: 4096,
    backgroundMaxSteps: 30,
    backgroundMaxSeconds: 900,
    reasoningEffort: null,
    recallsConversations: false,
    extractsMemories: false,
    showsReasoning: false,
    retrieval: 'FORCED' as const,
    archived: false,
    copiedFrom: null,
  };
}

/** Admins' settings of an assistant, except for later prompts. */
@Injectable()
export class AssistantSettings {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly rows: AssistantRepository,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
    private readonly providers: CompanyProviders,
    private readonly prompts: PromptVersionRepository,
  ) {}

  /**
   * Changes the given fields, from the next turn on. Rejects with BAD_USER_INPUT or NOT_FOUND. The caller has checked
   * the role.
   */
  update(viewer: Viewer, key: string, input: unknown): Promise<Assistant> {
    const given = checkInput(AssistantChanges, input);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.assistants.getLocked(tx, key);
      const changes = differences(before, given);
      await this.checkParts(tx, changes);
      if (Object.keys(changes).length > 0) {
        await this.rows.update(tx, { id: before.id }, changes);
        await this.audit.recordChange(tx, viewer.id, 'assistant.updated', key, changes, before);
        await this.events.emit(tx, assistantChanged, { before, after: { ...before, ...changes } });
      }
      return { ...before, ...changes };
    });
  }

  /** Makes an assistant. Rejects with BAD_USER_INPUT, NOT_FOUND or CONFLICT. The caller has checked the role. */
  create(viewer: Viewer, input: unknown): Promise<Assistant> {
    const { template, ...given } = checkInput(NewAssistant, input);
    requireValidTemplate(template, ['input', 'template']);
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.checkParts(tx, given);
      const assistant = { ...newSettings(given.strategy), ...given, model: given.model ?? null };
      return this.add(tx, viewer, { ...assistant, skills: given.skills ?? null, template }, ['input', 'key']);
    });
  }

  /**
   * Copies an assistant with its current prompt. Rejects with BAD_USER_INPUT, NOT_FOUND or CONFLICT. The caller has
   * checked the role.
   */
  copy(viewer: Viewer, key: string, input: unknown): Promise<Assistant> {
    const { newKey, name } = checkInput(NewCopy, input, []);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const original = await this.assistants.getLocked(tx, key);
      const { template } = await this.prompts.getInForce(tx, original);
      const copiedFrom = original.copiedFrom ?? key;
      const copy = { ...original, key: newKey, name, archived: false, copiedFrom, template };
      const added = await this.add(tx, viewer, copy, ['newKey']);
      await this.events.emit(tx, assistantCopied, { from: key, to: newKey });
      return added;
    });
  }

  /**
   * Archives an assistant, which then answers no more, or restores it. Rejects with NOT_FOUND. The caller checked the
   * role.
   */
  archive(viewer: Viewer, key: string, archived: boolean): Promise<Assistant> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.assistants.getLocked(tx, key);
      if (before.archived !== archived) {
        await this.rows.update(tx, { id: before.id }, { archived });
        await this.audit.record(tx, viewer.id, archived ? 'assistant.archived' : 'assistant.unarchived', key);
      }
      return { ...before, archived };
    });
  }

  private async checkParts(tx: Transaction, { model, skills }: AssistantChanges): Promise<void> {
    if (model) await this.providers.requireOffered(tx, model, ['input', 'model']);
    if (skills) await this.events.emit(tx, skillsChosen, { keys: skills, path: ['input', 'skills'] });
  }

  /** Stores an assistant with its first prompt. `path`: the argument with its key. */
  private async add(
    tx: Transaction,
    viewer: Viewer,
    { template, ...given }: Omit<Assistant, 'companyId' | 'id' | 'promptVersion'> & { template: string },
    path: readonly string[],
  ): Promise<Assistant> {
    const all = await this.assistants.listAll(tx);
    if (all.length >= MAX_ASSISTANTS) {
      const message = `A company has at most ${MAX_ASSISTANTS} assistants, archived ones too.`;
      throw new DomainError('CONFLICT', message, { limit: MAX_ASSISTANTS });
    }
    const assistant = { ...given, companyId: tx.companyId, id: newId(), promptVersion: 1 };
    if (!(await this.rows.insert(tx, assistant, 'ON CONFLICT DO NOTHING'))) {
      throw new DomainError('CONFLICT', `There is another assistant with the key ${assistant.key}.`, {
        path,
      });
    }
    await this.prompts.insert(tx, {
      companyId: tx.companyId,
      assistantId: assistant.id,
      version: 1,
      template,
      publishedAt: new Date(),
      publishedBy: viewer.name,
      note: null,
    });
    const { companyId: _companyId, id: _id, promptVersion: _promptVersion, key, ...details } = assistant;
    await this.audit.record(tx, viewer.id, 'assistant.created', key, details);
    // Erasure finds the publisher's name by this entry.
    await this.audit.record(tx, viewer.id, 'prompt.published', key, { version: 1, before: 0 });
    return assistant;
  }
}
