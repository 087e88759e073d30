import { Injectable } from '@nestjs/common';

import { badInput } from '../../../common/errors/domain-error.js';
import { DocumentReader } from '../../../documents/document-reader.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { AskedSkills } from '../inputs/asked-skills.service.js';
import type { ClientSkill } from './client-skills.js';
import type { Regenerate, StartTurn } from './start-turn.js';

/** Checks what a question names besides its conversation. */
@Injectable()
export class TurnChecks {
  constructor(
    private readonly documents: DocumentReader,
    private readonly skills: AskedSkills,
  ) {}

  /** Rejects unless the company has all documents that the question names, processed or not. */
  async requireDocuments(tx: Transaction, request: StartTurn | Regenerate): Promise<void> {
    if ('documentIds' in request && request.documentIds.length > 0) {
      await this.documents.requireMany(tx, request.documentIds);
    }
  }

  /** Rejects with BAD_USER_INPUT for what cannot be called, and what would stand in for a skill of the company. */
  async requireClientSkills(companyId: string, skills: readonly ClientSkill[]): Promise<void> {
    const path = (index: number, field: string): string[] => ['input', 'clientSkills', String(index), field];
    for (const [index, { parameters }] of skills.entries()) {
      const fault = this.skills.lookup.faultOfSchema(parameters);
      if (fault !== null) throw badInput(path(index, 'parameters'), fault);
    }
    const keys = skills.map(({ key }) => key);
    const [taken] = await this.skills.lookup.listTaken(companyId, keys);
    if (taken === undefined) return;
    throw badInput(
      path(keys.indexOf(taken), 'key'),
      `There is a skill ${taken} already: choose another key.`,
    );
  }
}
