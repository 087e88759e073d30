import { Injectable } from '@nestjs/common';

import { DomainError } from '../../common/errors/domain-error.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MemoryWriter } from '../../memory/memory-writer.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { ExtractionMaterial } from './extraction-material.service.js';
import type { Note } from './notes-of-facts.js';

/** What became of notes. */
interface KeptNotes {
  noted: number;
  /** Of each that was not taken, why: without anything of what it says. */
  refused: string[];
}

/** Keeps what was noted of a turn: once, and all of it or nothing. */
@Injectable()
export class NotesKeeper {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly material: ExtractionMaterial,
    private readonly writer: MemoryWriter,
  ) {}

  /** Rejects with NOT_FOUND when the conversation is gone. */
  async keep(turn: Turn, notes: readonly Note[]): Promise<KeptNotes> {
    const kept: KeptNotes = { noted: 0, refused: [] };
    if (notes.length === 0) return kept;
    await this.database.transaction(turn.companyId, async (tx) => {
      // Held, so that of two runs of one job the second sees what the first has noted.
      await this.conversations.getLocked(tx, { id: turn.memberId }, turn.conversationId);
      if (!(await this.material.isOpen(tx, turn))) return;
      for (const note of notes) await this.note(tx, turn, note, kept);
    });
    return kept;
  }

  private async note(tx: Transaction, turn: Turn, { memory }: Note, kept: KeptNotes): Promise<void> {
    const { memberId, role, questionId: sourceMessageId, createdAt: validFrom } = turn;
    try {
      const noter = { memberId, role };
      const note = { ...memory, source: 'EXTRACTION', sourceMessageId, validFrom } as const;
      const { isNew } = await this.writer.note(tx, noter, note);
      if (isNew) kept.noted += 1;
    } catch (error) {
      // Nothing was written yet that would have to be undone: it is refused for what it says.
      if (!(error instanceof DomainError)) throw error;
      kept.refused.push(error.message);
    }
  }
}
