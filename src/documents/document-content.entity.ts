import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { NIL_ID } from '../common/ids.js';
import { CreatedRow } from '../platform/database/rows.entity.js';
import type { DocumentRemarks } from './document-remark.js';

export type DocumentStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** The bytes that documents of one owner share, with their processing state. Deleted with the last such document. */
@Entity()
@Index('document_content_sha256', ['companyId', 'ownerId', 'sha256'], { unique: true })
// Every turn asks at its start whether the company has anything to search.
@Index('document_content_completed', ['companyId', 'ownerId'], { where: `"status" = 'COMPLETED'` })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class DocumentContent extends CreatedRow {
  /** The member whose conversations alone find it; NOBODY: it is the company's. */
  @Column('uuid', { default: NIL_ID })
  ownerId!: string;

  /** Hexadecimal digest of the bytes. */
  @Column('text')
  sha256!: string;

  @Column('integer')
  bytes!: number;

  @Column('text')
  storageKey!: string;

  /** The first document's name. Its extension tells the format if the bytes do not. */
  @Column('text')
  name!: string;

  /** Detected from the bytes; null: not yet. */
  @Column('text', { nullable: true })
  mediaType!: string | null;

  @Column('text', { default: 'PENDING' })
  status!: DocumentStatus;

  /** The fencing token. Incremented by each attempt; writes of older attempts are refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** Attempts that failed for no reason that a user could fix, or never reported back. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** 0 to 1. */
  @Column('double precision', { default: 0 })
  progress!: number;

  /** Why it could not be read, in English; null unless FAILED. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** What was lost or is doubtful, such as pages without text, in English. */
  @Column('jsonb', { default: [] })
  warnings!: string[];

  /** The same for any language; null: an earlier version has read it, or none yet. */
  @Column('jsonb', { nullable: true })
  remarks!: DocumentRemarks | null;

  /** Pages, slides or sheets; null: it has none, or it is not known yet. */
  @Column('integer', { nullable: true })
  pages!: number | null;

  @Column('integer', { default: 0 })
  passageCount!: number;

  /** The language of most of its text, BCP 47; null: unknown. */
  @Column('text', { nullable: true })
  language!: string | null;
}
