import { isDeepStrictEqual } from 'node:util';

import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../../common/check-input.js';
import { badInput, DomainError, notFound } from '../../../common/errors/domain-error.js';
import { isId } from '../../../common/ids.js';
import { isDeeperThan, MAX_ARGUMENT_LEVELS, isJsonObject, type JsonObject } from '../../../common/json.js';
import { AuditService } from '../../../companies/audit/audit.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { OwedWork } from '../../../companies/owed-work.service.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { WaitingTurns } from '../claims/waiting-turns.service.js';
import { wellFormedValue } from '../log/well-formed.js';
import { ApprovalQuestions, expireApprovals } from './approval-questions.service.js';
import type { Approval } from './approval.entity.js';
import { ApprovalRepository, type Resolution } from './approval.repository.js';

export const MOST_PENDING = 500;
const MOST_ARGUMENT_CHARACTERS = 100_000;

const ResolveApproval = z.object({
  approvalId: z.string(),
  approve: z.boolean(),
  arguments: z
    .custom<JsonObject>(isJsonObject, 'This must be a JSON object.')
    .refine((value) => !isDeeperThan(value, MAX_ARGUMENT_LEVELS), {
      error: `This must be at most ${MAX_ARGUMENT_LEVELS} levels deep.`,
      abort: true,
    })
    .refine((value) => JSON.stringify(value).length <= MOST_ARGUMENT_CHARACTERS, 'This is too long.')
    .nullish(),
  comment: z.string().max(1_000, 'This must be at most 1000 characters long.').nullish(),
});

/** A skill that people are asked about, as it stands when they answer. Its texts are shown to people. */
export interface AskedSkill {
  /** Whether whoever asked the question may answer as well; null: the company has no such skill any more. */
  askerMayApprove: boolean | null;
  /** Why the turn cannot call it any more; null: it can. */
  refusal: string | null;
  /** Why it cannot be called with `input`; null: it can. */
  faultOf: (input: JsonObject) => string | null;
}

export type AskedCall = Pick<Approval, 'companyId' | 'turnId' | 'skill'>;
type FindAskedSkill = (call: AskedCall) => Promise<AskedSkill>;

/** Finds the skill behind a question. The skills room, which lies above this one, registers the lookup. */
@Injectable()
export class AskedSkills {
  private look: FindAskedSkill | null = null;

  register(look: FindAskedSkill): void {
    this.look = look;
  }

  find(call: AskedCall): Promise<AskedSkill> {
    if (!this.look) throw new Error('Nobody has registered to tell how skills stand.');
    return this.look(call);
  }
}

