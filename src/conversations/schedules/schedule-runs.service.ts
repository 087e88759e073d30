import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { MembersService } from '../../companies/members/members.service.js';
import { Database } from '../../platform/database/database.js';
import { JobQueue, recurringJob, workRepeatedly } from '../../platform/jobs/job-queue.js';
import { type Schedule, type DueAddress, type RunResult, ScheduleRepository } from './schedule.repository.js';
import { type OwnReason, type RefusedRun, ScheduleNotes } from './schedule-notes.service.js';
import { ScheduleStarts } from './schedule-starts.service.js';
import { type DueRun, dueRun } from './schedule-times.js';

/** A run begins at most this late, plus the time to hand out the job. */
const runSchedules = recurringJob({ name: 'run-schedules', everySeconds: 15 });

/** The most runs that one job starts for all companies. The next job starts the rest. */
const MOST_AT_ONCE = 5_000;

/** How long a run that cannot be started is tried again. */
const TRIED_FOR_MS = 60 * 60_000;

/** Errors caused by the schedule itself, which would recur. */
const lasting: ReadonlySet<string> = new Set([
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
]);

interface Due {
  schedule: Schedule;
  /** The member it asks for. Null: they lost their access. */
  viewer: Viewer | null;
  run: DueRun;
  isBusy: boolean;
  hasFailed: boolean;
}

/** Carries out due runs of schedules, in worker processes. */
@Injectable()
export class ScheduleRuns implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly schedules: ScheduleRepository,
    private readonly starts: ScheduleStarts,
    private readonly notes: ScheduleNotes,
    private readonly members: MembersService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await workRepeatedly(this.jobs, this.database, runSchedules, (signal) => this.runDue(signal));
  }

  /** Runs due schedules. Companies take turns. Safe to run twice at once. */
  async runDue(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const due = await this.database.systemTransaction((tx) => this.schedules.listDue(tx, now, MOST_AT_ONCE));
    for (const address of due) {
      signal?.throwIfAborted();
      await this.runOne(address, now);
    }
  }

  /** An error of one schedule must not delay the others. The next round tries it again. */
  private async runOne({ companyId, id }: DueAddress, now: Date): Promise<void> {
    try {
      const due = await this.database.read(companyId, async (tx): Promise<Due | null> => {
        const schedule = await this.schedules.find(tx, { id });
        if (!schedule?.nextAt || schedule.nextAt > now) return null;
        const viewer = await this.members.findActive(tx, schedule.memberId);
        const run = dueRun(schedule, schedule.nextAt, now);
        return { schedule, viewer, run, ...(await this.schedules.readTurns(tx, schedule)) };
      });
      if (due) await this.carryOut(due, now);
    } catch (err) {
      this.logger.error({ err, companyId, scheduleId: id }, 'a scheduled turn was not started');
    }
  }

  private async carryOut({ schedule, viewer, run, isBusy, hasFailed }: Due, now: Date): Promise<void> {
    if (!viewer) return this.pause(schedule, 'MEMBER_INACTIVE');
    if (hasFailed) return this.pause(schedule, 'FAILURES');
    if (!run.runs) return this.note(schedule, run, { outcome: 'MISSED' });
    // A one-time question is asked even while the conversation is busy, because there is no later time.
    if (isBusy && schedule.cron !== null) return this.note(schedule, run, { outcome: 'BUSY' });
    try {
      const result = await this.starts.start(viewer, schedule, run);
      if (result) await this.note(schedule, run, result);
    } catch (error) {
      const isKnown = error instanceof DomainError;
      const reason = isKnown ? error.message : 'Something went wrong.';
      if (isKnown && lasting.has(error.code))
        return this.pause(schedule, 'REFUSED', { due: run.due, reason });
      if (now.getTime() - run.due.getTime() >= TRIED_FOR_MS)
        await this.note(schedule, run, { outcome: 'REFUSED', reason });
      throw error;
    }
  }

  private async note(schedule: Schedule, run: DueRun, result: RunResult): Promise<void> {
    await this.database.transaction(schedule.companyId, (tx) => this.notes.note(tx, schedule, run, result));
  }

  private pause(schedule: Schedule, reason: OwnReason, refused?: RefusedRun): Promise<void> {
    return this.database.transaction(schedule.companyId, (tx) =>
      this.notes.pause(tx, schedule, reason, refused),
    );
  }
}
