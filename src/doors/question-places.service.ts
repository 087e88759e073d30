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
import { wellFormed } from '../common/well-formed.js';

/** The position of a question, in the form of startTurn. */
export interface Place {
  /** Null: a new conversation. */
  conversationId: string | null;
  parentId?: string;
  replacesMessageId?: string;
}

/** A message of a client that knows our ids. The assistant's texts are ignored. */
export interface SentMessage {
  id: string;
  role: string;
  text: string;
  files: readonly InlineFile[];
}

/** A message before the question, from a client without ids. */
export interface ToldMessage {
  role: MessageRole;
  text: string;
}

/** The most messages of a client's history that are examined. */
const MAX_HISTORY = 50;
/** The most identical answers, such as "OK.", that are examined, the newest first. */
const MAX_CANDIDATES = 20;
/** Withdrawn text comes before an answer with an empty line between. This many ends are tried. */
const MAX_ENDS = 50;
/** Histories with longer answers count as new, because digesting each end blocks the thread. */
const MAX_MATCHED_CHARACTERS = 200_000;

/** Finds the positions of questions in conversations whose history the client sends. */
@Injectable()
export class QuestionPlaces {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly tree: MessageTree,
  ) {}

  /** After a turn's answer. Without one: at the conversation's end while the turn runs, else after its question. */
  async after(viewer: Viewer, { conversationId, answerId, questionId, finishedAt }: Turn): Promise<Place> {
    const [answer] = await this.conversations.findMessages(viewer, [answerId]);
    const parentId = answer?.id ?? (finishedAt === null ? undefined : questionId);
    return { conversationId, ...(parentId !== undefined && { parentId }) };
  }

  /**
   * By ids. Starts at the last message with one of our ids, and matches the following user messages by text. Our ids
   * are those of answers, so clients' own ids of questions do not matter. `same`: the stored question, if it is there
   * already. `withoutHistory`: the position for a history without any of our ids.
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
      before = (await this.tree.findQuestionAfter(viewer, conversation, before, wellFormed(text))) ?? before;
    }
    const same = await this.tree.findQuestionAfter(viewer, conversation, before, wellFormed(asked.text));
    if (same && isSame(same, asked)) return { ...atEnd, same };
    // The question's pending answer belongs between both.
    if (unfinished.some(({ questionId }) => questionId === before?.id)) return atEnd;
    if (before) return { ...atEnd, parentId: before.id };
    return withoutHistory === 'follows' ? atEnd : this.insteadOfFirst(viewer, conversation.id);
  }

  /**
   * By texts: after the answer at the end of the history. Searches `conversation`, or (null) any with exactly the
   * same path. Null: the history is new.
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

  /** The conversation's messages with these ids, as known to clients, in the same places. */
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

  /** The first question was edited, or is asked again. */
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

/** The id of an answer is the beginning of its message ids for clients. Null: not one of ours. */
function ownIdOf(id: string): string | null {
  const [own = ''] = id.split(':', 1);
  return isId(own) ? own : null;
}

function isSame({ text, attachmentIds }: Message, sent: SentMessage): boolean {
  return text === wellFormed(sent.text) && (attachmentIds ?? []).length === sent.files.length;
}

/** The text, and the rest after each empty line. */
function endsOf(text: string): string[] {
  const ends = [...text.matchAll(/\n\n/g)].slice(-MAX_ENDS).map(({ index }) => text.slice(index + 2));
  return [text, ...ends].filter((end) => end.trim() !== '');
}

function isSaid({ role, text }: Message, told: ToldMessage | undefined): boolean {
  if (role !== told?.role) return false;
  const [stored, sent] = [text.trim(), told.text.trim()];
  return stored === sent || (role === 'ASSISTANT' && sent.endsWith(`\n\n${stored}`));
}
