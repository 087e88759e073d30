import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The number and total size of the documents of a company or a member, updated with every change. */
@Entity()
export class DocumentTotal {
  @ForeignKey('Company', { name: 'document_total_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_total_pkey' })
  companyId!: string;

  /** COMPANY, or a member's id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_total_pkey' })
  subject!: string;

  @Column('integer', { default: 0 })
  documents!: number;

  /** Bytes that have arrived or were announced. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  bytes!: string;
}
