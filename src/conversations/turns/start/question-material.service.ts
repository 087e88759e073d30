import { Injectable } from '@nestjs/common';

import { badInput } from '../../../common/errors/domain-error.js';
import { Attachments } from '../../../documents/attachments/attachments.service.js';
import { DocumentsService } from '../../../documents/documents.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { AskedSkills } from '../inputs/asked-skills.service.js';
import { imagesAttached } from '../turns.events.js';
import type { ClientSkill } from './client-skills.js';

/** A question, and what it is asked with. */
interface AttachedTo {
  memberId: string;
  assistantId: string;
  /** Null: it begins one. */
  conversationId: string | null;
  ids: readonly string[];
  /** They were named; else they are those of a stored question, of which some may be gone. */
  areGiven: boolean;
  /** The argument that they are refused for. */
  path: readonly string[];
}

/** What questions are asked with: documents of the company, files of the conversation, skills of the client. */
@Injectable()
export class QuestionMaterial {
  constructor(
    private readonly documents: DocumentsService,
    private readonly attachments: Attachments,
    private readonly skills: AskedSkills,
    private readonly events: DomainEvents,
  ) {}

  /** Rejects with NOT_FOUND unless the company has all of these documents, processed or not. */
  async requireDocuments(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.documents.requireMany(tx, ids);
  }

  /** Until `tx` ends. Rejects with NOT_FOUND, and with BAD_USER_INPUT, as for images where the model sees none. */
  async hold(
    tx: Transaction,
    { memberId, assistantId, conversationId, ids, areGiven, path }: AttachedTo,
  ): Promise<string[]> {
    if (ids.length === 0) return [];
    if (areGiven) await this.attachments.hold(tx, memberId, { ids, conversationId, path });
    const found = await this.attachments.findManyIn(tx, memberId, ids);
    if (found.some(({ kind }) => kind === 'IMAGE'))
      await this.events.emit(tx, imagesAttached, { assistantId, path });
    return ids.filter((id) => found.some((each) => each.id === id));
  }

  /** From now on they belong to this conversation. */
  async attach(tx: Transaction, ids: readonly string[], conversationId: string): Promise<void> {
    if (ids.length > 0) await this.attachments.attach(tx, ids, conversationId);
  }

  /** Rejects with BAD_USER_INPUT for what would stand in for a skill of the company. */
  async requireClientSkills(companyId: string, skills: readonly ClientSkill[]): Promise<void> {
    const keys = skills.map(({ key }) => key);
    const [taken] = await this.skills.lookup.listTaken(companyId, keys);
    if (taken === undefined) return;
    const path = ['input', 'clientSkills', String(keys.indexOf(taken)), 'key'];
    throw badInput(path, `There is a skill ${taken} already: choose another key.`);
  }
}
