import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DAY_MS } from '../../../common/clock.js';
import { Config } from '../../../common/config/config.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Database } from '../../../platform/database/database.js';
import {
  firstIdOfDay,
  addPartitions,
  dropPartitions,
  deleteFromDefaultPartition,
  type TimePartitioned,
} from '../../../platform/database/time-partitions.js';
import { JobQueue, workRepeatedly, recurringJob } from '../../../platform/jobs/job-queue.js';
import { PromptTextRepository } from '../model-calls/prompt-text.repository.js';
import { TurnEventRepository } from './turn-event.repository.js';

/** The partitioned tables with limited retention. */
const KEPT: readonly TimePartitioned[] = [
  { table: 'turn_event', column: 'turn_id' },
  { table: 'model_call', column: 'turn_id' },
];

/** How many days ahead partitions are made, so that a server that was stopped for some days still has one. */
const DAYS_AHEAD = 3;

/** Adds partitions to the event log and drops those past their retention. */
const keepEventLog = recurringJob({ name: 'keep-event-log', everySeconds: 3_600 });

/** Adds partitions for the days to come to the event log and the model calls, and drops those past their retention. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly rows: TurnEventRepository,
    private readonly texts: PromptTextRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await workRepeatedly(this.jobs, this.database, keepEventLog, (signal) => this.keep(signal));
  }

  /** One round, as of `now`. Concurrent rounds are harmless. The next round completes an interrupted one. */
  async keep(signal: AbortSignal, now = new Date()): Promise<void> {
    for (const partitioned of KEPT) await this.prepare(partitioned, now);
    const days = this.config.turns.eventRetentionDays;
    if (days > 0) await this.prune(new Date(now.getTime() - days * DAY_MS), signal);
  }

  private async prepare(partitioned: TimePartitioned, from: Date): Promise<void> {
    const { done, left } = await addPartitions(this.database.dataSource, partitioned, {
      from,
      days: DAYS_AHEAD,
    });
    if (done.length > 0) this.logger.info({ partitions: done }, 'partitions were created');
    if (left.length > 0)
      this.logger.warn({ partitions: left }, 'the default partition holds rows of days without a partition');
  }

  /** A turn's age is in its id. Unfinished turns keep their events, and with them the partition of their day. */
  private async prune(before: Date, signal: AbortSignal): Promise<void> {
    const { dataSource } = this.database;
    // No turn becomes unfinished again or starts in the past, so this list stays valid.
    const keep = await this.database.systemTransaction((tx) =>
      this.rows.listUnfinishedBefore(tx, firstIdOfDay(before)),
    );
    for (const partitioned of KEPT) {
      const { done, left } = await dropPartitions(dataSource, partitioned, { before, keep });
      const rows = await deleteFromDefaultPartition(this.database, partitioned, { before, keep }, signal);
      if (done.length > 0 || rows > 0)
        this.logger.info({ partitions: done, rows }, 'rows past their retention were removed');
      if (left.length > 0)
        this.logger.warn({ partitions: left }, 'old partitions were in use; they are removed next time');
    }
    const day = before.toISOString().slice(0, 10);
    await this.database.systemTransaction((tx) => this.texts.removeUnused(tx, day));
  }
}
