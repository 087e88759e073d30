import { Injectable } from '@nestjs/common';
import { Tokenizer } from '@palabre/llm-client';

import { Clock } from '../../../common/clock.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { RelevantMemories } from '../../../memory/context/relevant-memories.service.js';
import type { Memory, MemoryRange } from '../../../memory/memory.entity.js';
import { SeenMemoryRepository } from '../../../memory/seen-memory.repository.js';
import type { PreparedQuery } from '../../../documents/search-index/search.js';
import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import { MessagePathRepository } from '../../../conversations/message-path.repository.js';
import { type Excerpt, packExcerpts } from '../../../conversations/recall/excerpts.js';
import { MessageRecall } from '../../../conversations/recall/message-recall.service.js';
import { historyLimit, shownFromOf } from '../../../memory/context/memory-context.js';
import type { SkillContext } from '../../skill.js';

const MAX_FOUND = 10;
/** The most memories without a query. Most members have fewer. */
const MAX_LISTED = 30;
/** At least this many of them are the company's, if available. */
const ROOM_FOR_SHARED = 10;

/** `isAll`: false if there may be more. */
export interface Noted {
  memories: Memory[];
  isAll: boolean;
}

/** Finds memories of a member and of the whole company. */
@Injectable()
export class NotedMemories {
  constructor(
    private readonly memories: SeenMemoryRepository,
    private readonly relevant: RelevantMemories,
    private readonly clock: Clock,
  ) {}

  /** The most relevant memories; without a query the latest, the member's own first. */
  async find(
    tx: Transaction,
    { memberId, questionId }: SkillContext,
    query: PreparedQuery | null,
    range: MemoryRange,
  ): Promise<Noted> {
    if (range.kinds.length === 0) return { memories: [], isAll: true };
    const { memories, isAll } = await (query
      ? this.findRelevant(tx, memberId, query, range)
      : this.findLatest(tx, memberId, range));
    const beside = await this.relevant.listBeside(tx, questionId, memories);
    return { memories: memories.filter((memory) => !beside.has(memory)), isAll };
  }

  private async findLatest(tx: Transaction, memberId: string, range: MemoryRange): Promise<Noted> {
    const listed = await this.memories.listInRange(tx, memberId, range, MAX_LISTED + 1);
    const memories = withRoomForShared(listed);
    return { memories, isAll: memories.length === listed.length };
  }

  private async findRelevant(
    tx: Transaction,
    memberId: string,
    query: PreparedQuery,
    range: MemoryRange,
  ): Promise<Noted> {
    const asker = { memberId, now: this.clock.now() };
    const { found, isAll } = await this.relevant.findInRange(tx, asker, query, range, MAX_FOUND);
    return { memories: found.map(({ memory }) => memory), isAll };
  }
}

function withRoomForShared(listed: readonly Memory[]): Memory[] {
  const own = listed.filter(({ ownerId }) => ownerId !== null);
  const shared = listed.slice(own.length);
  const room = Math.max(ROOM_FOR_SHARED, MAX_LISTED - own.length);
  const told = shared.slice(0, room);
  return [...own.slice(0, MAX_LISTED - told.length), ...told];
}

const MAX_MESSAGES = 10;
const MAX_TOKENS = 1_200;

/** Finds earlier messages in conversations that the assistant may search. */
@Injectable()
export class EarlierMessages {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly paths: MessagePathRepository,
    private readonly messages: MessageRecall,
    private readonly tokens: Tokenizer,
    private readonly clock: Clock,
  ) {}

  /** The most relevant messages, as dated excerpts, oldest first. */
  async find(
    tx: Transaction,
    query: PreparedQuery,
    isWanted: (date: Date) => boolean,
    context: SkillContext,
  ): Promise<Excerpt[]> {
    const assistant = await this.assistants.findByKey(tx, context.assistantKey);
    if (!assistant?.recallsConversations) return [];
    const { memberId, conversationId, questionId: leaf, language } = context;
    const before = await this.paths.listBefore(tx, { leaf, limit: historyLimit });
    const recalled = await this.messages.find(tx, {
      memberId,
      query,
      now: this.clock.now(),
      current: { conversationId, leaf, shownFrom: shownFromOf(before) },
    });
    const wanted = recalled.filter(({ message }) => isWanted(message.createdAt)).slice(0, MAX_MESSAGES);
    const count = (text: string): number => this.tokens.count(text);
    return packExcerpts(wanted, { budgetTokens: MAX_TOKENS, count, language }).excerpts;
  }
}
