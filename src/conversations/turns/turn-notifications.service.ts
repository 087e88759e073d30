import { Injectable } from '@nestjs/common';

import { singleLine } from '../../common/text/data-text.js';
import { inLanguage } from '../../common/text/in-language.js';
import type { Assistant } from '../../companies/assistants/assistant.entity.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { MembersService } from '../../companies/members/members.service.js';
import { excerpt, NotificationsService } from '../../companies/notifications/notifications.service.js';
import type { ModelErrorCode } from '../../llm/chat-model.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ConversationsService } from '../conversations.service.js';
import { shownInput } from './inputs/shown-input.js';
import type { PendingInput } from './inputs/pending-input.entity.js';
import { PendingInputRepository } from './inputs/pending-input.repository.js';
import { isWaiting, type TurnOutcome } from './turn-event.js';
import type { Turn } from './turn.entity.js';

const LONGEST_BODY = 200;
const LONGEST_NAME = 60;

/** Notifies members of the end of unwatched turns, and of what they may answer. */
@Injectable()
export class TurnNotifications {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly inputs: PendingInputRepository,
  ) {}

  /** Notifies the asker of the end. Not for turns in the foreground, whose end is seen, nor for cancelled ones. */
  async notifyEnd(tx: Transaction, turn: Turn, outcome: TurnOutcome): Promise<void> {
    const { status, text } = outcome;
    // What the turn waited for is closed.
    if (isWaiting(turn.status)) await this.notifications.closeRequests(tx, turn.id);
    if (status === 'CANCELLED' || !(await this.isUnwatched(tx, turn))) return;
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = labelsFor(language);
    const completed = status === 'COMPLETED';
    await this.notifications.add(tx, {
      memberId: turn.memberId,
      kind: completed ? 'TURN_COMPLETED' : 'TURN_FAILED',
      title: completed ? labels.completed(name) : labels.failed(name),
      body: excerpt(completed ? text : sayFailure(outcome, labels), LONGEST_BODY),
      turnId: turn.id,
    });
  }

  /** In the background, of a schedule, or resumed after it waited for people, which may have taken hours. */
  private async isUnwatched(tx: Transaction, turn: Turn): Promise<boolean> {
    const { id, backgroundAt, scheduleId, attempt } = turn;
    if (backgroundAt !== null || scheduleId !== null) return true;
    return attempt > 1 && (await this.inputs.listOf(tx, [id])).length > 0;
  }

  /** Its approvals in one notification, all else in another. Others than the asker are told who asked. */
  async notifyAsked(tx: Transaction, turn: Turn, inputs: readonly PendingInput[]): Promise<void> {
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = labelsFor(language);
    const { approvals = [], others = [] } = Object.groupBy(inputs, ({ kind }) =>
      kind === 'APPROVAL' ? 'approvals' : 'others',
    );
    const toApprove = await this.approvalRequests(tx, turn, approvals, labels);
    const all = [
      ...toApprove.map((one) => ({
        ...one,
        kind: 'APPROVAL_REQUESTED' as const,
        title: labels.approvalRequested(name),
      })),
      ...others.slice(0, 1).map((input) => ({
        memberId: turn.memberId,
        kind: 'INPUT_REQUESTED' as const,
        title: labels.inputRequested(name),
        body: askedIn(input),
      })),
    ];
    await this.notifications.addAll(
      tx,
      all.map(({ body, ...one }) => ({ ...one, body: excerpt(body, LONGEST_BODY), turnId: turn.id })),
    );
  }

  private async approvalRequests(
    tx: Transaction,
    turn: Turn,
    approvals: readonly PendingInput[],
    labels: TurnLabels,
  ): Promise<{ memberId: string; body: string }[]> {
    if (approvals.length === 0) return [];
    const admins = await this.members.listAdminIds(tx);
    const asker = approvals.filter(({ askerMayApprove }) => askerMayApprove);
    const toldTo = new Map(admins.map((id) => [id, approvals]));
    if (!toldTo.has(turn.memberId) && asker.length > 0) toldTo.set(turn.memberId, asker);
    const askerName = singleLine((await this.members.get(tx, turn.memberId)).name, LONGEST_NAME) || null;
    return [...toldTo].map(([memberId, asked]) => {
      const skills = asked.map(({ skill }) => skill);
      const whose = memberId === turn.memberId ? null : askerName;
      return { memberId, body: labels.skillsToAllow(skills, whose) };
    });
  }

  private async assistantOf(tx: Transaction, turn: Turn): Promise<Assistant> {
    const { assistantId } = await this.conversations.get(tx, turn.memberId, turn.conversationId);
    return this.assistants.get(tx, assistantId);
  }
}

function askedIn(input: PendingInput): string {
  const shown = shownInput(input);
  if (shown.kind === 'QUESTION') return shown.prompt;
  return shown.kind === 'MCP_INPUT' ? `${shown.server}: ${shown.message}` : input.skill;
}

type ToldFailure = ModelErrorCode | 'RATE_LIMITED';

