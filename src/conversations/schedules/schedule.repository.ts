import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow } from '../../platform/database/rows.js';
import { Config } from '../../common/config/config.js';
import { newId } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { RowPart, Transaction } from '../../platform/database/transaction.js';

/** What becomes of times at which no process ran: the newest of them is made up for, or none. */
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
  /** In whose name it is asked. */
  @Column('uuid')
  memberId!: string;

  @Column('uuid')
  assistantId!: string;

  /** Where it is asked; null: each time in a new conversation. The conversation may be gone. */
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

  /** When it is due next; null: it is not active. Whoever changes it from what it was has the run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;

  /** Since when failures count. */
  @Column({ type: 'timestamptz', precision: 3 })
  activeSince!: Date;

  /** The last turn that it started, which may be gone. */
  @Column('uuid', { nullable: true })
  lastTurnId!: string | null;
}

/** STARTED: there is a turn. BUSY: the turn before it was under way. MISSED: no process ran. REFUSED: see its reason. */
export type RunOutcome = 'STARTED' | 'BUSY' | 'MISSED' | 'REFUSED';

/** What came of one time at which a schedule was due. */
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

  /** For people; null unless it was refused. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The turn may be gone. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;
}

export const scheduleOrder = newestFirst('schedules');
export const scheduleRunOrder = newestFirst('schedule-runs');

/** Of one schedule; older ones are deleted. */
export const KEPT_RUNS = 500;

export interface DueAddress {
  companyId: string;
  id: string;
  nextAt: Date;
}

/** What came of a run. */
export type RunResult =
  | { outcome: 'STARTED'; turnId: string; reason?: never }
  | { outcome: 'REFUSED'; reason: string; turnId?: never }
  | { outcome: 'BUSY' | 'MISSED'; turnId?: never; reason?: never };

/** How the turns stand that a schedule has started. */
interface StartedTurns {
  /** The last one is under way. */
  isBusy: boolean;
  /** As many in a row have failed, since it is active, as pause it. */
  hasFailed: boolean;
}

@Injectable()
export class ScheduleRepository {
  constructor(private readonly config: Config) {}

  /** In a system transaction. Those of all companies that are due, the longest due first; `after`: the last of a page. */
  listDue(tx: Transaction, now: Date, after: DueAddress | null, limit: number): Promise<DueAddress[]> {
    return tx.query<DueAddress>(
      `SELECT company_id AS "companyId", id, next_at AS "nextAt" FROM schedule
       WHERE next_at <= $1 AND ($2::timestamptz IS NULL OR (next_at, id) > ($2, $3)) ORDER BY next_at, id LIMIT $4`,
      [now, after?.nextAt ?? null, after?.id ?? null, limit],
    );
  }

  find(tx: Transaction, id: string): Promise<Schedule | null> {
    return tx.find(Schedule, { id });
  }

  lock(tx: Transaction, id: string): Promise<Schedule | null> {
    return tx.lock(Schedule, { id });
  }

  /** `memberId`: whose; null: those of all members. */
  list(tx: Transaction, memberId: string | null, request: PageRequest): Promise<Page<Schedule>> {
    const query = tx.repository(Schedule).createQueryBuilder('schedule').where({ companyId: tx.companyId });
    if (memberId !== null) query.andWhere({ memberId });
    return readPage(query, scheduleOrder, request);
  }

  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Schedule[]> {
    return tx.listAfter(Schedule, { memberId }, after, limit);
  }

  /** Those that have not ended. The member's number does not change until `tx` ends. */
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

  /** Adds it, and deletes what has ended of the member's but the newest `keptEnded`. */
  async add(tx: Transaction, schedule: Schedule, keptEnded: number): Promise<void> {
    await tx.insert(Schedule, schedule);
    await tx.query(
      `DELETE FROM schedule WHERE company_id = $1 AND id IN (
         SELECT id FROM schedule WHERE company_id = $1 AND member_id = $2 AND status = 'ENDED'
         ORDER BY id DESC OFFSET $3)`,
      [tx.companyId, schedule.memberId, keptEnded],
    );
  }

  /** Changes the schedule if it is still due when it was. False: it was changed, deleted, or another process has the run. */
  change(
    tx: Transaction,
    { id, nextAt }: Pick<Schedule, 'id' | 'nextAt'>,
    changes: RowPart<Schedule>,
  ): Promise<boolean> {
    return tx.update(Schedule, { id, nextAt }, changes);
  }

  /** False: there is no such schedule. */
  update(tx: Transaction, id: string, changes: RowPart<Schedule>): Promise<boolean> {
    return tx.update(Schedule, { id }, changes);
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.delete(Schedule, { id });
  }

  async addRun(
    tx: Transaction,
    { id: scheduleId }: Pick<Schedule, 'id'>,
    run: Pick<ScheduleRun, 'dueAt' | 'createdAt'> & RunResult,
  ): Promise<void> {
    const { turnId = null, reason = null } = run;
    // A clock that was put back makes a time due a second time.
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
