import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../assistants/assistants.service.js';
import type { Viewer } from '../auth/viewer.js';
import { badInput, DomainError, notFound } from '../common/domain-error.js';
import { checkInput } from '../common/check-input.js';
import { isId } from '../common/ids.js';
import { ConversationsService, newConversation } from '../conversations/conversations.service.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import { sqlStateOf } from '../database/connection-failure.js';
import { Database } from '../database/database.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { QuotaSpent } from '../usage/spent-quota.js';
import { payloadHash, StartTurn } from './start-turn.js';
import type { Place } from './local-runner.js';
import { TurnCreation } from './turn-creation.service.js';
import { TurnStops } from './turn-stops.service.js';
import { keepsBusy } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnRepository } from './turn.repository.js';

/** What startTurn answers: a turn, or a refusal that a client acts upon. */
export type StartTurnOutcome =
  | { type: 'accepted'; turn: Turn; conversation: Conversation }
  | { type: 'in-progress'; message: string; activeTurn: Turn }
  | { type: 'idempotency-conflict'; message: string; firstTurn: Turn }
  | { type: 'quota-exceeded'; message: string; resetsAt: Date | null };

const UNIQUE_VIOLATION = '23505';

/** Takes questions. */
@Injectable()
export class TurnStarts {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly turns: TurnRepository,
    private readonly stops: TurnStops,
    private readonly creation: TurnCreation,
  ) {}

  /** Stores the question and has it answered. Rejects with BAD_USER_INPUT, NOT_FOUND or RATE_LIMITED. */
  async start(viewer: Viewer, input: unknown): Promise<StartTurnOutcome> {
    const request = checkInput(StartTurn, input);
    // There are no documents yet that a turn could be restricted to.
    if (request.documentIds.length > 0) throw notFound('document');
    const begin = (): Promise<StartTurnOutcome> =>
      this.creation.withPlace((place) =>
        this.database.transaction(viewer.companyId, (tx) => this.startIn(tx, viewer, request, place)),
      );
    return begin().catch((error: unknown) => {
      // Another request with the same idempotency key was first; now that it is committed, it is found.
      if (sqlStateOf(error) === UNIQUE_VIOLATION && request.idempotencyKey) return begin();
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
    if (!request.conversationId) {
      const conversation = newConversation(viewer, await this.assistantId(tx, request), request.message);
      const [, turn] = await together([
        this.conversations.add(tx, conversation),
        this.creation.create(tx, viewer, { conversation, request, after: null, place }),
      ]);
      return { type: 'accepted', turn, conversation };
    }
    if (!isId(request.conversationId)) throw notFound('conversation');
    // Put off together: what follows the first of them looks when the conversation is held.
    const [conversation, first, unfinished, after] = await together([
      this.continue(tx, viewer, request.conversationId, request.assistantKey),
      // Whoever was first with the key held the conversation until now, and is the one that keeps it busy.
      this.findEarlier(tx, viewer, request),
      this.turns.listUnfinished(tx, [request.conversationId]),
      this.turns.lastId(tx, request.conversationId),
    ]);
    if (first) return first;
    const busy = unfinished.filter(keepsBusy);
    const [activeTurn] = busy;
    if (activeTurn && request.whenBusy === 'REJECT') {
      return { type: 'in-progress', message: 'This conversation is still being answered.', activeTurn };
    }
    if (request.whenBusy === 'INTERRUPT') await this.stops.stopAll(tx, busy, 'SUPERSEDED');
    const turn = await this.creation.create(tx, viewer, {
      conversation,
      request,
      after,
      place: activeTurn ? null : place,
    });
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

  private async continue(
    tx: Transaction,
    viewer: Viewer,
    conversationId: string,
    assistantKey: string | null,
  ): Promise<Conversation> {
    const conversation = await this.conversations.getLocked(tx, viewer, conversationId);
    if (assistantKey === null) return conversation;
    const assistant = await this.assistants.findByKey(tx, assistantKey);
    if (assistant?.id !== conversation.assistantId) {
      throw badInput(['input', 'assistantKey'], 'This conversation is with another assistant.');
    }
    return conversation;
  }

  /** Of the assistant to begin a conversation with. */
  private async assistantId(tx: Transaction, request: StartTurn): Promise<string> {
    if (request.assistantKey === null) {
      throw badInput(
        ['input', 'assistantKey'],
        'Give a conversationId, or an assistantKey to begin a conversation.',
      );
    }
    const id = await this.assistants.findId(tx, request.assistantKey);
    if (id === null) {
      throw new DomainError('NOT_FOUND', 'There is no such assistant.', {
        path: ['input', 'assistantKey'],
        argument: 'input.assistantKey',
      });
    }
    return id;
  }
}
