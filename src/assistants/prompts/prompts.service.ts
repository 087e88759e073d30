import { Injectable } from '@nestjs/common';

import type { Role, Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { notFound } from '../../common/errors/domain-error.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { Assistant } from '../assistant.entity.js';
import { AssistantRepository } from '../assistant.repository.js';
import { AssistantsService } from '../assistants.service.js';
import { type Prompt, shippedPrompt } from './prompt.js';
import { PromptPublication, requireUsable } from './prompt-publication.js';
import { PromptVersionRepository } from './prompt-version.repository.js';

const mayReadPrompts = new Set<Role>(['ADMIN', 'OPERATOR']);

/** The contract's list has no pages. Whatever is older can still be put back in force. */
export const MOST_SHOWN = 100;

/** The base prompts of a company's assistants: what is in force, and what was. */
@Injectable()
export class PromptsService {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly rows: AssistantRepository,
    private readonly prompts: PromptVersionRepository,
    private readonly audit: AuditService,
  ) {}

  /** The prompt in force; null for whoever may not read prompts. */
  async find(viewer: Viewer, assistant: Assistant): Promise<Prompt | null> {
    if (!mayReadPrompts.has(viewer.role)) return null;
    return this.database.read(viewer.companyId, (tx) => this.prompts.getInForce(tx, assistant));
  }

  /** The newest versions, newest first, the one that ships last; none for whoever may not read prompts. */
  async list(viewer: Viewer, assistant: Assistant): Promise<Prompt[]> {
    if (!mayReadPrompts.has(viewer.role)) return [];
    const published = await this.database.read(viewer.companyId, (tx) =>
      this.prompts.list(tx, assistant.id, MOST_SHOWN),
    );
    const shipped = shippedPrompt(assistant);
    return shipped ? [...published, shipped] : published;
  }

  /**
   * Publishes a new version, in force from the next turn on. Rejects with BAD_USER_INPUT that says where the template
   * is wrong, or NOT_FOUND. Whoever calls has checked the role.
   */
  publish(viewer: Viewer, key: string, input: { template: string; note?: string | null }): Promise<Prompt> {
    const { template, note } = checkInput(PromptPublication, input, []);
    requireUsable(template);
    return this.database.transaction(viewer.companyId, async (tx) => {
      // Two who publish at once get one number each, for the assistant is held.
      const assistant = await this.assistants.getLocked(tx, key);
      const [newest] = await this.prompts.list(tx, assistant.id, 1);
      const prompt = {
        companyId: tx.companyId,
        assistantId: assistant.id,
        version: (newest?.version ?? 0) + 1,
        template,
        publishedAt: new Date(),
        publishedBy: viewer.name,
        note,
      };
      await this.prompts.insert(tx, prompt);
      await this.putInForce(tx, viewer, assistant, prompt.version, 'prompt.published');
      return prompt;
    });
  }

  /**
   * Puts an earlier version back in force, 0 for the one that ships; the versions stay what they are. Rejects with
   * NOT_FOUND. Whoever calls has checked the role.
   */
  rollBack(viewer: Viewer, key: string, version: number): Promise<Prompt> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const assistant = await this.assistants.getLocked(tx, key);
      const prompt = await this.prompts.find(tx, assistant, version);
      if (!prompt) throw notFound('version of the prompt');
      if (version !== (assistant.promptVersion ?? 0)) {
        await this.putInForce(tx, viewer, assistant, version, 'prompt.rolled-back');
      }
      return prompt;
    });
  }

  private async putInForce(
    tx: Transaction,
    viewer: Viewer,
    { id, key, promptVersion }: Assistant,
    version: number,
    action: string,
  ): Promise<void> {
    await this.rows.update(tx, id, { promptVersion: version === 0 ? null : version });
    await this.audit.record(tx, viewer.id, action, key, { version, before: promptVersion ?? 0 });
  }
}
