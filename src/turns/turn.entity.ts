import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Role } from '../auth/viewer.js';
import type { FinishReason, TurnError, TurnStatus } from './turn-event.js';

/** A question and all that is done until it is answered. */
@Entity()
@Index('turn_conversation', ['companyId', 'conversationId', 'id'])
// Those of a conversation that wait or run are few, however long it is.
@Index('turn_unfinished', ['companyId', 'conversationId', 'id'], {
  where: `"status" NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`,
})
// Turns that nobody runs any more are looked for by it, over all companies.
@Index('turn_lease', ['leaseUntil'], { where: `"status" NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')` })
@Index('turn_member_unfinished', ['companyId', 'memberId'], {
  where: `"status" NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`,
})
// The two promises of startTurn are indexes, not checks: one question is answered at a time, and a key starts one turn.
@Index('turn_one_active', ['companyId', 'conversationId'], {
  unique: true,
  where: `"status" IN ('RUNNING', 'WAITING_FOR_APPROVAL') AND "background_at" IS NULL`,
})
@Index('turn_idempotency', ['companyId', 'memberId', 'idempotencyKey'], {
  unique: true,
  where: `"idempotency_key" IS NOT NULL`,
})
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], {
  name: 'turn_conversation_fkey',
  onDelete: 'CASCADE',
})
export class Turn {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'turn_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'turn_pkey' })
  id!: string;

  @Column('uuid')
  conversationId!: string;

  @Column('uuid')
  memberId!: string;

  /** The asker's when asking: what a skill may do, also after a restart. */
  @Column('text')
  role!: Role;

  @Column('uuid')
  questionId!: string;

  /** Taken when the turn is created; the message itself is stored at the turn's end. */
  @Column('uuid')
  answerId!: string;

  /** The documents that the question is about; none: all of the company's. */
  @Column('uuid', { array: true, default: [] })
  documentIds!: string[];

  @Column('text', { default: 'QUEUED' })
  status!: TurnStatus;

  @Column('text', { nullable: true })
  finishReason!: FinishReason | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of what was asked under the idempotency key. */
  @Column('text', { nullable: true })
  payloadHash!: string | null;

  /** Goes up with every owner. The fencing token: writes under an older attempt are refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** How many owners were never heard of again; one that hands the turn over is not counted. */
  @Column('integer', { default: 0 })
  lostLeases!: number;

  /** Until then the owner has it to itself, unless it renews; while it waits, whoever was asked first to run it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null;

  /** When an owner last gave a sign of life, or left it; null: it has had none. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  seenAt!: Date | null;

  /** For how long nobody has run it since it was begun or, in the background, since it was moved there. */
  @Column('double precision', { default: 0 })
  idleSeconds!: number;

  /** Why the turn is to end early, once somebody asked for it: CANCELLED or SUPERSEDED. */
  @Column('text', { nullable: true })
  stopReason!: FinishReason | null;

  @Column('integer', { default: 0 })
  lastSequence!: number;

  @Column('integer', { default: 0 })
  inputTokens!: number;

  @Column('integer', { default: 0 })
  outputTokens!: number;

  @Column('integer', { default: 0 })
  cachedInputTokens!: number;

  @Column('integer', { default: 0 })
  modelCalls!: number;

  @Column('integer', { default: 0 })
  skillCalls!: number;

  /** Null while no price is known for the model. */
  @Column('double precision', { nullable: true })
  costUsd!: number | null;

  @Column('jsonb', { nullable: true })
  error!: TurnError | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  /** When it was moved to the background; null: it was not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  backgroundAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
