import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow } from '../../platform/database/rows.js';
import { Config } from '../../common/config/config.js';
import { newId } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, pagedRowsOf, readPage } from '../../platform/database/keyset.js';
import type { RowPart, Transaction } from '../../platform/database/transaction.js';

/** How missed times are handled: the newest is made up for, or none. */
export const missedRunsChoices = ['ONCE', 'SKIP'] as const;
export type MissedRuns = (typeof missedRunsChoices)[number];

export type ScheduleStatus = 'ACTIVE' | 'PAUSED' | 'ENDED';

export type PausedReason = 'BY_MEMBER' | 'BY_ADMIN' | 'MEMBER_INACTIVE' | 'FAILURES' | 'REFUSED';

/** A question that is asked for a member at certain times. */
@Entity()
@Index('schedule_member', ['companyId', 'memberId', 'id'])
@Index('schedule_assistant', ['companyId', 'assistantId'])
@Index('schedule_due', ['nextAt'], { where: `"next_at" IS NOT NULL` })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Assistant', ['companyId', 'assistantId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Schedule extends CreatedRow {
  /** The member in whose name it asks. */
  @Column('uuid')
  memberId!: string;

  @Column('uuid')
  assistantId!: string;

  /** The conversation, which may be gone. Null: a new one each time. */
  @Column('uuid', { nullable: true })
  conversationId!: string | null;

  @Column('text')
  message!: string;

  /** Null: it is asked once, at `at`. */
  @Column('text', { nullable: true })
  cron!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  at!: Date | null;

  /** An IANA name. */
  @Column('text')
  timeZone!: string;

  @Column('text')
  missedRuns!: MissedRuns;

  @Column('text')
  status!: ScheduleStatus;

  @Column('text', { nullable: true })
  pausedReason!: PausedReason | null;

  /** The next due time. Null: not active. The process that changes this value has the run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;

  /** Failures count from here. */
  @Column({ type: 'timestamptz', precision: 3 })
  activeSince!: Date;

  /** The last turn that it started, which may be gone. */
  @Column('uuid', { nullable: true })
  lastTurnId!: string | null;
}

/** STARTED: there is a turn. BUSY: the previous one was running. MISSED: no process was. REFUSED: with a reason. */
export type RunOutcome = 'STARTED' | 'BUSY' | 'MISSED' | 'REFUSED';

