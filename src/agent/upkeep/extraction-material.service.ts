import { Injectable } from '@nestjs/common';

import { DomainError } from '../../common/errors/domain-error.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Message } from '../../conversations/message.repository.js';
import { MessagePathRepository } from '../../conversations/message-path.repository.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { SeenMemoryRepository } from '../../memory/seen-memory.repository.js';
import { MemoryWriter } from '../../memory/memory-writer.service.js';
import type { SkillCall } from '../../conversations/turns/skill-call.entity.js';
import { TurnCheckpoints } from '../../conversations/turns/log/turn-checkpoints.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import type { ToldMessage } from '../unanswered.js';
import { type Kept, KeptConversations } from './kept-conversations.service.js';
import type { Note } from './notes-of-facts.js';

/** Enough context to resolve answers such as "yes, that one". */
const MAX_BEFORE = 4;

/** A turn from which memories may be learnt. */
export interface Extraction {
  kept: Kept;
  question: Message;
  answer: Message | null;
  /** Oldest first. */
  before: readonly ToldMessage[];
}

interface KeptNotes {
  noted: number;
  /** The reasons for refused notes, without their content. */
  refused: string[];
}

/** Reads the member's messages of a turn that may be learnt from, and stores the notes. */
@Injectable()
export class ExtractionMaterial {
  constructor(
    private readonly kept: KeptConversations,
    private readonly checkpoints: TurnCheckpoints,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly memories: SeenMemoryRepository,
    private readonly database: Database,
    private readonly writer: MemoryWriter,
  ) {}

  /** Null: nothing may be learnt from it. */
  async find(tx: Transaction, turnId: string): Promise<Extraction | null> {
    const kept = await this.kept.find(tx, turnId);
    if (!kept?.assistant.extractsMemories) return null;
    const { turn } = kept;
    const [isOpen, calls, answer, before] = await awaitAll([
      this.isOpen(tx, turn),
      this.checkpoints.listSkillCalls(tx, turnId),
      this.conversations.findMessageIn(tx, turn.answerId),
      this.paths.listBefore(tx, { leaf: turn.questionId, limit: MAX_BEFORE }),
    ]);
    if (!isOpen || calls.some(isOfMemory)) return null;
    const question = await this.conversations.getMessage(tx, turn.questionId);
    const shown = before.filter(({ withheld, withdrawn }) => !withheld && !withdrawn);
    return { kept, question, answer, before: await this.kept.tell(tx, kept, shown) };
  }

  /** False if the turn was used already, is in a hidden branch, or something was forgotten since. */
  private async isOpen(tx: Transaction, { memberId, questionId, createdAt }: Turn): Promise<boolean> {
    const [question, isShown, isDone, isOvertaken] = await awaitAll([
      this.conversations.findMessageIn(tx, questionId),
      this.paths.isShown(tx, questionId),
      this.memories.hasLearnedFrom(tx, memberId, questionId),
      this.memories.hasForgotten(tx, memberId, createdAt),
    ]);
    return question !== null && isShown && !question.withheld && !isDone && !isOvertaken;
  }

  /** Stores the notes of a turn once, all or none. Rejects with NOT_FOUND when the conversation is gone. */
  async keep(turn: Turn, notes: readonly Note[]): Promise<KeptNotes> {
    const kept: KeptNotes = { noted: 0, refused: [] };
    if (notes.length === 0) return kept;
    await this.database.transaction(turn.companyId, async (tx) => {
      // Locked, so that a second run of the job sees the first one's notes.
      await this.conversations.getLocked(tx, { id: turn.memberId }, turn.conversationId);
      if (!(await this.isOpen(tx, turn))) return;
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
      // The content was refused before anything was written, so there is nothing to undo.
      if (!(error instanceof DomainError)) throw error;
      kept.refused.push(error.message);
    }
  }
}

/** The assistant used memory skills itself in this turn, so nothing is extracted after it. */
function isOfMemory({ skill }: SkillCall): boolean {
  return skill === 'remember' || skill === 'forget_memory';
}
