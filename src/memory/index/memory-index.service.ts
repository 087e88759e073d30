import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { SearchIndex } from '../../search/search-index.service.js';
import type { SearchScope } from '../../search/search.js';
import { MemoryMentions } from '../mentions/mentions.service.js';
import type { Memory } from '../memory.entity.js';
import { textOf } from './memory-text.js';
import { MemoryRepository } from '../memory.repository.js';

/** Keeps what memories are found by in step with those that are in force: by words, and by name. */
@Injectable()
export class MemoryIndex {
  constructor(
    private readonly memories: MemoryRepository,
    private readonly search: SearchIndex,
    private readonly mentions: MemoryMentions,
  ) {}

  /** Has `memory` found, in the place of `superseded` if there is one. */
  async put(tx: Transaction, memory: Memory, superseded: Memory | null): Promise<void> {
    await together([
      this.putWords(tx, memory, superseded),
      ...(superseded && hasName(superseded) ? [this.mentions.remove(tx, superseded.id)] : []),
      ...(hasName(memory) ? [this.mentions.put(tx, memory)] : []),
    ]);
  }

  /** Has it found no more. Its names go with its row. */
  remove(tx: Transaction, memory: Memory): Promise<void> {
    return this.search.remove(tx, scopeOf(memory), [memory.id]);
  }

  /** What memories are found by, by id, whoever's they are. */
  async readTexts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.memories.findAll(tx, ids);
    return new Map(found.map((memory) => [memory.id, textOf(memory)]));
  }

  /** One after the other: each of them counts what the scope holds. */
  private async putWords(tx: Transaction, memory: Memory, superseded: Memory | null): Promise<void> {
    const scope = scopeOf(memory);
    if (superseded) await this.search.remove(tx, scope, [superseded.id]);
    await this.search.put(tx, scope, [{ id: memory.id, groupId: null, text: textOf(memory) }]);
  }
}

const hasName = ({ kind }: Memory): boolean => kind === 'PROJECT' || kind === 'CONTACT';

const scopeOf = ({ ownerId }: Memory): SearchScope => ({ collection: 'MEMORY', ownerId });
