import { Injectable } from '@nestjs/common';

import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Conversation } from '../../conversations/conversation.repository.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Message } from '../../conversations/message.repository.js';
import { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { type ToldMessage, toldOf, unansweredIn } from '../unanswered.js';
import type { TaskFor } from './task-model.service.js';

export interface Kept {
  turn: Turn;
  conversation: Conversation;
  assistant: Assistant;
}

@Injectable()
export class KeptConversations {
  constructor(
    private readonly turns: TurnClaims,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
  ) {}

  /** Null: the turn and its conversation are gone. */
  async find(tx: Transaction, turnId: string): Promise<Kept | null> {
    const turn = await this.turns.find(tx, turnId);
    if (!turn) return null;
    // It may be deleted between the two statements.
    const conversation = await this.conversations.findOwned(tx, turn.memberId, turn.conversationId);
    if (!conversation) return null;
    const assistant = await this.assistants.get(tx, conversation.assistantId);
    return { turn, conversation, assistant };
  }

  /** Messages for a model, with what became of unanswered questions. */
  async tell(
    tx: Transaction,
    { assistant }: Kept,
    messages: readonly Message[],
  ): Promise<readonly ToldMessage[]> {
    const unanswered = await this.turns.listUnanswered(tx, unansweredIn(messages));
    return toldOf(messages, unanswered, assistant.language);
  }
}

export function taskFor({ turn, assistant }: Kept, purpose: TaskFor['purpose']): TaskFor {
  return {
    companyId: turn.companyId,
    turnId: turn.id,
    memberId: turn.memberId,
    assistantKey: assistant.key,
    model: assistant.model,
    purpose,
  };
}
