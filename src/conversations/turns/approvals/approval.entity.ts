import { Column, Entity, ForeignKey, Index } from 'typeorm';

import type { JsonObject } from '../../../common/json.js';
import type { PendingStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { CreatedRow } from '../../../platform/database/rows.entity.js';

/** A question to a person before a skill is carried out. The turn waits for the answer; no process does. */
@Entity()
@Index('approval_turn', ['companyId', 'turnId', 'id'])
@Index('approval_pending', ['companyId', 'id'], { where: `"status" = 'PENDING'` })
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Approval extends CreatedRow {
  @Column('uuid')
  turnId!: string;

  /** The member who started the turn. */
  @Column('uuid')
  memberId!: string;

  /** The id that the skill call will get when it starts. */
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

  /** Whether the asker may answer, as the skill was configured when the question was asked. */
  @Column('boolean')
  askerMayApprove!: boolean;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('text', { default: 'PENDING' })
  status!: PendingStatus;

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
