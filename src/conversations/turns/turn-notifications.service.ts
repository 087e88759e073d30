import { Injectable } from '@nestjs/common';
import { singleLine } from '@palabre/text';

import { fill, wordingIn } from '../../common/wording/wording.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { MembersService } from '../../companies/members/members.service.js';
import {
  excerpt,
  MAX_BODY_CHARACTERS,
  NotificationsService,
} from '../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { conversationDeleted } from '../conversations.events.js';
import { ConversationsService } from '../conversations.service.js';
import { AskedSkills } from './inputs/asked-skills.service.js';
import { shownInput } from './inputs/shown-input.js';
import type { PendingInput } from './inputs/pending-input.entity.js';
import { PendingInputRepository } from './inputs/pending-input.repository.js';
import { isWaiting, type TurnOutcome } from './turn-event.js';
import { answererOf, type Turn } from './turn.entity.js';
import { inputsRequested, inputsSettled, turnEnded } from './turns.events.js';

const LONGEST_NAME = 60;

/** Notifies members of the end of unwatched turns, and of open inputs. */
@Injectable()
export class TurnNotifications {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly inputs: PendingInputRepository,
    private readonly skills: AskedSkills,
    events: DomainEvents,
  ) {
    events.on(turnEnded, (tx, { turn, outcome }) => this.notifyEnd(tx, turn, outcome));
    events.on(inputsRequested, (tx, { turn, inputs: asked }) => this.notifyAsked(tx, turn, asked));
    events.on(inputsSettled, (tx, turnId) => this.notifications.closeRequests(tx, turnId));
    events.on(conversationDeleted, (tx, { id }) => this.notifications.deleteOf(tx, id));
  }

  /** Notifies the asking member of the end. Not for foreground turns, which are watched, nor for cancelled ones. */
  async notifyEnd(tx: Transaction, turn: Turn, outcome: TurnOutcome): Promise<void> {
    const { status, text, error } = outcome;
    // The turn's inputs are closed.
    if (isWaiting(turn.status)) await this.notifications.closeRequests(tx, turn.id);
    if (status === 'CANCELLED' || !(await this.isUnwatched(tx, turn))) return;
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = wordingIn(language).turnNotifications;
    const completed = status === 'COMPLETED';
    await this.notifications.add(tx, {
      memberId: turn.memberId,
      kind: completed ? 'TURN_COMPLETED' : 'TURN_FAILED',
      title: completed
        ? fill(labels.completed, { assistant: name })
        : fill(labels.failed, { assistant: name }),
      body: excerpt(completed ? text : (error?.message ?? ''), MAX_BODY_CHARACTERS),
      turnId: turn.id,
    });
  }

  /** In the background, of a schedule, or resumed after waiting for people, perhaps for hours. */
  private async isUnwatched(tx: Transaction, turn: Turn): Promise<boolean> {
    const { id, backgroundAt, scheduleId, attempt } = turn;
    if (backgroundAt !== null || scheduleId !== null) return true;
    return attempt > 1 && (await this.inputs.listOf(tx, [id])).length > 0;
  }

  /** Approvals in one notification, other inputs in another. Other members also see who asked. */
  async notifyAsked(tx: Transaction, turn: Turn, inputs: readonly PendingInput[]): Promise<void> {
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = wordingIn(language).turnNotifications;
    const { approvals = [], others = [] } = Object.groupBy(inputs, ({ kind }) =>
      kind === 'APPROVAL' ? 'approvals' : 'others',
    );
    const toApprove = await this.approvalRequests(tx, turn, approvals, language);
    const all = [
      ...toApprove.map((one) => ({
        ...one,
        kind: 'APPROVAL_REQUESTED' as const,
        title: fill(labels.approvalRequested, { assistant: name }),
      })),
      ...others.slice(0, 1).map((input) => ({
        memberId: turn.memberId,
        kind: 'INPUT_REQUESTED' as const,
        title: fill(labels.inputRequested, { assistant: name }),
        body: askedIn(input),
      })),
    ];
    await this.notifications.addAll(
      tx,
      all.map(({ body, ...one }) => ({ ...one, body: excerpt(body, MAX_BODY_CHARACTERS), turnId: turn.id })),
    );
  }

  private async approvalRequests(
    tx: Transaction,
    turn: Turn,
    approvals: readonly PendingInput[],
    language: string,
  ): Promise<{ memberId: string; body: string }[]> {
    if (approvals.length === 0) return [];
    const labels = wordingIn(language).turnNotifications;
    const keys = approvals.map(({ skill }) => skill);
    const names = await this.skills.lookup.listNames(tx, keys, language);
    const admins = await this.members.listAdminIds(tx);
    const asker = approvals.filter(({ askerMayApprove }) => askerMayApprove);
    const toldTo = new Map(admins.map((id) => [id, approvals]));
    if (!toldTo.has(turn.memberId) && asker.length > 0) toldTo.set(turn.memberId, asker);
    const askerName = singleLine((await this.members.get(tx, turn.memberId)).name, LONGEST_NAME) || null;
    return [...toldTo].map(([memberId, asked]) => {
      const skills = asked.map(({ skill }) => names.get(skill) ?? skill).join(labels.skillSeparator);
      const whose = memberId === turn.memberId ? null : askerName;
      return {
        memberId,
        body: whose
          ? fill(labels.skillsToAllowFor, { asker: whose, skills })
          : fill(labels.skillsToAllow, { skills }),
      };
    });
  }

  private async assistantOf(tx: Transaction, turn: Turn): Promise<Assistant> {
    const conversation = await this.conversations.get(tx, turn.memberId, turn.conversationId);
    return this.assistants.get(tx, answererOf(turn, conversation));
  }
}

function askedIn(input: PendingInput): string {
  const shown = shownInput(input);
  if (shown.kind === 'QUESTION') return shown.prompt;
  return shown.kind === 'MCP_INPUT' ? `${shown.server}: ${shown.message}` : input.skill;
}
