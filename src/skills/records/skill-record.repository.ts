import type { RecordSource } from '@palabre/plugin';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
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

  /** The subject within the kind, such as a year. Empty: the only one. */
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

  /** The author. Null: erased. */
  @Column('uuid', { nullable: true })
  memberId!: string | null;

  /** The conversation of its creation, which may be deleted. */
  @Column('uuid')
  conversationId!: string;

  /** The skill call of its creation. */
  @Column('uuid')
  callId!: string;
}

export const skillRecordOrder = { ...newestFirst('skill-records'), longTexts: ['content'] };

type RecordSubject = Pick<SkillRecord, 'kind' | 'subject'>;

@Injectable()
export class SkillRecordRepository extends rowsOf(SkillRecord) {
  findNewest(tx: Transaction, { kind, subject }: RecordSubject): Promise<SkillRecord | null> {
    return tx.find(SkillRecord, { kind, subject }, 'ORDER BY version DESC');
  }

  /** The previous version. */
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
  listPage(
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

  async countSubjects(tx: Transaction, kind: string): Promise<number> {
    const [row] = await tx.query<{ subjects: number }>(
      'SELECT count(DISTINCT subject)::integer AS subjects FROM skill_record WHERE company_id = $1 AND kind = $2',
      [tx.companyId, kind],
    );
    return row?.subjects ?? 0;
  }

  /** False: another call added this version first. */
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
