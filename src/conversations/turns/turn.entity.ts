import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { Role } from '../../companies/auth/viewer.js';
import type { Conversation } from '../conversation.repository.js';
import type { ClientSkill } from './start/client-skills.js';
import type { ClientRequest } from './start/client-request.js';
import type { FinishReason, TurnError, TurnStatus } from './turn-event.js';
import { CreatedRow } from '../../platform/database/rows.js';

/** A question, and the work until it is answered. */
@Entity()
@Index('turn_conversation', ['companyId', 'conversationId', 'id'])
@Index('turn_member', ['companyId', 'memberId', 'id'])
@Index('turn_assistant', ['companyId', 'assistantId', 'id'], { where: `"assistant_id" IS NOT NULL` })
@Index('turn_ended_early', ['companyId', 'id', 'finishReason'], { where: `"finish_reason" <> 'ANSWERED'` })
@Index('turn_cost', ['companyId', 'costUsd'])
@Index('turn_seconds', ['companyId', 'seconds'])
// Unfinished turns are few. No index contains the lease, the last sequence or `seen_at`, as these are written several
// times a second.
@Index('turn_unfinished', ['companyId', 'conversationId', 'id'], {
  where: `"status" NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`,
})
@Index('turn_member_unfinished', ['companyId', 'memberId'], {
  where: `"status" NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`,
})
// Unique indexes guarantee one active turn a conversation, and one turn an idempotency key.
@Index('turn_one_active', ['companyId', 'conversationId'], {
  unique: true,
  where: `"status" IN ('RUNNING', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_INPUT') AND "background_at" IS NULL`,
})
@Index('turn_idempotency', ['companyId', 'memberId', 'idempotencyKey'], {
  unique: true,
  where: `"idempotency_key" IS NOT NULL`,
})
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Turn extends CreatedRow {
  @Column('uuid')
  conversationId!: string;

  @Column('uuid')
  memberId!: string;

  /** The asking member's role at the time. It decides what skills may do, even after a restart. */
  @Column('text')
  role!: Role;

  /** The answering assistant. Null: the conversation's. */
  @Column('uuid', { nullable: true })
  assistantId!: string | null;

  @Column('uuid')
  questionId!: string;

  /** Assigned when the turn is created; the message is stored at the turn's end. */
  @Column('uuid')
  answerId!: string;

  /** The documents that the turn is restricted to; empty: all of the company's. */
  @Column('uuid', { array: true, default: [] })
  documentIds!: string[];

  /** Skills that the front end carries out. Null: none. */
  @Column('jsonb', { nullable: true })
  clientSkills!: ClientSkill[] | null;

  /** The answer's schema as the member wrote it. `jsonb` would lose the order of properties. */
  @Column('json', { nullable: true })
  answerSchema!: JsonObject | null;

  /** The request through another protocol. Null: it came by GraphQL. */
  @Column('json', { nullable: true })
  client!: ClientRequest | null;

  @Column('text', { default: 'QUEUED' })
  status!: TurnStatus;

  @Column('text', { nullable: true })
  finishReason!: FinishReason | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** The schedule that asked, which may be gone. Null: a member asked. */
  @Column('uuid', { nullable: true })
  scheduleId!: string | null;

  /** SHA-256 of the payload under the idempotency key. */
  @Column('text', { nullable: true })
  payloadHash!: string | null;

  /** The fencing token, increased for every owner. Writes under an older attempt are refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** How many leases expired. An owner that hands the turn over is not counted. */
  @Column('integer', { default: 0 })
  lostLeases!: number;

  /** The end of the owner's lease, which the owner keeps renewing. In the queue: when the turn became ready to run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null;

  /** The last time an owner wrote to the turn, renewed its lease or released it. Null: no owner yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  seenAt!: Date | null;

  /** Seconds without a running process, by the database's clock. Negative if the starting process's clock is ahead. */
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

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  /** See `AnswerPieces`. Long, so it is loaded only when the turn's events are gone. */
  @Column('integer', { array: true, nullable: true, select: false })
  answerPieces!: number[] | null;

  /** When it was moved to the background; null: it was not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  backgroundAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;

  /** The W3C `traceparent` of the request that started it; null: not traced. */
  @Column('text', { nullable: true })
  traceStart!: string | null;

  /** The `traceparent` of the last run that released the turn. The next run is linked to it. */
  @Column('text', { nullable: true })
  traceRun!: string | null;

  /** From the question to the end; null until then. */
  @Column('double precision', { nullable: true })
  seconds!: number | null;
}

export function answererOf(
  { assistantId }: Pick<Turn, 'assistantId'>,
  conversation: Pick<Conversation, 'assistantId'>,
): string {
  return assistantId ?? conversation.assistantId;
}

/** Whether the turn answers a question once more: the question was there before it. */
export function answersAnew({ id, questionId }: Pick<Turn, 'id' | 'questionId'>): boolean {
  return questionId < id;
}
