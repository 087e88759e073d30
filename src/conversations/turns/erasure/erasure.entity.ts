import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../../platform/database/rows.entity.js';

/** Texts that are being erased from turns. The row holds them until that is done, and is deleted then. */
@Entity()
@Index('erasure_owner', ['companyId', 'ownerId'])
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Erasure extends CreatedRow {
  /** Whose turns may hold the texts; null: anybody's in the company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** The deleted document that the texts are from. Its texts are looked up in the turns. Null: not about a document. */
  @Column('uuid', { nullable: true })
  documentId!: string | null;

  /** Erased wherever they occur. */
  @Column('text', { array: true })
  texts!: string[];

  /** Erased among memories only. */
  @Column('text', { array: true })
  shortTexts!: string[];

  /** Turns that ended before this cannot hold the texts. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  /** The last conversation that was processed; null: none yet. */
  @Column('uuid', { nullable: true })
  cursor!: string | null;

  /** Unfinished at the start, or written beside since: processed again after they end. Null: not determined yet. */
  @Column('uuid', { array: true, nullable: true })
  late!: string[] | null;
}
