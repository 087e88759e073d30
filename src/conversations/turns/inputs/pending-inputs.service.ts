import { isDeepStrictEqual } from 'node:util';

import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { checkInput } from '../../../common/check-input.js';
import { badInput, DomainError, existing, notFound } from '../../../common/errors/domain-error.js';
import { isId } from '../../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../../common/schema/page.js';
import { AuditService } from '../../../companies/audit/audit.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { OwedWork } from '../../../companies/owed-work.service.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { WaitingTurns } from '../claims/waiting-turns.service.js';
import { wellFormedValue } from '../../../common/well-formed.js';
import { type AskedSkill, AskedSkills } from './asked-skills.service.js';
import {
  ApprovalAnswer,
  ClientSkillAnswer,
  conflict,
  expired,
  kindOfAnswer,
  QuestionAnswer,
  storable,
} from './input-answers.js';
import { expireInputs, InputRequests } from './input-requests.service.js';
import type { PendingInput } from './pending-input.entity.js';
import {
  pendingInputOrder,
  PendingInputRepository,
  type Resolution,
  type Rights,
  type TurnQuestion,
} from './pending-input.repository.js';
import { shownInput } from './shown-input.js';

export const MAX_PENDING = 500;
const MAX_QUESTION_CHARACTERS = 500;

type Path = readonly string[];
/** An answer to an input, without time and member. */
type Answer = Pick<Resolution, 'status' | 'answer'>;

