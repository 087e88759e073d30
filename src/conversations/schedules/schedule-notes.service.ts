import { Injectable } from '@nestjs/common';
import { singleLine } from '@palabre/text';

import { Clock } from '../../common/clock.js';
import { fill, type Wording, wordingIn } from '../../common/wording/wording.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import {
  excerpt,
  MAX_BODY_CHARACTERS,
  NotificationsService,
} from '../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import {
  type PausedReason,
  type Schedule,
  type RunResult,
  ScheduleRepository,
} from './schedule.repository.js';
import type { DueRun } from './schedule-times.js';

const LONGEST_MESSAGE = 80;

/** Reasons for which a schedule pauses by itself. */
export type OwnReason = Exclude<PausedReason, 'BY_MEMBER' | 'BY_ADMIN'>;

/** A run that cannot be started, with the reason for people. */
export interface RefusedRun {
  due: Date;
  reason: string;
}

/** Records results of runs, pauses schedules, and notifies their members. */
@Injectable()
export class ScheduleNotes {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly notifications: NotificationsService,
    private readonly assistants: AssistantsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** False: nothing was recorded, because another process did, or the schedule was changed. */
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
    // Reports the first of consecutive refusals, as with a used-up quota, but always a last run that did not start.
    const isFirstRefusal = result.outcome === 'REFUSED' && last?.outcome !== 'REFUSED';
    if (isFirstRefusal || (result.outcome !== 'STARTED' && !run.nextAt))
      await this.notify(tx, schedule, 'TURN_FAILED', (labels) => labels.notStarted);
    return true;
  }

  /** Records a turn that the member asked for now. False: the schedule is gone. */
  async noteExtra(tx: Transaction, { id }: Pick<Schedule, 'id'>, turnId: string): Promise<boolean> {
    if (!(await this.schedules.update(tx, { id }, { lastTurnId: turnId }))) return false;
    const now = this.clock.now();
    await this.schedules.addRun(tx, { id }, { dueAt: now, createdAt: now, outcome: 'STARTED', turnId });
    return true;
  }

  /** `refused`: the run that caused the pause. */
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
    reasonOf: (labels: Wording['schedules']) => string,
  ): Promise<void> {
    const { name, language } = await this.assistants.get(tx, assistantId);
    const labels = wordingIn(language).schedules;
    const title = fill(kind === 'TURN_FAILED' ? labels.failed : labels.stopped, { assistant: name });
    const body = excerpt(
      `${singleLine(message, LONGEST_MESSAGE)} — ${reasonOf(labels)}`,
      MAX_BODY_CHARACTERS,
    );
    await this.notifications.add(tx, { memberId, kind, title, body, turnId: null });
  }
}