/** The words of notifications about turns, in one language. */
interface TurnLabels {
  completed(assistant: string): string;
  failed(assistant: string): string;
  /** Why a turn failed, by the code of its error; `noReason` for every other. */
  failures: Readonly<Record<ToldFailure, string>>;
  noReason: string;
  /** For a turn that failed because its time was over, whatever the code. */
  outOfTime: string;
  approvalRequested(assistant: string): string;
  inputRequested(assistant: string): string;
  /** `asker`: who asked, for other readers; null: the reader asked, or the name is unknown. */
  skillsToAllow(skills: readonly string[], asker: string | null): string;
}

const fr: TurnLabels = {
  completed: (assistant) => `${assistant} a répondu`,
  failed: (assistant) => `${assistant} n’a pas pu répondre`,
  failures: {
    MODEL_UNAVAILABLE: 'Le modèle n’a pas pu répondre. Vous pouvez reposer la question plus tard.',
    MODEL_REFUSED: 'Le modèle a refusé de répondre à cette question.',
    CONTEXT_TOO_LARGE:
      'La demande est trop longue pour le modèle. Vous pouvez la raccourcir ou ouvrir une nouvelle conversation.',
    RATE_LIMITED: 'Le quota est épuisé.',
  },
  noReason: 'La recherche s’est arrêtée. Vous pouvez reposer la question.',
  outOfTime: 'Aucune réponse n’est venue dans le temps prévu. Vous pouvez reposer la question.',
  approvalRequested: (assistant) => `${assistant} demande une autorisation`,
  inputRequested: (assistant) => `${assistant} vous demande quelque chose`,
  skillsToAllow: (skills, asker) =>
    `À autoriser ou à refuser${asker ? ` pour ${asker}` : ''} : ${skills.join(', ')}`,
};

const en: TurnLabels = {
  completed: (assistant) => `${assistant} has answered`,
  failed: (assistant) => `${assistant} could not answer`,
  failures: {
    MODEL_UNAVAILABLE: 'The model could not answer. You can ask again later.',
    MODEL_REFUSED: 'The model declined to answer this question.',
    CONTEXT_TOO_LARGE:
      'The request is too long for the model. You can shorten it or begin a new conversation.',
    RATE_LIMITED: 'What was granted is used up.',
  },
  noReason: 'The work has stopped. You can ask again.',
  outOfTime: 'No answer came within the time there is for one. You can ask again.',
  approvalRequested: (assistant) => `${assistant} asks for permission`,
  inputRequested: (assistant) => `${assistant} asks you something`,
  skillsToAllow: (skills, asker) =>
    `To be allowed or refused${asker ? ` for ${asker}` : ''}: ${skills.join(', ')}`,
};

const es: TurnLabels = {
  completed: (assistant) => `${assistant} ha respondido`,
  failed: (assistant) => `${assistant} no ha podido responder`,
  failures: {
    MODEL_UNAVAILABLE: 'El modelo no ha podido responder. Puede volver a preguntar más tarde.',
    MODEL_REFUSED: 'El modelo se ha negado a responder a esta pregunta.',
    CONTEXT_TOO_LARGE:
      'La petición es demasiado larga para el modelo. Puede acortarla o abrir una conversación nueva.',
    RATE_LIMITED: 'La cuota está agotada.',
  },
  noReason: 'El trabajo se ha detenido. Puede volver a preguntar.',
  outOfTime: 'No ha llegado ninguna respuesta en el tiempo previsto. Puede volver a preguntar.',
  approvalRequested: (assistant) => `${assistant} pide autorización`,
  inputRequested: (assistant) => `${assistant} le pregunta algo`,
  skillsToAllow: (skills, asker) =>
    `Por autorizar o rechazar${asker ? ` para ${asker}` : ''}: ${skills.join(', ')}`,
};

const zhHant: TurnLabels = {
  completed: (assistant) => `${assistant}已經回覆`,
  failed: (assistant) => `${assistant}無法回覆`,
  failures: {
    MODEL_UNAVAILABLE: '模型無法回覆，您可以稍後再問一次。',
    MODEL_REFUSED: '模型拒絕回答這個問題。',
    CONTEXT_TOO_LARGE: '內容太長，模型無法處理。您可以縮短內容，或開始新的對話。',
    RATE_LIMITED: '額度已用完。',
  },
  noReason: '工作已經中斷，您可以再問一次。',
  outOfTime: '在預定的時間內沒有得到回覆，您可以再問一次。',
  approvalRequested: (assistant) => `${assistant}請求授權`,
  inputRequested: (assistant) => `${assistant}有事想問您`,
  skillsToAllow: (skills, asker) => `待允許或拒絕${asker ? `（${asker}）` : ''}：${skills.join('、')}`,
};

/** The labels for a BCP 47 tag, by its language alone; English for a language that has none. */
export const labelsFor = inLanguage<TurnLabels>({ fr, en, es, zh: zhHant });

/** Why a turn has no answer, in the labels' language. The error's own message is always English. */
export function sayFailure(
  { finishReason, error }: Pick<TurnOutcome, 'finishReason' | 'error'>,
  labels: TurnLabels,
): string {
  if (finishReason === 'MAX_SECONDS') return labels.outOfTime;
  const byCode: Readonly<Record<string, string>> = labels.failures;
  return byCode[error?.code ?? ''] ?? labels.noReason;
}
