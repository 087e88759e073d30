import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { newIdAfter } from '../../common/ids.js';
import type { Conversation } from '../../conversations/conversation.entity.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { type CreatedTurn, LocalRunner, type Place } from '../claims/local-runner.js';
import { TurnEventRepository } from '../log/turn-event.repository.js';
import { payloadHash, type StartTurn } from './start-turn.js';
import type { TurnEntry } from '../turn-event.js';
import { noUsage } from '../turn-event.js';
import { TurnLimits } from './turn-limits.service.js';
import { TurnQueue } from '../claims/turn-queue.service.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';

export interface NewTurn {
  conversation: Conversation;
  request: StartTurn;
  /** The last id given out in the conversation; null: it has just begun. */
  after: string | null;
  /** Those that end for it, of which one may not have ended yet. */
  interrupted: readonly Turn[];
  /** Where it is to be run. Null: it waits in line. */
  place: Place | null;
}

/** Stores new turns with their questions. */
@Injectable()
export class TurnCreation {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly turns: TurnRepository,
    private readonly events: TurnEventRepository,
    private readonly queue: TurnQueue,
    private readonly runner: LocalRunner,
    private readonly limits: TurnLimits,
  ) {}

  /** Gives `work` room for a turn, if there is any in this process; what it does not use is free again. */
  async withPlace<T>(work: (place: Place | null) => Promise<T>): Promise<T> {
    const place = this.runner.reserve();
    try {
      return await work(place);
    } finally {
      place?.release();
    }
  }

  /**
   * A turn that has its place is this process's from the beginning, which spares the claim: if the process dies, the
   * lease runs out like any other. Rejects with RATE_LIMITED or QuotaSpent.
   */
  async create(tx: Transaction, viewer: Viewer, created: NewTurn): Promise<Turn> {
    const { place, request, interrupted } = created;
    const turn = newTurn(viewer, created);
    const opening: TurnEntry[] = [{ type: 'status-changed', status: 'QUEUED', detail: null }];
    if (place) opening.push({ type: 'status-changed', status: 'RUNNING', detail: null });
    turn.lastSequence = opening.length;
    await together([
      // Sent first, so that it does not count the new one; the transaction fails with it.
      this.limits.check(tx, viewer, interrupted),
      this.turns.insert(tx, turn),
      this.events.begin(tx, turn.id, opening, turn.createdAt),
      this.conversations.addMessage(tx, {
        id: turn.questionId,
        conversationId: turn.conversationId,
        turnId: turn.id,
        role: 'USER',
        status: 'COMPLETE',
        text: request.message,
        createdAt: turn.createdAt,
      }),
      created.after === null ? null : this.conversations.moveUp(tx, turn.conversationId, turn.createdAt),
      place ? place.prepare(tx, createdTurn(viewer, turn, created)) : this.queue.hint(tx, turn.id),
    ]);
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    if (place) tx.afterCommit(() => place.run({ turn, claim }));
    return turn;
  }
}

const createdTurn = (viewer: Viewer, turn: Turn, { conversation, request, after }: NewTurn): CreatedTurn => ({
  turn,
  conversation,
  question: request.message,
  memberName: viewer.name,
  isFirst: after === null,
});

const newTurn = (viewer: Viewer, { conversation, request, after, place }: NewTurn): Turn => {
  const createdAt = new Date();
  const { idempotencyKey } = request;
  // Question and answer sort after each other, and after all that was said before.
  const id = newIdAfter(after);
  const questionId = newIdAfter(id);
  return {
    companyId: viewer.companyId,
    id,
    conversationId: conversation.id,
    memberId: viewer.id,
    role: viewer.role,
    questionId,
    answerId: newIdAfter(questionId),
    status: place ? 'RUNNING' : 'QUEUED',
    finishReason: null,
    idempotencyKey,
    payloadHash: idempotencyKey === null ? null : payloadHash(request),
    attempt: place ? 1 : 0,
    lostLeases: 0,
    leaseUntil: null,
    seenAt: null,
    idleSeconds: 0,
    stopReason: null,
    documentIds: [...new Set(request.documentIds)],
    lastSequence: 0,
    ...noUsage,
    error: null,
    createdAt,
    startedAt: place ? createdAt : null,
    backgroundAt: null,
    finishedAt: null,
  };
};
