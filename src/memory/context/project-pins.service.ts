import { Injectable } from '@nestjs/common';

import { badInput, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Conversation } from '../../conversations/conversation.repository.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import type { Memory } from '../memory.entity.js';
import { SeenMemoryRepository } from '../seen-memory.repository.js';

@Injectable()
export class ProjectPins {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly memories: SeenMemoryRepository,
  ) {}

  /** From the next turn on; null removes the pin. Rejects with NOT_FOUND or BAD_USER_INPUT. */
  pin(viewer: Viewer, conversationId: string, memoryId: string | null): Promise<Conversation> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const conversation = await this.conversations.getLocked(tx, viewer, conversationId, ['conversationId']);
      const project = memoryId === null ? null : await this.getProject(tx, viewer, memoryId);
      return this.conversations.pinProject(tx, conversation, project?.lineageId ?? null);
    });
  }

  /** The version in force of each lineage, in their order; null: it was forgotten. */
  findMany(viewer: Viewer, lineageIds: readonly string[]): Promise<(Memory | null)[]> {
    return this.database.read(viewer.companyId, (tx) =>
      awaitAll(lineageIds.map((id) => this.memories.findInForce(tx, viewer.id, id))),
    );
  }

  private async getProject(tx: Transaction, viewer: Viewer, id: string): Promise<Memory> {
    const [memory] = isId(id) ? await this.memories.findMany(tx, viewer.id, [id]) : [];
    if (!memory) throw notFound('memory', ['memoryId']);
    if (memory.kind !== 'PROJECT') throw badInput(['memoryId'], 'This memory is not a project.');
    return memory;
  }
}
