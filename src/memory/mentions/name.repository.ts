import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';
import type { MessageKey } from '@palabre/names';

import { CompanyRow } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Memory } from '../memory.entity.js';
import { isTold } from '../seen-memory.repository.js';

/** A key by which a project or contact in force is found when a message names it. */
@Entity()
@Index('memory_name_key', ['companyId', 'ownerId', 'key', 'memoryId'])
@ForeignKey('Memory', ['companyId', 'memoryId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class MemoryName extends CompanyRow {
  @PrimaryColumn('uuid')
  memoryId!: string;

  /** Made by `keysOf` of @palabre/names. */
  @PrimaryColumn('text')
  key!: string;

  /** The owner of the memory; null: the whole company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;
}

/** How many memories are read for one key, the newest first. */
const MAX_OF_A_KEY = 20;

/** How many memories are read in all, those with the highest sum of weights first. */
const MAX_FOUND = 60;

@Injectable()
export class NameRepository {
  async insert(
    tx: Transaction,
    memory: Pick<Memory, 'id' | 'ownerId'>,
    keys: readonly string[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO memory_name (company_id, memory_id, key, owner_id)
       SELECT $1, $2, key, $3 FROM unnest($4::text[]) AS key ON CONFLICT DO NOTHING`,
      [tx.companyId, memory.id, memory.ownerId, keys],
    );
  }

  async delete(tx: Transaction, memoryId: string): Promise<void> {
    await tx.delete(MemoryName, { memoryId });
  }

  /** The member's own and shared memories in force that are stored under one of the keys. */
  async find(tx: Transaction, memberId: string, keys: readonly MessageKey[]): Promise<Memory[]> {
    const found = await tx.select(
      Memory,
      // One lookup per key and owner, in the order of the index, so that the planner never scans or sorts. Superseded
      // memories are filtered below: a condition here could make the planner choose another index.
      `company_id = $1 AND id = ANY (ARRAY(
         SELECT found.memory_id FROM unnest($3::text[], $4::int[]) AS wanted (key, weight)
         CROSS JOIN LATERAL (
           (SELECT memory_id FROM memory_name WHERE company_id = $1 AND owner_id = $2 AND key = wanted.key
            ORDER BY owner_id DESC, key DESC, memory_id DESC LIMIT $5)
           UNION ALL
           (SELECT memory_id FROM memory_name WHERE company_id = $1 AND owner_id IS NULL AND key = wanted.key
            ORDER BY owner_id DESC, key DESC, memory_id DESC LIMIT $5)) AS found
         GROUP BY found.memory_id ORDER BY sum(wanted.weight) DESC, found.memory_id DESC LIMIT $6)) AND ${isTold}`,
      [
        tx.companyId,
        memberId,
        keys.map(({ key }) => key),
        keys.map(({ weight }) => weight),
        MAX_OF_A_KEY,
        MAX_FOUND,
      ],
    );
    return found.filter(
      ({ supersededBy, ownerId }) => supersededBy === null && (ownerId === null || ownerId === memberId),
    );
  }
}
