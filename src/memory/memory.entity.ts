import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import { CreatedRow } from '../platform/database/rows.js';

export const memoryKinds = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** Who noted it: a person by the API, a model by a skill, or the job that extracts memories from turns. */
const memorySources = ['MEMBER', 'SKILL', 'EXTRACTION'] as const;
export type MemorySource = (typeof memorySources)[number];

/** A version never changes: a newer one of its lineage supersedes it. A subject has one in force per owner and kind. */
@Entity()
@Index('memory_personal_subject', ['companyId', 'ownerId', 'kind', 'subjectKey'], {
  unique: true,
  where: 'superseded_by IS NULL AND owner_id IS NOT NULL',
})
@Index('memory_shared_subject', ['companyId', 'kind', 'subjectKey'], {
  unique: true,
  where: 'superseded_by IS NULL AND owner_id IS NULL',
})
@Index('memory_list', ['companyId', 'ownerId', 'kind', 'id'])
@Index('memory_in_force', ['companyId', 'ownerId', 'kind', 'id'], { where: 'superseded_by IS NULL' })
@Index('memory_superseded', ['companyId', 'ownerId', 'kind', 'id'], { where: 'superseded_by IS NOT NULL' })
@Index('memory_lineage', ['companyId', 'lineageId', 'id'])
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Memory extends CreatedRow {
  /** The id of the first version. */
  @Column('uuid')
  lineageId!: string;

  /** The member whose memory it is; null: the whole company's. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  @Column('text')
  kind!: MemoryKind;

  /** A name or a topic, as people write it. */
  @Column('text')
  subject!: string;

  /** The subject normalized by `subjectKeyOf`, for comparing. */
  @Column('text')
  subjectKey!: string;

  @Column('text')
  content!: string;

  /** Known keys of PROJECT: status, description, client. Of CONTACT: company, email, notes, aliases. */
  @Column('jsonb', { default: {} })
  attributes!: JsonObject;

  @Column('text')
  source!: MemorySource;

  /** The member who noted it, or whose turn did; null once they are erased. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;

  /** The message that it was learned from; null: a person noted it. */
  @Column('uuid', { nullable: true })
  sourceMessageId!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  validFrom!: Date;

  /** The newer version; null: it is in force. */
  @Column('uuid', { nullable: true })
  supersededBy!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt!: Date | null;
}

/** Memories of these kinds, noted in a period. */
export interface MemoryRange {
  kinds: readonly MemoryKind[];
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  before: Date;
}
