import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../../../assistants/assistants.service.js';
import { Clock } from '../../../common/clock.js';
import { ConversationsService } from '../../../conversations/conversations.service.js';
import { type Excerpt, packExcerpts } from '../../../conversations/recall/excerpts.js';
import { MessageRecall } from '../../../conversations/recall/message-recall.service.js';
import type { Transaction } from '../../../database/transaction.js';
import { Tokenizer } from '../../../llm/tokens/tokenizer.js';
import { historyLimit, shownFromOf } from '../../../memory-context/shown-history.js';
import type { PreparedQuery } from '../../../search/search.js';
import { TurnClaims } from '../../../turns/claims/turn-claims.service.js';
import type { SkillContext } from '../../skill.js';

const MOST_MESSAGES = 10;
const MOST_TOKENS = 1_200;

/** What was said before in conversations that the assistant may look into. */
@Injectable()
export class EarlierMessages {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly conversations: ConversationsService,
    private readonly turns: TurnClaims,
    private readonly messages: MessageRecall,
    private readonly tokens: Tokenizer,
    private readonly clock: Clock,
  ) {}

  /** The best that bears on the query, in dated excerpts, the oldest first. */
  async find(
    tx: Transaction,
    query: PreparedQuery,
    isWanted: (date: Date) => boolean,
    context: SkillContext,
  ): Promise<Excerpt[]> {
    const assistant = await this.assistants.findByKey(tx, context.assistantKey);
    if (!assistant?.recallsConversations) return [];
    const { memberId, conversationId, language } = context;
    const shownFrom = await this.shownFrom(tx, context);
    const recalled = await this.messages.find(tx, {
      memberId,
      query,
      now: this.clock.now(),
      current: { conversationId, shownFrom },
    });
    const wanted = recalled.filter(({ message }) => isWanted(message.createdAt)).slice(0, MOST_MESSAGES);
    const count = (text: string): number => this.tokens.count(text);
    return packExcerpts(wanted, { budgetTokens: MOST_TOKENS, count, language }).excerpts;
  }

  /** The first message of this conversation that the prompt shows anyway. */
  private async shownFrom(
    tx: Transaction,
    { conversationId, turnId }: Pick<SkillContext, 'conversationId' | 'turnId'>,
  ): Promise<string | null> {
    const turn = await this.turns.find(tx, turnId);
    if (!turn) return null;
    const { questionId } = turn;
    const before = await this.conversations.listBefore(tx, conversationId, questionId, historyLimit);
    return shownFromOf(before);
  }
}
