import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DAY_MS } from '../../../common/clock.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Config } from '../../../config/config.js';
import { Database } from '../../../database/database.js';
import { firstIdOfDay } from '../../../database/partitions/partition-day.js';
import {
  addPartitions,
  dropPartitions,
  emptyRest,
  type TimePartitioned,
} from '../../../database/partitions/time-partitions.js';
import { JobQueue } from '../../../jobs/job-queue.js';
import { workEverySoOften } from '../../../jobs/recurring-job.js';
import { PromptTextRepository } from '../../model-calls/prompt-text.repository.js';
import { EventRetentionRepository } from './event-retention.repository.js';
import { keepEventLog } from './keep-event-log.job.js';

/** What is kept of a turn only for a time. */
const KEPT: readonly TimePartitioned[] = [
  { table: 'turn_event', column: 'turn_id' },
  { table: 'model_call', column: 'turn_id' },
];

/** How far ahead partitions are made: a server may be stopped so long and find one when it starts. */
const DAYS_AHEAD = 3;

/** Makes room in the event log and beside it for the days to come, and takes out those past the retention. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly rows: EventRetentionRepository,
    private readonly texts: PromptTextRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await workEverySoOften(this.jobs, this.database, keepEventLog, (signal) => this.keep(signal));
  }

  /** One round, as of `now`. Two at once do no harm, and what one leaves undone the next one does. */
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
    if (done.length > 0) this.logger.info({ partitions: done }, 'partitions of the event log were made');
    if (left.length > 0) {
      this.logger.warn({ partitions: left }, 'the default partition holds the rows of days without one');
    }
  }

  /** Turns are as old as their ids. Those that have not ended keep their events, and with them their day's. */
  private async prune(before: Date, signal: AbortSignal): Promise<void> {
    const { dataSource } = this.database;
    // No turn becomes unfinished again, and none begins in the past: what is found here holds from now on.
    const keep = await this.database.systemTransaction((tx) =>
      this.rows.listUnfinishedBefore(tx, firstIdOfDay(before)),
    );
    for (const partitioned of KEPT) {
      const { done, left } = await dropPartitions(dataSource, partitioned, { before, keep });
      const rows = await emptyRest(dataSource, partitioned, { before, keep }, signal);
      if (done.length > 0 || rows > 0) {
        this.logger.info({ partitions: done, rows }, 'what is past its retention was removed');
      }
      if (left.length > 0) {
        this.logger.warn({ partitions: left }, 'old partitions were in use; they are removed next time');
      }
    }
    const day = before.toISOString().slice(0, 10);
    await this.database.systemTransaction((tx) => this.texts.removeUnused(tx, day));
  }
}