@Injectable()
export class PendingInputs implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly inputs: PendingInputRepository,
    private readonly requests: InputRequests,
    private readonly waiting: WaitingTurns,
    private readonly skills: AskedSkills,
    private readonly audit: AuditService,
    private readonly jobs: JobQueue,
    owed: OwedWork,
  ) {
    owed.register(expireInputs, async (tx) => {
      const turnIds = await this.inputs.listOverdueTurns(tx);
      return turnIds.map((turnId) => ({ companyId: tx.companyId, turnId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(expireInputs, ({ companyId, turnId }) => this.expire(companyId, turnId));
  }

  /** Pending approvals, oldest first: admins get the whole company's, everybody else those of their own turns. */
  listApprovals(viewer: Viewer): Promise<PendingInput[]> {
    const asker = viewer.role === 'MEMBER' ? viewer.id : null;
    return this.database.read(viewer.companyId, (tx) => this.inputs.listApprovals(tx, asker, MAX_PENDING));
  }

  /** Inputs that the viewer may answer, oldest first. Rejects with NOT_FOUND or BAD_USER_INPUT. */
  listAnswerable(
    viewer: Viewer,
    turnId: string | null,
    page: ForwardPageArguments,
  ): Promise<Page<PendingInput>> {
    const request = pageRequest(page, pendingInputOrder);
    const whose = { ...rightsOf(viewer), turnId };
    return this.database.read(viewer.companyId, async (tx) => {
      if (turnId !== null && !(isId(turnId) && (await this.inputs.maySeeTurn(tx, { ...whose, turnId }))))
        throw notFound('turn', ['turnId']);
      return this.inputs.listAnswerable(tx, whose, request);
    });
  }

  /** The inputs of these turns. The caller has checked access to the turns. */
  listOf(viewer: Viewer, turnIds: readonly string[]): Promise<PendingInput[]> {
    return this.database.read(viewer.companyId, (tx) => this.inputs.listOf(tx, turnIds));
  }

  /** The members and questions behind those inputs that the viewer may decide. */
  listQuestions(viewer: Viewer, ids: readonly string[]): Promise<TurnQuestion[]> {
    const whose = { ...rightsOf(viewer), limit: MAX_QUESTION_CHARACTERS };
    return this.database.read(viewer.companyId, (tx) => this.inputs.listQuestions(tx, ids, whose));
  }

  /** Null: no such input, or the viewer may not see it. */
  async find(viewer: Viewer, id: string): Promise<PendingInput | null> {
    if (!isId(id)) return null;
    const input = await this.database.read(viewer.companyId, (tx) => this.inputs.find(tx, { id }));
    return input && maySee(viewer, input) ? input : null;
  }

  /** The same answer twice is harmless. Rejects with NOT_FOUND, FORBIDDEN, BAD_USER_INPUT or CONFLICT (too late). */
  async answer(viewer: Viewer, given: Readonly<Record<string, unknown>>): Promise<PendingInput> {
    const [field, value] = Object.entries(given).find(([, one]) => one != null) ?? [];
    const path = ['input', field ?? ''];
    if (field === 'approval') return this.resolve(viewer, value, path);
    if (field === 'clientSkill') {
      const { id, ...answer } = checkInput(ClientSkillAnswer, value, path);
      return this.give(viewer, id, kindOfAnswer[field], path, () => clientAnswer(answer, path));
    }
    if (field !== 'question' && field !== 'mcp') throw badInput(['input'], 'Give one answer.');
    const { id, ...answer } = checkInput(QuestionAnswer, value, path);
    return this.give(viewer, id, kindOfAnswer[field], path, (input) => this.valueAnswer(input, answer, path));
  }

  /** Like `answer`. Approving again may omit the arguments. CONFLICT also if the skill cannot be called. */
  async resolve(viewer: Viewer, input: unknown, path: Path = ['input']): Promise<PendingInput> {
    const { approvalId, approve, comment = null, ...request } = checkInput(ApprovalAnswer, input, path);
    const approval = await this.find(viewer, approvalId);
    if (approval?.kind !== 'APPROVAL') throw notFound('approval', [...path, 'approvalId']);
    const skill = isPending(approval) ? await this.skills.lookup.find(approval) : null;
    if (!mayAnswer(viewer, approval, skill))
      throw new DomainError('FORBIDDEN', 'Only an admin of the company may answer for this skill.');
    const edited = approve && request.arguments ? storable(request.arguments) : null;
    if (approve && skill) requireCallable(skill, approval, edited, path);
    const resolution: Resolution = {
      status: approve ? 'APPROVED' : 'DENIED',
      arguments: edited ?? approval.arguments,
      answer: null,
      resolvedAt: new Date(),
      resolvedBy: viewer.id,
      comment: comment && wellFormedValue(comment),
    };
    const answered = await this.store(viewer, approval, resolution);
    // Thrown after the transaction: an approval that has expired stays stored as expired.
    const isEditedOtherwise = edited !== null && !isDeepStrictEqual(edited, answered.arguments);
    if (answered.status !== resolution.status || isEditedOtherwise)
      throw conflict(answered, isEditedOtherwise);
    return answered;
  }

  async expire(companyId: string, turnId: string, now = new Date()): Promise<void> {
    await this.database.transaction(companyId, async (tx) => {
      const turn = await this.waiting.hold(tx, turnId);
      if (!turn) return;
      const pending = (await this.inputs.listOf(tx, [turnId])).filter(isPending);
      const late = pending.filter(({ expiresAt }) => expiresAt <= now);
      const open = pending.filter(({ expiresAt }) => expiresAt > now);
      for (const input of late) await this.inputs.update(tx, { id: input.id }, expired(input, now));
      if (open.length > 0) await this.requests.expireLater(tx, turnId, open);
      const closed = late.map((input) => ({ ...input, ...expired(input, now) }));
      if (closed.length > 0) await this.waiting.goOn(tx, turn, closed, open);
    });
  }

  private async give(
    viewer: Viewer,
    id: string,
    kind: PendingInput['kind'],
    path: Path,
    read: (input: PendingInput) => Answer,
  ): Promise<PendingInput> {
    const input = await this.find(viewer, id);
    if (input?.kind !== kind) throw notFound('pending input', [...path, 'id']);
    // An existing answer is compared with this one in parsed form.
    const answer = read(input);
    const { arguments: asked } = input;
    const resolution = {
      ...answer,
      arguments: asked,
      resolvedAt: new Date(),
      resolvedBy: viewer.id,
      comment: null,
    };
    const answered = await this.store(viewer, input, resolution);
    if (answered.status !== answer.status || !isDeepStrictEqual(answered.answer, answer.answer))
      throw conflict(answered);
    return answered;
  }

  /** An answer to a question by the model or a server. */
  private valueAnswer(
    input: PendingInput,
    { value, declined }: { value?: PendingInput['arguments'][string] | null; declined?: boolean | null },
    path: Path,
  ): Answer {
    if (declined) {
      if (value != null) throw badInput([...path, 'value'], 'Leave it out, or do not decline.');
      return { status: 'DECLINED', answer: null };
    }
    const shown = shownInput(input);
    const schema = 'responseSchema' in shown ? shown.responseSchema : null;
    if (schema === null) {
      if (value != null) throw badInput([...path, 'value'], 'There is nothing to fill in: leave it out.');
      return { status: 'ANSWERED', answer: { value: null } };
    }
    if (value === undefined)
      throw badInput([...path, 'value'], 'Give a value that fits responseSchema, or decline.');
    const misfit = this.skills.lookup.misfitOf(value, schema);
    if (misfit !== null) throw badInput([...path, 'value'], misfit);
    return { status: 'ANSWERED', answer: { value: storable(value) } };
  }

  private store(viewer: Viewer, { id, turnId }: PendingInput, resolution: Resolution): Promise<PendingInput> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const turn = await this.waiting.hold(tx, turnId);
      const input = existing(await this.inputs.find(tx, { id }), 'pending input');
      if (!turn || !isPending(input)) return input;
      const inTime = input.expiresAt > resolution.resolvedAt;
      const outcome = inTime ? resolution : expired(input, resolution.resolvedAt);
      await this.inputs.update(tx, { id }, outcome);
      const answered = { ...input, ...outcome };
      if (inTime && input.kind === 'APPROVAL') await this.recordDecision(tx, viewer, input, answered);
      const open = (await this.inputs.listOf(tx, [turnId])).filter(isPending);
      await this.waiting.goOn(tx, turn, [answered], open);
      return answered;
    });
  }

  private async recordDecision(
    tx: Transaction,
    viewer: Viewer,
    { id, turnId, skill, ...asked }: PendingInput,
    { status, arguments: allowed }: PendingInput,
  ): Promise<void> {
    const edited = editedIn(asked.arguments, allowed);
    const verb = status === 'APPROVED' ? 'approved' : 'denied';
    const details = { approvalId: id, turnId, ...(edited.length > 0 && { edited }) };
    await this.audit.record(tx, viewer.id, `approval.${verb}`, skill, details);
  }
}

function isPending({ status }: PendingInput): boolean {
  return status === 'PENDING';
}

function rightsOf({ id, role }: Viewer): Rights {
  return { memberId: id, isAdmin: role !== 'MEMBER' };
}

/** An admin sees approvals of the company. Other inputs are for the turn's member only. */
function maySee(viewer: Viewer, { kind, memberId }: PendingInput): boolean {
  return memberId === viewer.id || (kind === 'APPROVAL' && viewer.role !== 'MEMBER');
}

/** Uses the current configuration of the skill. Without one, or after an answer, the stored setting. */
function mayAnswer(viewer: Viewer, approval: PendingInput, skill: AskedSkill | null): boolean {
  if (viewer.role !== 'MEMBER' || approval.resolvedBy === viewer.id) return true;
  return approval.memberId === viewer.id && (skill?.askerMayApprove ?? approval.askerMayApprove);
}

function requireCallable(
  { refusal, faultOf }: AskedSkill,
  { status }: PendingInput,
  edited: JsonObject | null,
  path: Path,
): void {
  // If the skill is switched off after this check, the call fails and the model sees that.
  if (refusal !== null) throw new DomainError('CONFLICT', refusal, { status });
  const fault = edited && faultOf(edited);
  if (fault !== null) throw badInput([...path, 'arguments'], fault);
}

/** The result of a skill from the turn's front end. */
function clientAnswer({ result, error }: Omit<typeof ClientSkillAnswer._output, 'id'>, path: Path): Answer {
  if (error != null) {
    if (result != null) throw badInput([...path, 'error'], 'Give a result or an error, not both.');
    return { status: 'ANSWERED', answer: { error: wellFormedValue(error) } };
  }
  if (result === undefined) throw badInput([...path, 'result'], 'Give a result or an error.');
  return { status: 'ANSWERED', answer: { value: storable(result) } };
}

/** The names of edited arguments. Their values stay out of the audit log, as they may have to be erased one day. */
function editedIn(asked: JsonObject, allowed: JsonObject): string[] {
  return [...new Set([...Object.keys(asked), ...Object.keys(allowed)])]
    .filter((name) => !isDeepStrictEqual(asked[name], allowed[name]))
    .toSorted();
}