/** The result of one due time of a schedule. */
@Entity()
@Index('schedule_run_due', ['companyId', 'scheduleId', 'dueAt'], { unique: true })
@Index('schedule_run_latest', ['companyId', 'scheduleId', 'id'])
@ForeignKey('Schedule', ['companyId', 'scheduleId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class ScheduleRun extends CreatedRow {
  @Column('uuid')
  scheduleId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  @Column('text')
  outcome!: RunOutcome;

  /** For people. Null unless refused. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The turn may be gone. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;
}

export const scheduleOrder = newestFirst('schedules');
export const scheduleRunOrder = newestFirst('schedule-runs');

/** The number of a schedule's runs that are kept. Older ones are deleted. */
export const KEPT_RUNS = 500;

export interface DueAddress {
  companyId: string;
  id: string;
}

export type RunResult =
  | { outcome: 'STARTED'; turnId: string; reason?: never }
  | { outcome: 'REFUSED'; reason: string; turnId?: never }
  | { outcome: 'BUSY' | 'MISSED'; turnId?: never; reason?: never };

/** The state of the turns that a schedule started. */
interface StartedTurns {
  /** Whether the last one is running. */
  isBusy: boolean;
  /** Whether enough consecutive turns failed, since it became active, to pause it. */
  hasFailed: boolean;
}

@Injectable()
export class ScheduleRepository extends pagedRowsOf(Schedule) {
  constructor(private readonly config: Config) {
    super();
  }

  /** In a system transaction. Due schedules: companies take turns, the longest due first. */
  listDue(tx: Transaction, now: Date, limit: number): Promise<DueAddress[]> {
    return tx.query<DueAddress>(
      `SELECT company_id AS "companyId", id FROM schedule WHERE next_at <= $1
       ORDER BY row_number() OVER (PARTITION BY company_id ORDER BY next_at, id), next_at, id LIMIT $2`,
      [now, limit],
    );
  }

  /** The number of active and paused schedules of the member. It does not change until `tx` ends. */
  async countLocked(tx: Transaction, memberId: string): Promise<number> {
    await tx.query('SELECT FROM member WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      memberId,
    ]);
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM schedule WHERE company_id = $1 AND member_id = $2 AND status <> 'ENDED'`,
      [tx.companyId, memberId],
    );
    return row?.count ?? 0;
  }

  /** Adds it, and deletes the member's ended schedules but the newest `keptEnded`. */
  async add(tx: Transaction, schedule: Schedule, keptEnded: number): Promise<void> {
    await tx.insert(Schedule, schedule);
    await tx.query(
      `DELETE FROM schedule WHERE company_id = $1 AND id IN (
         SELECT id FROM schedule WHERE company_id = $1 AND member_id = $2 AND status = 'ENDED'
         ORDER BY id DESC OFFSET $3)`,
      [tx.companyId, schedule.memberId, keptEnded],
    );
  }

  /** Changes the schedule if its due time is the same. False: changed or deleted, or another process has the run. */
  change(
    tx: Transaction,
    { id, nextAt }: Pick<Schedule, 'id' | 'nextAt'>,
    changes: RowPart<Schedule>,
  ): Promise<boolean> {
    return tx.update(Schedule, { id, nextAt }, changes);
  }

  async addRun(
    tx: Transaction,
    { id: scheduleId }: Pick<Schedule, 'id'>,
    run: Pick<ScheduleRun, 'dueAt' | 'createdAt'> & RunResult,
  ): Promise<void> {
    const { turnId = null, reason = null } = run;
    // A clock that was put back makes a time due again.
    const onceEach = 'ON CONFLICT (company_id, schedule_id, due_at) DO NOTHING';
    await tx.insert(ScheduleRun, { ...run, id: newId(), scheduleId, turnId, reason }, onceEach);
    await tx.query(
      `DELETE FROM schedule_run WHERE company_id = $1 AND schedule_id = $2 AND id <= (
         SELECT id FROM schedule_run WHERE company_id = $1 AND schedule_id = $2
         ORDER BY id DESC OFFSET ${KEPT_RUNS} LIMIT 1)`,
      [tx.companyId, scheduleId],
    );
  }

  listRuns(tx: Transaction, scheduleId: string, request: PageRequest): Promise<Page<ScheduleRun>> {
    const query = tx
      .repository(ScheduleRun)
      .createQueryBuilder('run')
      .where({ companyId: tx.companyId, scheduleId });
    return readPage(query, scheduleRunOrder, request);
  }

  lastRun(tx: Transaction, scheduleId: string): Promise<ScheduleRun | null> {
    return tx.find(ScheduleRun, { scheduleId }, 'ORDER BY id DESC');
  }

  async readTurns(tx: Transaction, { id, lastTurnId, activeSince }: Schedule): Promise<StartedTurns> {
    const [row] = await tx.query<StartedTurns>(
      `SELECT EXISTS (
           SELECT FROM turn WHERE company_id = $1 AND id = $2 AND status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')
         ) AS "isBusy", (
           SELECT count(*) FILTER (WHERE status = 'FAILED') = $5 FROM (
             SELECT turn.status FROM schedule_run AS run
             JOIN turn ON turn.company_id = run.company_id AND turn.id = run.turn_id
             WHERE run.company_id = $1 AND run.schedule_id = $3 AND run.created_at >= $4
             ORDER BY run.id DESC LIMIT $5) AS last
         ) AS "hasFailed"`,
      [tx.companyId, lastTurnId, id, activeSince, this.config.schedules.maxFailures],
    );
    if (!row) throw new Error('A selection without FROM gave no row.');
    return row;
  }
}
