import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../platform/database/rows.entity.js';

/** The number and total size of the documents of a company or a member, updated with every change. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class DocumentTotal extends CompanyRow {
  /** COMPANY, or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @Column('integer', { default: 0 })
  documents!: number;

  /** Bytes that have arrived or were announced. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  bytes!: string;
}
