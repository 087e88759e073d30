import { Injectable } from '@nestjs/common';
import {
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { DomainError } from '../../common/errors/domain-error.js';
import { PublicUrl } from '../../companies/files/signed-links.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import { isTerminal, isWaiting } from '../../conversations/turns/turn-event.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { type DoorWording, TurnFollower } from '../turn-follower.service.js';
import { answerOf, inputRequestsOf } from './asked-inputs.js';
import { type Caller, may } from './mcp-caller.js';
import { TurnProgress } from './turn-progress.js';
import { reportOf, resultOf } from './turn-report.js';

/** Clients time out after a minute by default. */
export const DEFAULT_WAIT_SECONDS = 50;
export const MAX_WAIT_SECONDS = 600;

/** More forms would be too much. */
const MAX_FORMS = 10;

interface Wait {
  turnId: string;
  waitSeconds?: number | undefined;
  /** The end of the call cancels the turn. */
  isTiedToCall: boolean;
}

/** Waits for turns to end, or to need people. */
@Injectable()
export class TurnWaits {
  constructor(
    private readonly turns: TurnsService,
    private readonly follower: TurnFollower,
    private readonly conversations: ConversationsService,
    private readonly inputs: PendingInputs,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Rejects with NOT_FOUND, and with the signal's reason when the client ends the call. */
  async wait(
    caller: Caller,
    wait: Wait,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { turnId } = wait;
    const given = context.mcpReq.inputResponses;
    if (given) await this.answerAll(caller, turnId, given);
    const wording = this.follower.wordingOf(caller.viewer, await this.turns.get(caller.viewer, turnId));
    await this.follow(caller, wait, context, wording);
    const pending = await this.pendingOf(caller, turnId);
    // Closed forms are not shown again in the same call.
    if (!given || pending.some(({ id }) => !(id in given))) {
      const inputRequests = await this.formsFor(caller, pending, wording);
      if (Object.keys(inputRequests).length > 0)
        return inputRequired({ inputRequests, requestState: turnId });
    }
    return this.report(caller, turnId, pending, wording);
  }

  async report(
    { viewer }: Caller,
    turnId: string,
    pending: readonly PendingInput[],
    wording?: DoorWording,
  ): Promise<CallToolResult> {
    const turn = await this.turns.get(viewer, turnId);
    const answer = isTerminal(turn.status)
      ? await this.conversations.findMessage(viewer, turn.answerId)
      : null;
    const words = await (wording ?? this.follower.wordingOf(viewer, turn))();
    return resultOf(reportOf(turn, answer, pending, words), `${this.publicUrl.get()}/inbox`);
  }

  private async follow(
    caller: Caller,
    { turnId, waitSeconds = DEFAULT_WAIT_SECONDS, isTiedToCall }: Wait,
    { mcpReq }: ServerContext,
    wording: DoorWording,
  ): Promise<void> {
    const { signal } = mcpReq;
    const progress = new TurnProgress(turnId, mcpReq, wording);
    const overdue = AbortSignal.timeout(waitSeconds * 1000);
    using _ = progress.beating();
    for await (const event of this.follower.follow(
      caller.viewer,
      turnId,
      AbortSignal.any([signal, overdue]),
    )) {
      await progress.tell(event);
      const mayStop = event.type === 'status-changed' && isWaiting(event.status);
      // An earlier stop, whose inputs were answered, is reported again.
      if (mayStop && (await this.pendingOf(caller, turnId)).length > 0) break;
    }
    if (signal.aborted && isTiedToCall) await this.turns.cancel(caller.viewer, turnId);
    signal.throwIfAborted();
  }

  private async pendingOf({ viewer }: Caller, turnId: string): Promise<PendingInput[]> {
    const asked = await this.inputs.listOf(viewer, [turnId]);
    return asked.filter(({ status }) => status === 'PENDING');
  }

  /** The forms for inputs that the caller may answer, if the client supports them. */
  private async formsFor(
    caller: Caller,
    [first]: readonly PendingInput[],
    wording: DoorWording,
  ): Promise<InputRequests> {
    const capabilities = caller.capabilities();
    if (!capabilities || !first || !may(caller, 'TURNS')) return {};
    const page = { first: MAX_FORMS };
    const { rows } = await this.inputs.listAnswerable(caller.viewer, first.turnId, page);
    return inputRequestsOf(rows, capabilities, await wording());
  }

  /** Invalid and late answers show in the state of the turn. */
  private async answerAll(caller: Caller, turnId: string, given: Record<string, unknown>): Promise<void> {
    if (!may(caller, 'TURNS')) return;
    await this.turns.get(caller.viewer, turnId);
    for (const input of await this.pendingOf(caller, turnId)) {
      const answer = answerOf(input, given[input.id]);
      if (!answer) continue;
      await this.inputs.answer(caller.viewer, answer).catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
      });
    }
  }
}
