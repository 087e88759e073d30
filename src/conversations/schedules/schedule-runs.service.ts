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

/** A run begins at most so much later than it is due, and what the queue takes to hand the job out. */
export const runSchedules = recurringJob({ name: 'run-schedules', everySeconds: 15 });

const PAGE = 100;

/** For so long a run is tried again that cannot be started at the moment. */
const TRIED_FOR_MS = 60 * 60_000;

/** Errors that come of the schedule itself: they would come again. */
const lasting: ReadonlySet<string> = new Set([
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
]);

/** A schedule that is due. */
interface Due {
  schedule: Schedule;
  /** Whom it asks for; null: they may not any more. */
  viewer: Viewer | null;
  run: DueRun;
  isBusy: boolean;
  hasFailed: boolean;
}

/** Carries out the runs of schedules that are due, in worker processes. */
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

  /** Runs all that is due, of all companies. Safe to run twice at once. */
  async runDue(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    for (let last: DueAddress | null = null; ;) {
      const after: DueAddress | null = last;
      const page: DueAddress[] = await this.database.systemTransaction((tx) =>
        this.schedules.listDue(tx, now, after, PAGE),
      );
      for (const address of page) {
        signal?.throwIfAborted();
        await this.runOne(address, now);
      }
      if (page.length < PAGE) return;
      last = page.at(-1) ?? null;
    }
  }

  /** What fails for one schedule must not keep the others waiting: it is tried again in the next round. */
  private async runOne({ companyId, id }: DueAddress, now: Date): Promise<void> {
    try {
      const due = await this.database.read(companyId, async (tx): Promise<Due | null> => {
        const schedule = await this.schedules.find(tx, id);
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
    // What is asked once is asked all the same: there is no other time for it.
    if (isBusy && schedule.cron !== null) return this.note(schedule, run, { outcome: 'BUSY' });
    try {
      const result = await this.starts.start(viewer, schedule, run);
      if (result) await this.note(schedule, run, result);
    } catch (error) {
      const isKnown = error instanceof DomainError;
      const reason = isKnown ? error.message : 'Something went wrong.';
      if (isKnown && lasting.has(error.code)) {
        return this.pause(schedule, 'REFUSED', { due: run.due, reason });
      }
      if (now.getTime() - run.due.getTime() >= TRIED_FOR_MS) {
        await this.note(schedule, run, { outcome: 'REFUSED', reason });
      }
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
