import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { CompanyRow } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';

/** A text that many prompts of a member share, such as a system message or a list of tools: stored once. */
@Entity()
@Index('prompt_text_used', ['usedOn'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class PromptText extends CompanyRow {
  @PrimaryColumn('uuid')
  memberId!: string;

  /** SHA-256 of the content, base64url. */
  @PrimaryColumn('text')
  digest!: string;

  @Column('text')
  content!: string;

  /** The last day (UTC) on which a call used it. */
  @Column('date')
  usedOn!: string;
}

/** A text that prompts of a member share. */
export interface UsedText {
  companyId: string;
  memberId: string;
  digest: string;
  content: string;
}

const REMEMBERED = 50_000;

@Injectable()
export class PromptTextRepository {
  /** Texts that this process knows to be stored today; they need no statement. */
  private readonly stored = new LRUCache<string, true>({ max: REMEMBERED });

  /** Marks them as used on the day of `at`. `condition`: SQL about the turns that used them. */
  async keep(
    tx: Transaction,
    texts: readonly (UsedText & { turnId: string })[],
    at: Date,
    condition: string,
  ): Promise<void> {
    const usedOn = at.toISOString().slice(0, 10);
    const keyOf = ({ companyId, memberId, digest }: UsedText): string =>
      `${companyId} ${memberId} ${digest} ${usedOn}`;
    const missing = texts.filter((text) => !this.stored.has(keyOf(text)));
    if (missing.length === 0) return;
    const used = await tx.query<{ turn_id: string }>(
      `WITH text AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[])
           AS text (turn_id, company_id, member_id, digest, content) WHERE ${condition}),
       added AS (
         INSERT INTO prompt_text AS kept (company_id, member_id, digest, content, used_on)
         -- In the same order everywhere, or two replicas would deadlock.
         SELECT DISTINCT ON (company_id, member_id, digest) company_id, member_id, digest, content, $6::date
         FROM text ORDER BY company_id, member_id, digest
         ON CONFLICT (company_id, member_id, digest) DO UPDATE SET used_on = excluded.used_on
         WHERE kept.used_on < excluded.used_on)
       SELECT DISTINCT turn_id FROM text`,
      [
        missing.map(({ turnId }) => turnId),
        missing.map(({ companyId }) => companyId),
        missing.map(({ memberId }) => memberId),
        missing.map(({ digest }) => digest),
        missing.map(({ content }) => content),
        usedOn,
      ],
    );
    const turnIds = new Set(used.map(({ turn_id: id }) => id));
    tx.afterCommit(() => {
      for (const text of missing) if (turnIds.has(text.turnId)) this.stored.set(keyOf(text), true);
    });
  }

  /** By digest. */
  async find(tx: Transaction, digests: readonly string[]): Promise<Map<string, string>> {
    if (digests.length === 0) return new Map();
    const rows = await tx.query<{ digest: string; content: string }>(
      'SELECT digest, content FROM prompt_text WHERE company_id = $1 AND digest = ANY ($2)',
      [tx.companyId, digests],
    );
    return new Map(rows.map(({ digest, content }) => [digest, content]));
  }

  /** Texts of a member, or (null) the whole company, that were used since and have a needle, by member and digest. */
  listWith(
    tx: Transaction,
    request: {
      memberId: string | null;
      since: Date;
      needles: readonly string[];
      after: Pick<UsedText, 'memberId' | 'digest'> | null;
      limit: number;
    },
  ): Promise<Omit<UsedText, 'companyId'>[]> {
    const { memberId, since, needles, after, limit } = request;
    return tx.query(
      `SELECT member_id AS "memberId", digest, content FROM prompt_text
       WHERE company_id = $1 AND ($2::uuid IS NULL OR member_id = $2) AND used_on >= $3
         AND ($4::uuid IS NULL OR (member_id, digest) > ($4, $5))
         AND EXISTS (SELECT FROM unnest($6::text[]) AS needle WHERE position(needle IN content) > 0)
       ORDER BY member_id, digest LIMIT $7`,
      [
        tx.companyId,
        memberId,
        since.toISOString().slice(0, 10),
        after?.memberId ?? null,
        after?.digest ?? null,
        needles,
        limit,
      ],
    );
  }

  /** Replaces the content behind a digest: calls that refer to it then show the new one. */
  async replace(tx: Transaction, { memberId, digest, content }: Omit<UsedText, 'companyId'>): Promise<void> {
    await tx.update(PromptText, { memberId, digest }, { content });
  }

  /** Removes texts of all companies that were last used before `day`, such as `2026-01-31`. */
  async removeUnused(tx: Transaction, day: string): Promise<void> {
    await tx.query('DELETE FROM prompt_text WHERE used_on < $1', [day]);
  }
}
