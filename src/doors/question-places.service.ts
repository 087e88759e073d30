import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Conversation } from '../conversations/conversation.repository.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message, MessageRole } from '../conversations/message.repository.js';
import { MessagePathRepository } from '../conversations/message-path.repository.js';
import { MessageTree } from '../conversations/message-tree.service.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { InlineFile } from './inline-files.service.js';

/** Where a question stands, as startTurn has it. */
export interface Place {
  /** Null: it begins a conversation. */
  conversationId: string | null;
  parentId?: string;
  replacesMessageId?: string;
}

/** A message as a client sends it that knows our ids. What assistants are said to have said is not read. */
export interface SentMessage {
  id: string;
  role: string;
  text: string;
  files: readonly InlineFile[];
}

/** Something that was said before the question, as a client tells it that knows no ids. */
export interface ToldMessage {
  role: MessageRole;
  text: string;
}

/** Of a client's history, so many messages are looked at. */
const MAX_HISTORY = 50;
/** Answers that are alike, such as "OK.": so many of the newest are looked at. */
const MAX_CANDIDATES = 20;
/** A text that was withdrawn stands before an answer with an empty line between: so many are tried. */
const MAX_ENDS = 50;
/** Each end is digested, which takes the thread: histories with longer answers are new to us. */
const MAX_MATCHED_CHARACTERS = 200_000;

