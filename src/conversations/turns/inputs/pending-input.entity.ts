import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { GivenAnswer, McpRequest, PendingInputKind, PendingStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { CreatedRow } from '../../../platform/database/rows.js';

/** What a skill call needs of a person. The turn waits for the answer; no process does. */
@Entity()
@Index('pending_input_turn', ['companyId', 'turnId', 'id'])
@Index('pending_input_open', ['companyId', 'id'], { where: `"status" = 'PENDING'` })
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class PendingInput extends CreatedRow {
  @Column('uuid')
  turnId!: string;

  @Column('text')
  kind!: PendingInputKind;

  /** The member who started the turn. */
  @Column('uuid')
  memberId!: string;

  /** The id of the skill call; but for an MCP_INPUT, that which it will get when it starts. */
  @Column('uuid')
  callId!: string;

  /** The skill's key. */
  @Column('text')
  skill!: string;

  /** The arguments of the call; after approval, as edited by the approver. */
  @Column('jsonb')
  arguments!: JsonObject;

  /** The step, and the call as the model wrote it; see SkillCall. */
  @Column('integer')
  step!: number;

  @Column('text')
  preamble!: string;

  @Column('text')
  modelCallId!: string;

  @Column('text')
  modelArguments!: string;

  /** Of an APPROVAL: whether the asker may answer, as the skill was configured when it was asked for. */
  @Column('boolean')
  askerMayApprove!: boolean;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** Of an MCP_INPUT. */
  @Column('jsonb', { nullable: true })
  request!: McpRequest | null;

  /** Of an MCP_INPUT: the attempt that hands the answer on. A later one does not know whether it was. */
  @Column('integer', { nullable: true })
  forAttempt!: number | null;

  @Column('text', { default: 'PENDING' })
  status!: PendingStatus;

  /** What was given; null: nothing, or it is an APPROVAL. */
  @Column('jsonb', { nullable: true })
  answer!: GivenAnswer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt!: Date | null;

  /** The member who answered; null when nobody did. */
  @Column('uuid', { nullable: true })
  resolvedBy!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;
}
