import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { line } from '@palabre/text';

import { checkInput, moment } from '../../../common/check-input.js';
import { existing, notFound } from '../../../common/errors/domain-error.js';
import { isId } from '../../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../../common/schema/page.js';
import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import { AuditService } from '../../../companies/audit/audit.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { MembersService } from '../../../companies/members/members.service.js';
import { Database } from '../../../platform/database/database.js';
import { ConversationsService } from '../../conversations.service.js';
import { ModelCalls, type ModelCallView } from '../model-calls/model-calls.service.js';
import type { SkillCall } from '../skill-call.entity.js';
import { finishReasons, turnStatuses } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnsService } from '../turns.service.js';
import { type ListedTurns, TurnListRepository, turnOrder } from './turn-list.repository.js';

const amount = z.number().min(0, 'This must not be negative.').nullish();

const Filter = z.object({
  assistantKey: z.string().nullish(),
  memberId: z.string().nullish(),
  status: z.array(z.enum(turnStatuses)).nullish(),
  finishReason: z.array(z.enum(finishReasons)).nullish(),
  from: moment.nullish(),
  to: moment.nullish(),
  minCostUsd: amount,
  minSeconds: amount,
});

export const MAX_REASON_CHARACTERS = 500;

interface ShownTurn {
  turn: Turn;
  question: string;
  answer: string | null;
  skillCalls: SkillCall[];
  modelCalls: ModelCallView[];
}

/** All turns of a company, for its admins. Their content belongs to the askers, and each look at it is recorded. */
@Injectable()
export class TurnList {
  constructor(
    private readonly database: Database,
    private readonly rows: TurnListRepository,
    private readonly turns: TurnsService,
    private readonly modelCalls: ModelCalls,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly members: MembersService,
    private readonly audit: AuditService,
  ) {}

  /** Rejects with BAD_USER_INPUT, or with NOT_FOUND for an unknown assistant or member. The caller has checked the role. */
  async list(viewer: Viewer, given: unknown, page: ForwardPageArguments): Promise<Page<Turn>> {
    const { assistantKey, ...filter } = checkInput(Filter, given ?? {}, ['filter']);
    const request = pageRequest(page, turnOrder);
    const assistant = assistantKey == null ? null : await this.assistants.find(viewer, assistantKey);
    if (assistantKey != null && !assistant) throw notFound('assistant', ['filter', 'assistantKey']);
    if (filter.memberId != null) await this.requireMember(viewer, filter.memberId);
    const listed: ListedTurns = {
      ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null)),
      ...(assistant && { assistantId: assistant.id }),
    };
    return this.database.read(viewer.companyId, (tx) => this.rows.list(tx, listed, request));
  }

  /** One turn with its content, which is recorded. Rejects with BAD_USER_INPUT or NOT_FOUND. The caller has checked the role. */
  async show(viewer: Viewer, id: string, given: string): Promise<ShownTurn> {
    const reason = checkInput(line(MAX_REASON_CHARACTERS), given, ['reason']);
    const { turn, messages } = await this.database.transaction(viewer.companyId, async (tx) => {
      const turn = existing(isId(id) ? await this.rows.find(tx, id) : null, 'turn', ['id']);
      await this.audit.record(tx, viewer.id, 'turn.shown', id, { memberId: turn.memberId, reason });
      return { turn, messages: await this.conversations.listByIds(tx, [turn.questionId, turn.answerId]) };
    });
    const textOf = (messageId: string): string | null =>
      messages.find((message) => message.id === messageId)?.text ?? null;
    return {
      turn,
      question: textOf(turn.questionId) ?? '',
      answer: textOf(turn.answerId),
      skillCalls: await this.turns.listSkillCalls(viewer, [id]),
      modelCalls: await this.modelCalls.list(viewer, id),
    };
  }

  private async requireMember(viewer: Viewer, id: string): Promise<void> {
    if (!isId(id) || !(await this.members.findMany(viewer, [id])).length)
      throw notFound('member', ['filter', 'memberId']);
  }
}