/** Finds where questions stand of clients that keep the history themselves, by what they send of it. */
@Injectable()
export class QuestionPlaces {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly tree: MessageTree,
  ) {}

  /** After the answer of a turn, or at the end where it has none yet. */
  async after(viewer: Viewer, { conversationId, answerId, questionId, finishedAt }: Turn): Promise<Place> {
    const [answer] = await this.conversations.findMessages(viewer, [answerId]);
    const parentId = answer?.id ?? (finishedAt === null ? undefined : questionId);
    return { conversationId, ...(parentId !== undefined && { parentId }) };
  }

  /**
   * By ids. The last message before the question that has one of our ids is one that the conversation has; from there the
   * user's messages are found by their texts. Our ids are those of answers, which clients are told, so that it does not
   * matter which ids clients give to questions. `same`: the question, where it stands there already.
   *
   * `withoutHistory`: where a question stands whose history has no message of the conversation.
   */
  async byIds(
    viewer: Viewer,
    conversation: Conversation,
    messages: readonly SentMessage[],
    { unfinished, withoutHistory }: { unfinished: readonly Turn[]; withoutHistory: 'begins' | 'follows' },
  ): Promise<Place & { same?: Message }> {
    const atEnd = { conversationId: conversation.id };
    const said = messages.filter(({ role }) => role === 'user' || role === 'assistant');
    const asked = said.at(-1);
    if (!asked) return atEnd;
    const history = said.slice(-MAX_HISTORY - 1, -1);
    const ids = [...history, asked].map(({ id }) => id);
    const known = await this.known(viewer, conversation, ids);
    const itself = known.at(-1);
    if (itself?.role === 'USER') {
      if (isSame(itself, asked)) return { ...atEnd, same: itself };
      return { ...atEnd, replacesMessageId: itself.id };
    }
    const at = history.findLastIndex((_, index) => known[index] !== undefined);
    let before = known[at] ?? null;
    for (const { role, text } of history.slice(at + 1)) {
      if (role !== 'user') continue;
      before = (await this.tree.findQuestionAfter(viewer, conversation, before, stored(text))) ?? before;
    }
    const same = await this.tree.findQuestionAfter(viewer, conversation, before, stored(asked.text));
    if (same && isSame(same, asked)) return { ...atEnd, same };
    // Its answer is still to come, and belongs between both.
    if (unfinished.some(({ questionId }) => questionId === before?.id)) return atEnd;
    if (before) return { ...atEnd, parentId: before.id };
    return withoutHistory === 'follows' ? atEnd : this.insteadOfFirst(viewer, conversation.id);
  }

  /**
   * By texts: after the answer that a history ends with. In `conversation`, or, if it is null, in whichever has a path that
   * is the same, to the word; null then: the history is new to us.
   */
  async byTexts(
    viewer: Viewer,
    assistantId: string,
    history: readonly ToldMessage[],
    conversation: Conversation | null,
  ): Promise<Place | null> {
    const found = await this.database.read(viewer.companyId, async (tx) => {
      const answers = await this.listCandidates(tx, viewer, assistantId, history);
      if (!conversation) return this.samePath(tx, answers, history);
      return answers.find(({ conversationId }) => conversationId === conversation.id);
    });
    if (found) return { conversationId: found.conversationId, parentId: found.id };
    if (!conversation) return null;
    return history.length === 0
      ? this.insteadOfFirst(viewer, conversation.id)
      : { conversationId: conversation.id };
  }

  /** The conversation's messages of these ids, as clients know them, each in the place of its id. */
  async known(
    viewer: Viewer,
    conversation: Conversation | null,
    ids: readonly string[],
  ): Promise<(Message | undefined)[]> {
    const own = ids.map(ownIdOf);
    const found = await this.conversations.findMessages(
      viewer,
      own.filter((id) => id !== null),
    );
    const ofThis = found.filter(({ conversationId }) => conversationId === conversation?.id);
    return own.map((own) => ofThis.find(({ id }) => id === own));
  }

  /** A first question was edited, or is to be answered again. */
  private async insteadOfFirst(viewer: Viewer, conversationId: string): Promise<Place> {
    const first = await this.database.read(viewer.companyId, (tx) =>
      this.conversations.findFirstExchange(tx, conversationId),
    );
    const isQuestion = first?.question.role === 'USER';
    return { conversationId, ...(isQuestion && { replacesMessageId: first.question.id }) };
  }

  /** Answers that may be the last of the history. */
  private async listCandidates(
    tx: Transaction,
    { id: memberId }: Viewer,
    assistantId: string,
    history: readonly ToldMessage[],
  ): Promise<Message[]> {
    const last = history.at(-1);
    if (last?.role !== 'ASSISTANT' || last.text.length > MAX_MATCHED_CHARACTERS) return [];
    const texts = endsOf(last.text);
    return this.paths.listAnswers(tx, { memberId, assistantId, texts, limit: MAX_CANDIDATES });
  }

  private async samePath(
    tx: Transaction,
    answers: readonly Message[],
    history: readonly ToldMessage[],
  ): Promise<Message | undefined> {
    for (const answer of answers) {
      const before = await this.paths.listBefore(tx, { leaf: answer.id, limit: history.length });
      const path = [...before, answer];
      if (path.length === history.length && path.every((said, at) => isSaid(said, history[at])))
        return answer;
    }
    return undefined;
  }
}

/** The id of an answer begins those of the messages that clients are told it as; null: it is no id of ours. */
function ownIdOf(id: string): string | null {
  const [own = ''] = id.split(':', 1);
  return isId(own) ? own : null;
}

/** As a question's text is stored. */
export function stored(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function isSame({ text, attachmentIds }: Message, sent: SentMessage): boolean {
  return text === stored(sent.text) && (attachmentIds ?? []).length === sent.files.length;
}

/** The text, and what is left of it behind each empty line. */
function endsOf(text: string): string[] {
  const ends = [...text.matchAll(/\n\n/g)].slice(-MAX_ENDS).map(({ index }) => text.slice(index + 2));
  return [text, ...ends].filter((end) => end.trim() !== '');
}

function isSaid({ role, text }: Message, told: ToldMessage | undefined): boolean {
  if (role !== told?.role) return false;
  const [stored, sent] = [text.trim(), told.text.trim()];
  return stored === sent || (role === 'ASSISTANT' && sent.endsWith(`\n\n${stored}`));
}