/** Questions to people before skills are carried out, and the answers to them. */
@Injectable()
export class Approvals implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly approvals: ApprovalRepository,
    private readonly questions: ApprovalQuestions,
    private readonly waiting: WaitingTurns,
    private readonly skills: AskedSkills,
    private readonly audit: AuditService,
    private readonly jobs: JobQueue,
    owed: OwedWork,
  ) {
    owed.register(expireApprovals, async (tx) => {
      const turnIds = await this.approvals.listOverdueTurns(tx);
      return turnIds.map((turnId) => ({ companyId: tx.companyId, turnId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(expireApprovals, ({ companyId, turnId }) => this.expire(companyId, turnId));
  }

  /** Pending questions, oldest first: admins get the whole company's, everybody else those of their own turns. */
  listPending(viewer: Viewer): Promise<Approval[]> {
    const asker = viewer.role === 'MEMBER' ? viewer.id : null;
    return this.database.read(viewer.companyId, (tx) => this.approvals.listPending(tx, asker, MOST_PENDING));
  }

  /** The questions of these turns. The caller has checked that the viewer may see the turns. */
  listOf(viewer: Viewer, turnIds: readonly string[]): Promise<Approval[]> {
    return this.database.read(viewer.companyId, (tx) => this.approvals.listOf(tx, turnIds));
  }

  /** Null: there is no such question, or the viewer may not see it. */
  async find(viewer: Viewer, id: string): Promise<Approval | null> {
    if (!isId(id)) return null;
    const approval = await this.database.read(viewer.companyId, (tx) => this.approvals.find(tx, id));
    return approval && maySee(viewer, approval) ? approval : null;
  }

  /**
   * Answers a question; the turn resumes when all of its questions are answered. Repeating the same answer is harmless,
   * as is approving again without arguments. Rejects with NOT_FOUND, FORBIDDEN, BAD_USER_INPUT, or CONFLICT when the
   * question was answered differently, has expired, its turn has ended, or the skill cannot be called any more.
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
    // Thrown after the transaction: a question that has expired stays stored as expired.
    const isEditedOtherwise = edited !== null && !isDeepStrictEqual(edited, answered.arguments);
    if (answered.status !== resolution.status || isEditedOtherwise)
      throw conflict(answered, isEditedOtherwise);
    return answered;
  }

  /** Denies the turn's questions that were not answered in time. */
  async expire(companyId: string, turnId: string, now = new Date()): Promise<void> {
    await this.database.transaction(companyId, async (tx) => {
      const turn = await this.waiting.hold(tx, turnId);
      if (!turn) return;
      const pending = (await this.approvals.listOf(tx, [turnId])).filter(isPending);
      const late = pending.filter(({ expiresAt }) => expiresAt <= now);
      for (const approval of late) await this.approvals.resolve(tx, approval.id, expired(approval, now));
      const next = pending.find(({ expiresAt }) => expiresAt > now);
      if (next) await this.questions.expireLater(tx, turnId, next.expiresAt);
      else if (late.length > 0) await this.waiting.resume(tx, turn, 'EXPIRED');
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
    if (open.length === 0) await this.waiting.resume(tx, turn, outcome.status);
    return { ...approval, ...outcome };
  }
}

function isPending({ status }: Approval): boolean {
  return status === 'PENDING';
}

function expired(approval: Approval, resolvedAt: Date): Resolution {
  return {
    status: 'EXPIRED',
    arguments: approval.arguments,
    resolvedAt,
    resolvedBy: null,
    comment: null,
  };
}

function maySee(viewer: Viewer, approval: Approval): boolean {
  return viewer.role !== 'MEMBER' || approval.memberId === viewer.id;
}

/** Goes by the skill as configured now. Without one, or when already answered, by the setting stored with the question. */
function mayAnswer(viewer: Viewer, approval: Approval, skill: AskedSkill | null): boolean {
  if (viewer.role !== 'MEMBER' || approval.resolvedBy === viewer.id) return true;
  return approval.memberId === viewer.id && (skill?.askerMayApprove ?? approval.askerMayApprove);
}

function requireCallable(
  { refusal, faultOf }: AskedSkill,
  { status }: Approval,
  edited: JsonObject | null,
): void {
  // If the skill is switched off after this check, the call fails and the model is told.
  if (refusal !== null) throw new DomainError('CONFLICT', refusal, { status });
  const fault = edited && faultOf(edited);
  if (fault !== null) throw badInput(['input', 'arguments'], fault);
}

/** The names of edited arguments. Their values stay out of the audit log, as they may have to be erased one day. */
function editedIn(asked: JsonObject, allowed: JsonObject): string[] {
  return [...new Set([...Object.keys(asked), ...Object.keys(allowed)])]
    .filter((name) => !isDeepStrictEqual(asked[name], allowed[name]))
    .toSorted();
}

/** The value as the database returns it, so that it can be compared with a stored one. */
function storable(value: JsonObject): JsonObject {
  return wellFormedValue(JSON.parse(JSON.stringify(value)) as JsonObject);
}

function conflict(approval: Approval, withOthers: boolean): DomainError {
  return new DomainError('CONFLICT', whyRefused(approval, withOthers), { status: approval.status });
}

function whyRefused({ status, resolvedAt, expiresAt }: Approval, withOthers: boolean): string {
  if (status === 'DENIED') return 'This was denied already.';
  if (status === 'APPROVED') return `This was approved already${withOthers ? ', with other arguments' : ''}.`;
  // Unanswered questions are closed when their turn ends, which may be before they expire.
  return resolvedAt !== null && resolvedAt < expiresAt
    ? 'The turn has ended: no answer is needed any more.'
    : 'The time for an answer is over: it counts as denied.';
}
