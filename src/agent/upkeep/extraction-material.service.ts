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

/** A turn that something may be learned from. */
export interface Extraction {
  kept: Kept;
  question: Message;
  answer: Message | null;
  /** Oldest first. */
  before: readonly ToldMessage[];
}

interface KeptNotes {
  noted: number;
  /** Of each that was not taken, why: without anything of what it says. */
  refused: string[];
}

/** Reads what the member said in a turn, and whether anything is to be noted of it; keeps what was noted. */
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

  /** Null: nothing is to be noted of it. */
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
    const shown = before.filter(({ withheld }) => !withheld);
    return { kept, question, answer, before: await this.kept.tell(tx, kept, shown) };
  }

  /** Not twice, not from a hidden branch, and not once something was forgotten since: it could be learned again. */
  private async isOpen(tx: Transaction, { memberId, questionId, createdAt }: Turn): Promise<boolean> {
    const [question, isShown, isDone, isOvertaken] = await awaitAll([
      this.conversations.findMessageIn(tx, questionId),
      this.paths.isShown(tx, questionId),
      this.memories.hasLearnedFrom(tx, memberId, questionId),
      this.memories.hasForgotten(tx, memberId, createdAt),
    ]);
    return question !== null && isShown && !question.withheld && !isDone && !isOvertaken;
  }

  /** Keeps what was noted of a turn: once, and all of it or nothing. Rejects with NOT_FOUND when the conversation is gone. */
  async keep(turn: Turn, notes: readonly Note[]): Promise<KeptNotes> {
    const kept: KeptNotes = { noted: 0, refused: [] };
    if (notes.length === 0) return kept;
    await this.database.transaction(turn.companyId, async (tx) => {
      // Held, so that of two runs of one job the second sees what the first has noted.
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
      // Nothing was written yet that would have to be undone: it is refused for what it says.
      if (!(error instanceof DomainError)) throw error;
      kept.refused.push(error.message);
    }
  }
}

/** The assistant used memory skills itself in this turn, so nothing is extracted after it. */
function isOfMemory({ skill }: SkillCall): boolean {
  return skill === 'remember' || skill === 'forget_memory';
}
