import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../common/json.js';

export const memoryKinds = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** Who noted it: a person by the API, a model by a skill, or the job that reads what was said in a turn. */
export const memorySources = ['MEMBER', 'SKILL', 'EXTRACTION'] as const;
export type MemorySource = (typeof memorySources)[number];

/**
 * One version of something remembered, one line of text. A version is never changed: a newer one of the same lineage
 * supersedes it. Of a subject one version is in force, by owner and kind.
 */
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
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], {
  name: 'memory_owner_fkey',
  onDelete: 'CASCADE',
})
export class Memory {
  @ForeignKey('Company', { name: 'memory_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_pkey' })
  id!: string;

  /** The id of the first version. */
  @Column('uuid')
  lineageId!: string;

  /** Whose it is; null: the whole company's. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  @Column('text')
  kind!: MemoryKind;

  /** What it is about, as people write it: a name, a topic. */
  @Column('text')
  subject!: string;

  /** The same as it is compared: folded. */
  @Column('text')
  subjectKey!: string;

  @Column('text')
  content!: string;

  /** PROJECT: status, description, client. CONTACT: company, email, notes, aliases. Others as given. */
  @Column('jsonb', { default: {} })
  attributes!: JsonObject;

  @Column('text')
  source!: MemorySource;

  /** The member who noted it, or whose turn did; null once that member is gone. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;

  /** The message it was learned from; null: a person noted it. */
  @Column('uuid', { nullable: true })
  sourceMessageId!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  validFrom!: Date;

  /** The version that took its place; null: it is in force. */
  @Column('uuid', { nullable: true })
  supersededBy!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  supersededAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
