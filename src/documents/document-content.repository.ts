import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { singleLine } from '@palabre/text';

import { NIL_ID } from '../common/ids.js';
import { CreatedRow, rowsOf } from '../platform/database/rows.js';
import type { RowPart, Transaction } from '../platform/database/transaction.js';
import { type DocumentRemark, type DocumentRemarks, remarkInEnglish } from './document-remark.js';

export type DocumentStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

/** The bytes that documents of one owner share, with their processing state. Deleted with the last such document. */
@Entity()
@Index('document_content_sha256', ['companyId', 'ownerId', 'sha256'], { unique: true })
// Every turn asks at its start whether the company has anything to search.
@Index('document_content_completed', ['companyId', 'ownerId'], { where: `"status" = 'COMPLETED'` })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class DocumentContent extends CreatedRow {
  /** The member whose conversations alone may find it. NOBODY: the company's. */
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

  /** Attempts that failed for internal reasons, or never reported back. */
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

  /** The same in a form for any language. Null: read by an earlier version, or not read yet. */
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

/** Only this many contents are counted: a company may have hundreds of thousands. */
const MAX_LOOKED_AT = 1_000;

const MAX_VALUE_CHARACTERS = 300;

/** One attempt at processing a content. Its writes are refused once there is a later one. */
type Attempt = Pick<DocumentContent, 'id' | 'attempt'>;

/** The facts of a content that was read completely. */
export type ReadContent = Pick<DocumentContent, 'mediaType' | 'pages' | 'language'> & {
  warnings: readonly DocumentRemark[];
};

/** Contents. The lock on a content's row is always taken before those on documents and passages. */
@Injectable()
export class DocumentContentRepository extends rowsOf(DocumentContent) {
  /** Locks the owner's content with this digest, if it exists, until the transaction ends. */
  async holdBySha256(
    tx: Transaction,
    { ownerId, sha256 }: Pick<DocumentContent, 'ownerId' | 'sha256'>,
  ): Promise<DocumentContent | null> {
    return tx.lock(DocumentContent, { ownerId, sha256 });
  }

  /** False: another transaction has committed the same bytes first. */
  override insert(
    tx: Transaction,
    { id, ownerId, sha256, bytes, storageKey, name }: NewContent,
  ): Promise<boolean> {
    const content = { id, ownerId, sha256, bytes, storageKey, name };
    return tx.insert(DocumentContent, content, 'ON CONFLICT (company_id, owner_id, sha256) DO NOTHING');
  }

  /** An image is complete without reading. */
  async completeImage(tx: Transaction, id: string, mediaType: string): Promise<void> {
    await tx.update(DocumentContent, { id }, { status: 'COMPLETED', progress: 1, mediaType });
  }

  /** Restarts a failed content with bytes that were uploaded again. */
  async renew(
    tx: Transaction,
    id: string,
    { storageKey, name }: Pick<NewContent, 'storageKey' | 'name'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE document_content
       SET storage_key = $3, name = $4, status = 'PENDING', attempt = attempt + 1, failures = 0, progress = 0,
         error = NULL, warnings = '[]', remarks = NULL, media_type = NULL, pages = NULL
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, storageKey, name],
    );
  }

  /** How many of the company's newest other contents wait or are being processed. */
  async countWaiting(tx: Transaction, id: string): Promise<number> {
    const [row] = await tx.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (
         SELECT status FROM document_content WHERE company_id = $1 AND id <> $2 ORDER BY id DESC LIMIT $3) newest
       WHERE status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId, id, MAX_LOOKED_AT],
    );
    return row?.waiting ?? 0;
  }

  /** Whether any content's bytes are stored under the key. */
  async usesKey(tx: Transaction, storageKey: string): Promise<boolean> {
    return (await tx.find(DocumentContent, { storageKey })) !== null;
  }

  /**
   * Begins another attempt. An earlier attempt that never reported back counts as a failure. Null: the content is gone or
   * finished.
   */
  async beginAttempt(tx: Transaction, id: string): Promise<DocumentContent | null> {
    const isBegun = await tx.any(
      `UPDATE document_content
       SET attempt = attempt + 1, failures = failures + CASE status WHEN 'PROCESSING' THEN 1 ELSE 0 END,
         status = 'PROCESSING'
       WHERE company_id = $1 AND id = $2 AND status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId, id],
    );
    return isBegun ? this.find(tx, { id }) : null;
  }

  async listUnfinished(tx: Transaction): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM document_content WHERE company_id = $1 AND status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId],
    );
  }

  /** Null: there is a later attempt, or the content is gone. */
  async findAttempt(tx: Transaction, { id, attempt }: Attempt): Promise<DocumentContent | null> {
    return tx.find(DocumentContent, { id, attempt });
  }

  /** Raises the passage count from `from` to `to`, and locks the content. False: the attempt or count has changed. */
  advance(
    tx: Transaction,
    { id, attempt }: Attempt,
    { from, to, progress }: { from: number; to: number; progress: number },
  ): Promise<boolean> {
    return tx.any(
      `UPDATE document_content SET passage_count = $5, progress = GREATEST(progress, $6)
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' AND passage_count = $4`,
      [tx.companyId, id, attempt, from, to, progress],
    );
  }

  /** False: another attempt has the content, or it is not being processed. */
  complete(
    tx: Transaction,
    attempt: Attempt,
    { mediaType, pages, language, warnings }: ReadContent,
  ): Promise<boolean> {
    const read = { mediaType, pages, language, ...remarked({ error: [], warnings }) };
    return this.settle(tx, attempt, { ...read, status: 'COMPLETED', progress: 1 });
  }

  /** False: another attempt has the content, or it is not being processed. */
  fail(
    tx: Transaction,
    attempt: Attempt,
    {
      error,
      mediaType,
      pages,
      warnings,
    }: { error: readonly DocumentRemark[] } & Omit<ReadContent, 'language'>,
  ): Promise<boolean> {
    const read = { mediaType, pages, ...remarked({ error, warnings }) };
    return this.settle(tx, attempt, { ...read, status: 'FAILED', passageCount: 0 });
  }

  /** Leaves it to a later attempt. False: another attempt has it already, or it is not being processed. */
  release(tx: Transaction, attempt: Attempt, { failures }: { failures: number }): Promise<boolean> {
    return this.settle(tx, attempt, { status: 'PENDING', failures });
  }

  private settle(
    tx: Transaction,
    { id, attempt }: Attempt,
    changes: RowPart<DocumentContent>,
  ): Promise<boolean> {
    return tx.update(DocumentContent, { id, attempt, status: 'PROCESSING' }, changes);
  }
}

/** In English as well, for older servers that still run. */
function remarked(given: DocumentRemarks): Pick<DocumentContent, 'error' | 'warnings' | 'remarks'> {
  const remarks = { error: given.error.map(fitting), warnings: given.warnings.map(fitting) };
  const error = remarks.error.map(remarkInEnglish).join(' ');
  return { error: error === '' ? null : error, warnings: remarks.warnings.map(remarkInEnglish), remarks };
}

/** Puts values on one line, without characters that databases refuse. Values come from files, which have both. */
function fitting({ code, values }: DocumentRemark): DocumentRemark {
  const lines = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : singleLine(value, MAX_VALUE_CHARACTERS),
  ]);
  return { code, values: Object.fromEntries(lines) };
}

type NewContent = Pick<DocumentContent, 'id' | 'ownerId' | 'sha256' | 'bytes' | 'storageKey' | 'name'>;
