import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { badInput, DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { isDeeperThan, MOST_ARGUMENT_LEVELS } from '../../common/json-depth.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { wellFormedValue } from '../log/writing/well-formed.js';
import { ApprovalQuestions } from './approval-questions.service.js';
import type { Approval } from './approval.entity.js';
import { ApprovalRepository, type Resolution } from './approval.repository.js';
import { type AskedSkill, AskedSkills } from './asked-skills.js';
import { WaitingTurns } from './waiting-turns.service.js';

export const MOST_PENDING = 500;
const MOST_ARGUMENT_CHARACTERS = 100_000;

const ResolveApproval = z.object({
  approvalId: z.string(),
  approve: z.boolean(),
  arguments: z
    .custom<JsonObject>(isJsonObject, 'This must be a JSON object.')
    .refine((value) => !isDeeperThan(value, MOST_ARGUMENT_LEVELS), {
      error: `This must be at most ${MOST_ARGUMENT_LEVELS} levels deep.`,
      abort: true,
    })
    .refine((value) => JSON.stringify(value).length <= MOST_ARGUMENT_CHARACTERS, 'This is too long.')
    .nullish(),
  comment: z.string().max(1_000, 'This must be at most 1000 characters long.').nullish(),
});

/** What people are asked before a skill is carried out, and their answers. */
@Injectable()
export class Approvals {
  constructor(
    private readonly database: Database,
    private readonly approvals: ApprovalRepository,
    private readonly questions: ApprovalQuestions,
    private readonly waiting: WaitingTurns,
    private readonly skills: AskedSkills,
    private readonly audit: AuditService,
  ) {}

  /** What the viewer is asked, oldest first: an admin, of the whole company; everybody else, of their own turns. */
  listPending(viewer: Viewer): Promise<Approval[]> {
    const asker = viewer.role === 'MEMBER' ? viewer.id : null;
    return this.database.read(viewer.companyId, (tx) => this.approvals.listPending(tx, asker, MOST_PENDING));
  }

  /** The questions of turns that the viewer has been given. */
  listOf(viewer: Viewer, turnIds: readonly string[]): Promise<Approval[]> {
    return this.database.read(viewer.companyId, (tx) => this.approvals.listOf(tx, turnIds));
  }

  /** Whether the turn has stopped for people. */
  async hasWaited(tx: Transaction, turnId: string): Promise<boolean> {
    return (await this.approvals.listOf(tx, [turnId])).length > 0;
  }

  /** Null: there is none that the viewer may see. */
  async find(viewer: Viewer, id: string): Promise<Approval | null> {
    if (!isId(id)) return null;
    const approval = await this.database.read(viewer.companyId, (tx) => this.approvals.find(tx, id));
    return approval && maySee(viewer, approval) ? approval : null;
  }

  /**
   * Answers a question; the turn goes on once all of its questions are. Doing so twice does no harm, nor does allowing
   * what was allowed without saying with which arguments. Rejects with NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, or
   * CONFLICT when it was answered otherwise, its time is over, its turn has ended, or the skill that is to be allowed
   * cannot be called any more.
   */
  async resolve(viewer: Viewer, input: unknown): Promise<Approval> {
    const { approvalId, approve, comment = null, ...request } = checkInput(ResolveApproval, input);
    const approval = await this.find(viewer, approvalId);
    if (!approval) throw notFound('approval');
    const skill = isPending(approval) ? await this.skills.find(approval) : null;
    if (!mayAnswer(viewer, approval, skill)) {
      throw new DomainError('FORBIDDEN', 'Only an admin of the company may answer for this skill.');
    }
    const edited = approve && request.arguments ? storable(request.arguments) : null;
    if (approve && skill) requireCallable(skill, approval, edited);
    const resolution: Resolution = {
      status: approve ? 'APPROVED' : 'DENIED',
      arguments: edited ?? approval.arguments,
      resolvedAt: new Date(),
      resolvedBy: viewer.id,
      comment: comment && wellFormedValue(comment),
    };
    const answered = await this.database.transaction(viewer.companyId, (tx) =>
      this.answer(tx, viewer, approval, resolution),
    );
    // Not inside: that its time was over is worth keeping, whatever its answer.
    const isEditedOtherwise = edited !== null && !isDeepStrictEqual(edited, answered.arguments);
    if (answered.status !== resolution.status || isEditedOtherwise)
      throw conflict(answered, isEditedOtherwise);
    return answered;
  }

  /** Denies what a turn was not answered in time. */
  async expire(companyId: string, turnId: string, now = new Date()): Promise<void> {
    await this.database.transaction(companyId, async (tx) => {
      const turn = await this.waiting.hold(tx, turnId);
      if (!turn) return;
      const pending = (await this.approvals.listOf(tx, [turnId])).filter(isPending);
      const late = pending.filter(({ expiresAt }) => expiresAt <= now);
      for (const approval of late) await this.approvals.resolve(tx, approval.id, expired(approval, now));
      const next = pending.find(({ expiresAt }) => expiresAt > now);
      if (next) await this.questions.expireLater(tx, turnId, next.expiresAt);
      else if (late.length > 0) await this.waiting.goOn(tx, turn, 'EXPIRED');
    });
  }

  private async answer(
    tx: Transaction,
    viewer: Viewer,
    { id, turnId }: Approval,
    resolution: Resolution,
  ): Promise<Approval> {
    const turn = await this.waiting.hold(tx, turnId);
    const approval = await this.approvals.find(tx, id);
    if (!approval) throw notFound('approval');
    if (!turn || !isPending(approval)) return approval;
    const inTime = approval.expiresAt > resolution.resolvedAt;
    const outcome = inTime ? resolution : expired(approval, resolution.resolvedAt);
    await this.approvals.resolve(tx, id, outcome);
    if (inTime) {
      const verb = outcome.status === 'APPROVED' ? 'approved' : 'denied';
      const edited = editedIn(approval.arguments, outcome.arguments);
      await this.audit.record(tx, viewer.id, `approval.${verb}`, approval.skill, {
        approvalId: id,
        turnId,
        ...(edited.length > 0 && { edited }),
      });
    }
    const open = (await this.approvals.listOf(tx, [turnId])).filter(isPending);
    if (open.length === 0) await this.waiting.goOn(tx, turn, outcome.status);
    return { ...approval, ...outcome };
  }
}

const isPending = ({ status }: Approval): boolean => status === 'PENDING';

const expired = (approval: Approval, resolvedAt: Date): Resolution => ({
  status: 'EXPIRED',
  arguments: approval.arguments,
  resolvedAt,
  resolvedBy: null,
  comment: null,
});

const maySee = (viewer: Viewer, approval: Approval): boolean =>
  viewer.role !== 'MEMBER' || approval.memberId === viewer.id;

/** As the skill is set now. Where there is none any more, or nothing to answer, as it was when the question was put. */
const mayAnswer = (viewer: Viewer, approval: Approval, skill: AskedSkill | null): boolean => {
  if (viewer.role !== 'MEMBER' || approval.resolvedBy === viewer.id) return true;
  return approval.memberId === viewer.id && (skill?.askerMayApprove ?? approval.askerMayApprove);
};

const requireCallable = (
  { refusal, faultOf }: AskedSkill,
  { status }: Approval,
  edited: JsonObject | null,
): void => {
  // Switched off a moment later, the call fails, and the model is told so.
  if (refusal !== null) throw new DomainError('CONFLICT', refusal, { status });
  const fault = edited && faultOf(edited);
  if (fault !== null) throw badInput(['input', 'arguments'], fault);
};

/** Which arguments were edited; not what they were: that may have to be forgotten one day, and an audit stays. */
const editedIn = (asked: JsonObject, allowed: JsonObject): string[] =>
  [...new Set([...Object.keys(asked), ...Object.keys(allowed)])]
    .filter((name) => !isDeepStrictEqual(asked[name], allowed[name]))
    .toSorted();

/** As it is read from the database, so that both can be compared. */
const storable = (value: JsonObject): JsonObject =>
  wellFormedValue(JSON.parse(JSON.stringify(value)) as JsonObject);

const conflict = (approval: Approval, withOthers: boolean): DomainError =>
  new DomainError('CONFLICT', whyRefused(approval, withOthers), { status: approval.status });

const whyRefused = ({ status, resolvedAt, expiresAt }: Approval, withOthers: boolean): string => {
  if (status === 'DENIED') return 'This was denied already.';
  if (status === 'APPROVED') return `This was approved already${withOthers ? ', with other arguments' : ''}.`;
  // What nobody answered is closed with its turn, whose end may come before the time is over.
  return resolvedAt !== null && resolvedAt < expiresAt
    ? 'The turn has ended: no answer is needed any more.'
    : 'The time for an answer is over: it counts as denied.';
};
