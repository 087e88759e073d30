import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { singleLine } from '../../common/text/data-text.js';
import { inLanguage } from '../../common/text/in-language.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { excerpt, NotificationsService } from '../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { PausedReason, Schedule } from './schedule.entity.js';
import { type RunResult, ScheduleRepository } from './schedule.repository.js';
import type { DueRun } from './schedule-times.js';

const LONGEST_BODY = 200;
const LONGEST_MESSAGE = 80;

/** Why a schedule pauses by itself. */
export type OwnReason = Exclude<PausedReason, 'BY_MEMBER' | 'BY_ADMIN'>;

/** A run, and why it cannot be started, for people. */
export interface RefusedRun {
  due: Date;
  reason: string;
}

/** Notes what came of runs, pauses schedules, and notifies their members of what they would not learn of otherwise. */
@Injectable()
export class ScheduleNotes {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly notifications: NotificationsService,
    private readonly assistants: AssistantsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** False: nothing was noted, as another process has done so, or the schedule was changed meanwhile. */
  async note(tx: Transaction, schedule: Schedule, run: DueRun, result: RunResult): Promise<boolean> {
    const isNoted = await this.schedules.change(tx, schedule, {
      nextAt: run.nextAt,
      status: run.nextAt ? 'ACTIVE' : 'ENDED',
      ...(result.turnId !== undefined && { lastTurnId: result.turnId }),
    });
    if (!isNoted) return false;
    const last = result.outcome === 'REFUSED' ? await this.schedules.lastRun(tx, schedule.id) : null;
    const createdAt = this.clock.now();
    if (run.missed)
      await this.schedules.addRun(tx, schedule, { dueAt: run.missed, outcome: 'MISSED', createdAt });
    await this.schedules.addRun(tx, schedule, { ...result, dueAt: run.due, createdAt });
    // Of several in a row, as while a quota is used up, the first is told.
    if (result.outcome === 'REFUSED' && last?.outcome !== 'REFUSED') {
      await this.notify(tx, schedule, 'TURN_FAILED', (labels) => labels.notStarted);
    }
    return true;
  }

  /** A turn that its member asked for now. False: the schedule is gone. */
  async noteExtra(tx: Transaction, { id }: Pick<Schedule, 'id'>, turnId: string): Promise<boolean> {
    if (!(await this.schedules.update(tx, id, { lastTurnId: turnId }))) return false;
    const now = this.clock.now();
    await this.schedules.addRun(tx, { id }, { dueAt: now, createdAt: now, outcome: 'STARTED', turnId });
    return true;
  }

  /** `refused`: the run for which it is paused. */
  async pause(
    tx: Transaction,
    schedule: Schedule,
    pausedReason: OwnReason,
    refused?: RefusedRun,
  ): Promise<void> {
    const changes = { status: 'PAUSED', pausedReason, nextAt: null } as const;
    if (!(await this.schedules.change(tx, schedule, changes))) return;
    if (refused) {
      const { due: dueAt, reason } = refused;
      await this.schedules.addRun(tx, schedule, {
        dueAt,
        createdAt: this.clock.now(),
        outcome: 'REFUSED',
        reason,
      });
    }
    const details = { reason: pausedReason };
    await this.audit.recordSystemChange(tx, 'schedule.paused', schedule.id, details);
    await this.notify(tx, schedule, 'SCHEDULE_PAUSED', (labels) => labels.paused[pausedReason]);
  }

  private async notify(
    tx: Transaction,
    { memberId, assistantId, message }: Schedule,
    kind: 'TURN_FAILED' | 'SCHEDULE_PAUSED',
    reasonOf: (labels: ScheduleLabels) => string,
  ): Promise<void> {
    const { name, language } = await this.assistants.get(tx, assistantId);
    const labels = labelsFor(language);
    const title = kind === 'TURN_FAILED' ? labels.failed(name) : labels.stopped(name);
    const body = excerpt(`${singleLine(message, LONGEST_MESSAGE)} — ${reasonOf(labels)}`, LONGEST_BODY);
    await this.notifications.add(tx, { memberId, kind, title, body, turnId: null });
  }
}

/** The words of notifications about schedules, in one language. */
interface ScheduleLabels {
  failed(assistant: string): string;
  notStarted: string;
  stopped(assistant: string): string;
  paused: Readonly<Record<OwnReason, string>>;
}

const fr: ScheduleLabels = {
  failed: (assistant) => `${assistant} n’a pas pu commencer`,
  notStarted: 'La question prévue n’a pas pu être posée. L’historique dit pourquoi.',
  stopped: (assistant) => `${assistant} : question programmée suspendue`,
  paused: {
    MEMBER_INACTIVE: 'Suspendue : son auteur n’a plus accès.',
    FAILURES: 'Suspendue après plusieurs échecs de suite.',
    REFUSED: 'Suspendue : elle ne peut plus être posée. L’historique dit pourquoi.',
  },
};

const en: ScheduleLabels = {
  failed: (assistant) => `${assistant} could not begin`,
  notStarted: 'The scheduled question could not be asked. The history says why.',
  stopped: (assistant) => `${assistant}: scheduled question paused`,
  paused: {
    MEMBER_INACTIVE: 'Paused: whoever made it has no access any more.',
    FAILURES: 'Paused after several failures in a row.',
    REFUSED: 'Paused: it cannot be asked any more. The history says why.',
  },
};

const es: ScheduleLabels = {
  failed: (assistant) => `${assistant} no ha podido empezar`,
  notStarted: 'La pregunta programada no se ha podido hacer. El historial dice por qué.',
  stopped: (assistant) => `${assistant}: pregunta programada en pausa`,
  paused: {
    MEMBER_INACTIVE: 'En pausa: quien la creó ya no tiene acceso.',
    FAILURES: 'En pausa tras varios fallos seguidos.',
    REFUSED: 'En pausa: ya no se puede hacer. El historial dice por qué.',
  },
};

const zhHant: ScheduleLabels = {
  failed: (assistant) => `${assistant}無法開始`,
  notStarted: '排定的問題無法提出，原因請見紀錄。',
  stopped: (assistant) => `${assistant}：排定的問題已暫停`,
  paused: {
    MEMBER_INACTIVE: '已暫停：建立者已無存取權。',
    FAILURES: '連續失敗多次，已暫停。',
    REFUSED: '已暫停：無法再提出，原因請見紀錄。',
  },
};

const labelsFor = inLanguage<ScheduleLabels>({ fr, en, es, zh: zhHant });
