import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isOffTheRecord } from '@palabre/text';

import { checkInput } from '../common/check-input.js';
import { Clock } from '../common/clock.js';
import { existing } from '../common/errors/domain-error.js';
import { onThread } from '../common/process/thread-time.js';
import { newIdAfter } from '../common/ids.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import { type Conversation, ConversationRepository } from './conversation.repository.js';
import { newConversation } from './conversations.service.js';
import { conversationTopics } from './conversations.events.js';
import {
  checkSize,
  importedAt,
  type ImportedConversation,
  type ImportedMessage,
} from './imported-conversation.js';
import { MessageIndex } from './message-index.service.js';
import { MessageRepository, type SaidMessage } from './message.repository.js';

/** An import through another protocol. */
interface Importing {
  /** The conversation's id. Default: a new one. */
  id?: string;
  /** The next question. It is the title if nothing was asked before. */
  question?: string;
  /** Runs in the transaction of the import. If it rejects, nothing is stored. */
  record?(tx: Transaction, conversation: Conversation): Promise<void>;
}

@Injectable()
export class ConversationImports {
  constructor(
    private readonly database: Database,
    private readonly assistants: AssistantsService,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly index: MessageIndex,
    private readonly clock: Clock,
    private readonly pubSub: PubSub,
  ) {}

  /** Imports everything or nothing. Rejects with BAD_USER_INPUT, PAYLOAD_TOO_LARGE or NOT_FOUND. */
  async import(viewer: Viewer, input: unknown, { record, ...begun }: Importing = {}): Promise<Conversation> {
    // Thousands of messages keep the thread busy: yield regularly, so that others are served.
    await yieldToEventLoop();
    const imported = checkInput(importedAt(this.clock.now()), input);
    checkSize(imported);
    const messages = await withIds(imported.messages);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const assistant = await this.getAssistant(tx, imported.assistantKey);
      const conversation = conversationOf(viewer, assistant, { ...imported, ...begun }, messages);
      await this.conversations.insert(tx, conversation);
      for (const batch of messageBatches(messages)) await this.store(tx, conversation, batch);
      await record?.(tx, conversation);
      await this.pubSub.publish(tx, conversationTopics.changed(viewer.id), conversation.id);
      return conversation;
    });
  }

  private async store(
    tx: Transaction,
    { id, memberId, indexedUntil }: Conversation,
    batch: readonly (ImportedMessage & SaidMessage)[],
  ): Promise<void> {
    const recalled = batch.filter(({ withheld }) => !withheld);
    await awaitAll([
      this.messages.insertSaid(tx, id, batch),
      indexedUntil === null ? null : this.index.put(tx, { id, memberId }, recalled),
    ]);
    await yieldToEventLoop();
  }

  private async getAssistant(tx: Transaction, key: string): Promise<Assistant> {
    const path = ['input', 'assistantKey'];
    const assistant = existing(await this.assistants.findByKey(tx, key), 'assistant', path);
    await this.assistants.requireInUse(tx, assistant.id, path);
    return assistant;
  }
}

/** Assigns ascending ids: their order is the order of the conversation, whatever the messages' times are. */
async function withIds(messages: readonly ImportedMessage[]): Promise<(ImportedMessage & SaidMessage)[]> {
  const said: (ImportedMessage & SaidMessage)[] = [];
  for (const message of messages) {
    await yieldToEventLoop();
    const earlier = said.at(-1);
    const isAnswerToWithheld = earlier?.withheld === true && message.role === 'ASSISTANT';
    const withheld = isAnswerToWithheld || onThread(() => isOffTheRecord(message.text));
    said.push({ ...message, id: newIdAfter(earlier?.id ?? null), withheld });
  }
  return said;
}

function conversationOf(
  viewer: Viewer,
  assistant: Assistant,
  { title, id, question }: ImportedConversation & Omit<Importing, 'record'>,
  messages: readonly (ImportedMessage & { id: string })[],
): Conversation {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) throw new Error('A conversation has at least one message.');
  const asked = messages.find(({ role }) => role === 'USER')?.text ?? question ?? first.text;
  const begun = newConversation(viewer, assistant.id, asked, id);
  return {
    ...begun,
    title: title ?? begun.title,
    titledByMember: title !== null,
    indexedUntil: assistant.recallsConversations ? last.id : null,
    createdAt: first.createdAt,
    updatedAt: last.createdAt,
  };
}

/** Upper bounds per statement: the embedded database runs in this thread and blocks everybody meanwhile. */
const MAX_MESSAGES = 150;
const MAX_CHARACTERS = 150_000;

/** Splits messages into batches of bounded size, each with at least one message. */
export function* messageBatches<Message extends { text: string }>(
  messages: readonly Message[],
): Generator<Message[]> {
  let batch: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const isFull = batch.length >= MAX_MESSAGES || characters + message.text.length > MAX_CHARACTERS;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(message);
    characters += message.text.length;
  }
  if (batch.length > 0) yield batch;
}
