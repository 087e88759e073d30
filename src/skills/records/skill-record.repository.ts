import type { RecordSource } from '@palabre/plugin';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import { CreatedRow } from '../../platform/database/rows.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';

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

export const skillRecordOrder = { ...newestFirst('skill-records'), longTexts: ['content'] };

/** A kind, and what of it a record is about. */
export type RecordSubject = Pick<SkillRecord, 'kind' | 'subject'>;

@Injectable()
export class SkillRecordRepository {
  find(tx: Transaction, id: string): Promise<SkillRecord | null> {
    return tx.find(SkillRecord, { id });
  }

  findNewest(tx: Transaction, { kind, subject }: RecordSubject): Promise<SkillRecord | null> {
    return tx.find(SkillRecord, { kind, subject }, 'ORDER BY version DESC');
  }

  /** The version before that one. */
  findBefore(
    tx: Transaction,
    { kind, subject, version }: Pick<SkillRecord, 'kind' | 'subject' | 'version'>,
  ): Promise<SkillRecord | null> {
    return tx.selectOne(
      SkillRecord,
      'company_id = $1 AND kind = $2 AND subject = $3 AND version < $4 ORDER BY version DESC',
      [tx.companyId, kind, subject, version],
    );
  }

  /** The newest version of the subject that was changed last. */
  findLatest(tx: Transaction, kind: string): Promise<SkillRecord | null> {
    return tx.find(SkillRecord, { kind }, 'ORDER BY id DESC');
  }

  /** The newest version of each subject, or all versions of one. */
  list(
    tx: Transaction,
    { kind, subject }: { kind: string; subject: string | null },
    request: PageRequest,
  ): Promise<Page<SkillRecord>> {
    const query = tx
      .repository(SkillRecord)
      .createQueryBuilder('record')
      .where({ companyId: tx.companyId, kind, ...(subject !== null && { subject }) });
    if (subject === null)
      query.andWhere(
        `NOT EXISTS (SELECT FROM skill_record newer WHERE newer.company_id = record.company_id
           AND newer.kind = record.kind AND newer.subject = record.subject AND newer.version > record.version)`,
      );
    return readPage(query, skillRecordOrder, request);
  }

  /** Those of a member in the order of their ids, from the first when `after` is null. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<SkillRecord[]> {
    return tx.listAfter(SkillRecord, { memberId }, after, limit);
  }

  async countSubjects(tx: Transaction, kind: string): Promise<number> {
    const [row] = await tx.query<{ subjects: number }>(
      'SELECT count(DISTINCT subject)::integer AS subjects FROM skill_record WHERE company_id = $1 AND kind = $2',
      [tx.companyId, kind],
    );
    return row?.subjects ?? 0;
  }

  /** False: somebody else has added this version meanwhile. */
  add(tx: Transaction, record: SkillRecord): Promise<boolean> {
    return tx.insert(SkillRecord, record, 'ON CONFLICT (company_id, kind, subject, version) DO NOTHING');
  }

  /** Deletes all versions of a subject up to one. */
  async deleteUpTo(tx: Transaction, { kind, subject }: RecordSubject, version: number): Promise<void> {
    await tx.query(
      'DELETE FROM skill_record WHERE company_id = $1 AND kind = $2 AND subject = $3 AND version <= $4',
      [tx.companyId, kind, subject, version],
    );
  }
}
