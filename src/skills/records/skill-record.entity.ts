import type { RecordSource } from '@palabre/plugin';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import { CreatedRow } from '../../platform/database/rows.entity.js';

/** A version of a result that a package keeps for the company. Rows are never changed. */
@Entity()
@Index('skill_record_version', ['companyId', 'kind', 'subject', 'version'], { unique: true })
@Index('skill_record_kind', ['companyId', 'kind', 'id'])
@Index('skill_record_member', ['companyId', 'memberId', 'id'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'SET NULL' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class SkillRecord extends CreatedRow {
  /** Declared by a package. */
  @Column('text')
  kind!: string;

  /** What of the kind it is about, such as a year; empty: there is but one. */
  @Column('text')
  subject!: string;

  /** From 1. */
  @Column('integer')
  version!: number;

  /** One line for people. */
  @Column('text')
  title!: string;

  @Column('jsonb')
  content!: JsonObject;

  @Column('jsonb')
  sources!: RecordSource[];

  /** Who had it made; null: they were erased. */
  @Column('uuid', { nullable: true })
  memberId!: string | null;

  /** Where it was made. The conversation may be deleted by now. */
  @Column('uuid')
  conversationId!: string;

  /** The skill call that made it. */
  @Column('uuid')
  callId!: string;
}
