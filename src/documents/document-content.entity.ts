import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type DocumentStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** Bytes that documents of a company have in common, and what was made of them. Goes with the last of its documents. */
@Entity()
@Index('document_content_sha256', ['companyId', 'sha256'], { unique: true })
// Whether a company has anything to be searched is asked at the beginning of every turn.
@Index('document_content_completed', ['companyId'], { where: `"status" = 'COMPLETED'` })
export class DocumentContent {
  @ForeignKey('Company', { name: 'document_content_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_content_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_content_pkey' })
  id!: string;

  /** Of the bytes, in hexadecimal digits. */
  @Column('text')
  sha256!: string;

  @Column('integer')
  bytes!: number;

  @Column('text')
  storageKey!: string;

  /** The first document's: where the bytes do not say what they are, its extension does. */
  @Column('text')
  name!: string;

  /** As the bytes say; null: nobody has looked yet. */
  @Column('text', { nullable: true })
  mediaType!: string | null;

  @Column('text', { default: 'PENDING' })
  status!: DocumentStatus;

  /** Goes up whenever somebody begins to process it. The fencing token: what an older one writes is refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** How many attempts failed for no reason that a person could mend, or were never heard of again. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** 0 to 1. */
  @Column('double precision', { default: 0 })
  progress!: number;

  /** Why it could not be read, for people; null unless FAILED. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** What was lost or is doubtful, for people, such as pages without text. */
  @Column('jsonb', { default: [] })
  warnings!: string[];

  /** Of a PDF, slides of a presentation, sheets of a workbook; null: it has none, or nobody has looked yet. */
  @Column('integer', { nullable: true })
  pages!: number | null;

  @Column('integer', { default: 0 })
  passageCount!: number;

  /** BCP 47, of most of its passages; null: unknown. */
  @Column('text', { nullable: true })
  language!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
