import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.entity.js';

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
