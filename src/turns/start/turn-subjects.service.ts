import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../../assistants/assistants.service.js';
import type { Viewer } from '../../auth/viewer.js';
import { badInput, notFound } from '../../common/errors/domain-error.js';
import type { Conversation } from '../../conversations/conversation.entity.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Transaction } from '../../database/transaction.js';
import { DocumentReader } from '../../documents/document-reader.service.js';
import { CONVERSATION_ARGUMENT, type StartTurn } from './start-turn.js';

/** Finds whom and what a question is put to. What is absent and what is another company's is refused alike. */
@Injectable()
export class TurnSubjects {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly documents: DocumentReader,
  ) {}

  /** The conversation that a question goes on with, held until `tx` ends. */
  async continue(
    tx: Transaction,
    viewer: Viewer,
    { assistantKey }: Pick<StartTurn, 'assistantKey'>,
    conversationId: string,
  ): Promise<Conversation> {
    const conversation = await this.conversations.getLocked(
      tx,
      viewer,
      conversationId,
      CONVERSATION_ARGUMENT,
    );
    if (assistantKey === null) return conversation;
    const assistant = await this.assistants.findByKey(tx, assistantKey);
    if (assistant?.id !== conversation.assistantId) {
      throw badInput(['input', 'assistantKey'], 'This conversation is with another assistant.');
    }
    return conversation;
  }

  /** Of the assistant to begin a conversation with. */
  async assistantId(tx: Transaction, { assistantKey }: Pick<StartTurn, 'assistantKey'>): Promise<string> {
    if (assistantKey === null) {
      throw badInput(
        ['input', 'assistantKey'],
        'Give a conversationId, or an assistantKey to begin a conversation.',
      );
    }
    const id = await this.assistants.findId(tx, assistantKey);
    if (id === null) throw notFound('assistant', ['input', 'assistantKey']);
    return id;
  }

  /** The company has all the documents that the question is about, whether they have been read yet or not. */
  async requireDocuments(tx: Transaction, { documentIds }: Pick<StartTurn, 'documentIds'>): Promise<void> {
    if (documentIds.length > 0) await this.documents.requireMany(tx, documentIds);
  }
}
