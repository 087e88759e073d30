import { Injectable } from '@nestjs/common';

import { keyedRowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Assistant } from './assistant.repository.js';
import { type Prompt, PromptVersion } from './prompt-version.entity.js';
import { ShippedAssistants } from './definitions/shipped-assistants.service.js';

@Injectable()
export class PromptVersionRepository extends keyedRowsOf(PromptVersion) {
  constructor(private readonly shipped: ShippedAssistants) {
    super();
  }

  /** Null: there is no such version. */
  async findVersion(tx: Transaction, assistant: Assistant, version: number): Promise<Prompt | null> {
    if (version === 0) return this.shipped.promptOf(assistant);
    return this.find(tx, { assistantId: assistant.id, version });
  }

  async getInForce(tx: Transaction, assistant: Assistant): Promise<Prompt> {
    const prompt = await this.findVersion(tx, assistant, assistant.promptVersion ?? 0);
    if (!prompt) throw new Error(`The assistant ${assistant.key} has no prompt in force.`);
    return prompt;
  }

  /** Published versions, newest first. */
  listNewest(tx: Transaction, assistantId: string, limit: number): Promise<PromptVersion[]> {
    return this.list(tx, { assistantId }, `ORDER BY version DESC LIMIT ${limit}`);
  }

  /** Removes the member's name from the versions they published. The audit tells which: a name alone is not unique. */
  async anonymizePublisher(tx: Transaction, memberId: string): Promise<void> {
    await tx.query(
      `UPDATE prompt_version SET published_by = NULL FROM audit_entry AS entry JOIN assistant
         ON assistant.company_id = entry.company_id AND assistant.key = entry.subject
       WHERE entry.company_id = $1 AND entry.member_id = $2 AND entry.action = 'prompt.published'
         AND prompt_version.company_id = $1 AND prompt_version.assistant_id = assistant.id
         AND prompt_version.version = (entry.details ->> 'version')::int`,
      [tx.companyId, memberId],
    );
  }
}
