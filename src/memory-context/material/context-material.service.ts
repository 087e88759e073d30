import { Injectable } from '@nestjs/common';

import { MessageRecall, type RecalledMessage } from '../../conversations/recall/message-recall.service.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { Memory } from '../../memory/memory.entity.js';
import { MemoryReader } from '../../memory/memory-reader.service.js';
import { MemoryMentions } from '../../memory/mentions/mentions.service.js';
import type { PreparedQuery } from '../../search/search.js';
import type { Material } from '../compose-context.js';
import type { ContextRequest } from '../memory-context.js';
import { RelevantMemories } from './relevant-memories.service.js';
import { selectMaterial } from './select-material.js';

/** More lines than these do not fit in a context, however short they are. */
const MOST_PREFERENCES = 400;
const MOST_NAMED = 3;
const MOST_FOUND = 40;

/** Reads what there is to be told. */
@Injectable()
export class ContextMaterial {
  constructor(
    private readonly memories: MemoryReader,
    private readonly mentions: MemoryMentions,
    private readonly relevant: RelevantMemories,
    private readonly recall: MessageRecall,
  ) {}

  async read(tx: Transaction, request: ContextRequest, query: PreparedQuery): Promise<Material> {
    const { memberId, message } = request;
    const [preferences, named, pinned, found, recalled] = await together([
      this.memories.listPreferences(tx, memberId, MOST_PREFERENCES),
      this.mentions.find(tx, memberId, message, MOST_NAMED),
      this.pinnedProject(tx, request),
      this.relevant.find(tx, request, query, MOST_FOUND),
      this.recalled(tx, request, query),
    ]);
    return selectMaterial({ memberId, preferences, named, pinned, found, recalled });
  }

  private pinnedProject(tx: Transaction, { memberId, conversation }: ContextRequest): Promise<Memory | null> {
    const lineageId = conversation?.activeProjectId ?? null;
    return lineageId === null ? Promise.resolve(null) : this.memories.findInForce(tx, memberId, lineageId);
  }

  private recalled(
    tx: Transaction,
    { memberId, assistant, conversation, shownFrom, now }: ContextRequest,
    query: PreparedQuery,
  ): Promise<RecalledMessage[]> {
    if (!assistant.recallsConversations) return Promise.resolve([]);
    const current = conversation && { conversationId: conversation.id, shownFrom };
    return this.recall.find(tx, { memberId, query, now, current });
  }
}
