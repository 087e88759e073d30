import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Message } from '../../conversations/message.entity.js';
import { isWaiting } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { EarlierMessage } from './asked-input.js';

/** Where a question stands, as startTurn has it. All left out: it begins a conversation. */
export interface Place {
  conversationId?: string;
  parentId?: string;
  replacesMessageId?: string;
  whenBusy?: 'ENQUEUE' | 'INTERRUPT';
}

/** Answers that are alike, such as "OK.": so many of the newest are looked at. */
const MAX_CANDIDATES = 20;
/** A text that was withdrawn stands before an answer with an empty line between: so many are tried. */
const MAX_ENDS = 50;
/** Each end is digested, which takes the thread: histories with longer answers are new to us. */
const MAX_MATCHED_CHARACTERS = 200_000;

/** Finds the conversation that a client goes on with, and the message in it, by what the client sends. */
@Injectable()
export class Threads {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly turns: TurnsService,
  ) {}

  /** After the answer of a turn, or at the end where it has none yet; a turn that waits for somebody is given up. */
  async after(viewer: Viewer, turn: Turn): Promise<Place> {
    if (isWaiting(turn.status)) return { conversationId: turn.conversationId, whenBusy: 'INTERRUPT' };
    const [answer] = await this.conversations.findMessages(viewer, [turn.answerId]);
    if (answer) return { conversationId: turn.conversationId, parentId: answer.id };
    const isOver = turn.finishedAt !== null;
    return { conversationId: turn.conversationId, ...(isOver && { parentId: turn.questionId }) };
  }

  /** At the end of a conversation of the viewer's; null: there is none. */
  async atEnd(viewer: Viewer, conversationId: string): Promise<Place | null> {
    const conversation = await this.conversations.find(viewer, conversationId);
    return conversation && this.endOf(viewer, conversationId);
  }

  /** With the texts of the answers that a client only names. */
  async withTexts(viewer: Viewer, earlier: readonly EarlierMessage[]): Promise<EarlierMessage[]> {
    const ids = earlier.flatMap(({ turnId }) => turnId ?? []);
    if (ids.length === 0) return [...earlier];
    const turns = await this.turns.findMany(viewer, ids);
    const answers = await this.conversations.findMessages(
      viewer,
      turns.map(({ answerId }) => answerId),
    );
    const byTurn = new Map(answers.map(({ turnId, text }) => [turnId, text]));
    return earlier.map((message) =>
      message.turnId === undefined ? message : { ...message, text: byTurn.get(message.turnId) ?? '' },
    );
  }

  /**
   * The place after a history: that of a conversation whose path is the same, to the word. Null: there is none, so that the
   * history is new to us. `clientKey`: what the client calls the conversation; it counts more than its history.
   */
  async find(
    viewer: Viewer,
    assistantId: string,
    earlier: readonly EarlierMessage[],
    clientKey: string | null,
  ): Promise<Place | null> {
    const named =
      clientKey === null
        ? null
        : await this.database.read(viewer.companyId, (tx) =>
            this.conversations.findByClientKey(tx, viewer, { assistantId, clientKey }),
          );
    const found = await this.database.read(viewer.companyId, async (tx) => {
      const answers = await this.listCandidates(tx, viewer, assistantId, earlier);
      if (named) return answers.find(({ conversationId }) => conversationId === named.id) ?? null;
      return clientKey === null ? this.samePath(tx, answers, earlier) : null;
    });
    if (found) return { ...(await this.endOf(viewer, found.conversationId)), parentId: found.id };
    if (!named) return null;
    return earlier.length === 0 ? this.insteadOfFirst(viewer, named.id) : this.endOf(viewer, named.id);
  }

  /** Answers that may be the last of the history. */
  private async listCandidates(
    tx: Transaction,
    { id: memberId }: Viewer,
    assistantId: string,
    earlier: readonly EarlierMessage[],
  ): Promise<Message[]> {
    const last = earlier.at(-1);
    if (last?.role !== 'ASSISTANT' || last.text.length > MAX_MATCHED_CHARACTERS) return [];
    const texts = endsOf(last.text);
    return this.conversations.listAnswers(tx, { memberId, assistantId, texts, limit: MAX_CANDIDATES });
  }

  private async samePath(
    tx: Transaction,
    answers: readonly Message[],
    earlier: readonly EarlierMessage[],
  ): Promise<Message | null> {
    for (const answer of answers) {
      const before = await this.conversations.listBefore(tx, { leaf: answer.id, limit: earlier.length });
      const path = [...before, answer];
      const isSame = path.length === earlier.length && path.every((said, at) => isSaid(said, earlier[at]));
      if (isSame) return answer;
    }
    return null;
  }

  /** A first question was edited, or is to be answered again. */
  private async insteadOfFirst(viewer: Viewer, conversationId: string): Promise<Place> {
    const first = await this.database.read(viewer.companyId, (tx) =>
      this.conversations.findFirstExchange(tx, conversationId),
    );
    const isQuestion = first?.question.role === 'USER';
    return { conversationId, ...(isQuestion && { replacesMessageId: first.question.id }) };
  }

  /** Where a turn waits for something, it is given up: its client says something else instead. */
  private async endOf(viewer: Viewer, conversationId: string): Promise<Place> {
    const unfinished = await this.turns.listUnfinished(viewer, [conversationId]);
    const waits = unfinished.some(({ status }) => isWaiting(status));
    return { conversationId, ...(waits && { whenBusy: 'INTERRUPT' as const }) };
  }
}

/** The text, and what is left of it behind each empty line. */
function endsOf(text: string): string[] {
  const ends = [...text.matchAll(/\n\n/g)].slice(-MAX_ENDS).map(({ index }) => text.slice(index + 2));
  return [text, ...ends].filter((end) => end.trim() !== '');
}

function isSaid({ role, text }: Message, told: EarlierMessage | undefined): boolean {
  if (role !== told?.role) return false;
  const [stored, sent] = [text.trim(), told.text.trim()];
  return stored === sent || (role === 'ASSISTANT' && sent.endsWith(`\n\n${stored}`));
}
