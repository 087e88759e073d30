import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { notFound } from '../../common/errors/domain-error.js';
import { checkInput } from '../../common/check-input.js';
import { isId } from '../../common/ids.js';
import { ConversationsService, newConversation } from '../../conversations/conversations.service.js';
import type { Conversation } from '../../conversations/conversation.entity.js';
import { isUniqueViolation } from '../../database/connection-failure.js';
import { Database } from '../../database/database.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { QuotaSpent } from '../../usage/spent-quota.js';
import { CONVERSATION_ARGUMENT, payloadHash, StartTurn } from './start-turn.js';
import type { Place } from '../claims/local-runner.js';
import { TurnCreation } from './turn-creation.service.js';
import { TurnStops } from '../claims/turn-stops.service.js';
import { TurnSubjects } from './turn-subjects.service.js';
import { keepsBusy } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';

/** What startTurn answers: a turn, or a refusal that a client acts upon. */
export type StartTurnOutcome =
  | { type: 'accepted'; turn: Turn; conversation: Conversation }
  | { type: 'in-progress'; message: string; activeTurn: Turn }
  | { type: 'idempotency-conflict'; message: string; firstTurn: Turn }
  | { type: 'quota-exceeded'; message: string; resetsAt: Date | null };

/** Takes questions. */
@Injectable()
export class TurnStarts {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly turns: TurnRepository,
    private readonly stops: TurnStops,
    private readonly creation: TurnCreation,
    private readonly subjects: TurnSubjects,
  ) {}

  /** Stores the question and has it answered. Rejects with BAD_USER_INPUT, NOT_FOUND or RATE_LIMITED. */
  async start(viewer: Viewer, input: unknown): Promise<StartTurnOutcome> {
    const request = checkInput(StartTurn, input);
    const begin = (): Promise<StartTurnOutcome> =>
      this.creation.withPlace((place) =>
        this.database.transaction(viewer.companyId, (tx) => this.startIn(tx, viewer, request, place)),
      );
    return begin().catch((error: unknown) => {
      // Another request with the same idempotency key was first; now that it is committed, it is found.
      if (isUniqueViolation(error) && request.idempotencyKey) return begin();
      if (error instanceof QuotaSpent) return { type: 'quota-exceeded', ...error.quota };
      throw error;
    });
  }

  private async startIn(
    tx: Transaction,
    viewer: Viewer,
    request: StartTurn,
    place: Place | null,
  ): Promise<StartTurnOutcome> {
    const earlier = await this.findEarlier(tx, viewer, request);
    if (earlier) return earlier;
    const { conversationId } = request;
    if (conversationId === null) return this.begin(tx, viewer, request, place);
    if (!isId(conversationId)) throw notFound('conversation', CONVERSATION_ARGUMENT);
    // Put off together: what follows the first of them looks when the conversation is held.
    const [conversation, first, unfinished, after] = await together([
      this.subjects.continue(tx, viewer, request, conversationId),
      // Whoever was first with the key held the conversation until now, and is the one that keeps it busy.
      this.findEarlier(tx, viewer, request),
      this.turns.listUnfinished(tx, [conversationId]),
      this.turns.lastId(tx, conversationId),
      this.subjects.requireDocuments(tx, request),
    ]);
    if (first) return first;
    const busy = unfinished.filter(keepsBusy);
    const [activeTurn] = busy;
    if (activeTurn && request.whenBusy === 'REJECT') {
      return { type: 'in-progress', message: 'This conversation is still being answered.', activeTurn };
    }
    const interrupted = request.whenBusy === 'INTERRUPT' ? busy : [];
    await this.stops.stopAll(tx, interrupted, 'SUPERSEDED');
    const turn = await this.creation.create(tx, viewer, {
      conversation,
      request,
      after,
      interrupted,
      place: activeTurn ? null : place,
    });
    return { type: 'accepted', turn, conversation };
  }

  /** In a new conversation. */
  private async begin(
    tx: Transaction,
    viewer: Viewer,
    request: StartTurn,
    place: Place | null,
  ): Promise<StartTurnOutcome> {
    const [assistantId] = await together([
      this.subjects.assistantId(tx, request),
      this.subjects.requireDocuments(tx, request),
    ]);
    const conversation = newConversation(viewer, assistantId, request.message);
    const [, turn] = await together([
      this.conversations.add(tx, conversation),
      this.creation.create(tx, viewer, { conversation, request, after: null, interrupted: [], place }),
    ]);
    return { type: 'accepted', turn, conversation };
  }

  private async findEarlier(
    tx: Transaction,
    viewer: Viewer,
    request: StartTurn,
  ): Promise<StartTurnOutcome | null> {
    if (!request.idempotencyKey) return null;
    const turn = await this.turns.findByIdempotencyKey(tx, viewer.id, request.idempotencyKey);
    if (!turn) return null;
    if (turn.payloadHash !== payloadHash(request)) {
      return {
        type: 'idempotency-conflict',
        message: 'This idempotency key was used for another question.',
        firstTurn: turn,
      };
    }
    const conversation = await this.conversations.get(tx, viewer.id, turn.conversationId);
    return { type: 'accepted', turn, conversation };
  }
}
