import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { GivenAnswer, McpRequest, PendingInputKind, PendingStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { CreatedRow } from '../../../platform/database/rows.js';

/** What a skill call needs from a person. The turn waits for the answer; no process does. */
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

  /** The id of the skill call, which has started only for an MCP_INPUT. */
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

  /** For an APPROVAL: whether the asking member may answer, as configured at the time of the request. */
  @Column('boolean')
  askerMayApprove!: boolean;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** The request of an MCP server. Null: not an MCP_INPUT. */
  @Column('jsonb', { nullable: true })
  request!: McpRequest | null;

  /** For an MCP_INPUT: the attempt that passes the answer on. Later attempts do not know whether it did. */
  @Column('integer', { nullable: true })
  forAttempt!: number | null;

  @Column('text', { default: 'PENDING' })
  status!: PendingStatus;

  /** The answer. Null: none, or an APPROVAL. */
  @Column('jsonb', { nullable: true })
  answer!: GivenAnswer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt!: Date | null;

  /** The member who answered. Null: nobody. */
  @Column('uuid', { nullable: true })
  resolvedBy!: string | null;

  @Column('text', { nullable: true })
  comment!: string | null;
}
