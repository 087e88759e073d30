import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@palabre/json';

import { SearchIndex } from '../documents/search-index/search-index.service.js';
import type { SearchScope } from '../documents/search-index/search.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import type { Memory } from './memory.entity.js';
import { MemoryRepository } from './memory.repository.js';
import { MemoryMentions } from './mentions/mentions.service.js';

@Injectable()
export class MemoryIndex {
  constructor(
    private readonly memories: MemoryRepository,
    private readonly search: SearchIndex,
    private readonly mentions: MemoryMentions,
  ) {}

  async put(tx: Transaction, memory: Memory, superseded: Memory | null): Promise<void> {
    await awaitAll([
      this.putWords(tx, memory, superseded),
      ...(superseded && hasName(superseded) ? [this.mentions.remove(tx, superseded.id)] : []),
      ...(hasName(memory) ? [this.mentions.put(tx, memory)] : []),
    ]);
  }

  /** Removes it from the search index. A foreign key deletes its names. */
  remove(tx: Transaction, memory: Memory): Promise<void> {
    return this.search.remove(tx, scopeOf(memory), [memory.id]);
  }

  /** The indexed texts of memories of any owner, by id. */
  async readTexts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.memories.list(tx, { id: ids });
    return new Map(found.map((memory) => [memory.id, textOf(memory)]));
  }

  /** One after the other: each updates the counts of its scope. */
  private async putWords(tx: Transaction, memory: Memory, superseded: Memory | null): Promise<void> {
    const scope = scopeOf(memory);
    if (superseded) await this.search.remove(tx, scope, [superseded.id]);
    await this.search.put(tx, scope, [{ id: memory.id, groupId: null, text: textOf(memory) }]);
  }
}

function hasName({ kind }: Memory): boolean {
  return kind === 'PROJECT' || kind === 'CONTACT';
}

/** The search scopes of a member: their own memories, and the shared ones. */
export function memoryScopesOf(memberId: string): SearchScope[] {
  return [
    { collection: 'MEMORY', ownerId: memberId },
    { collection: 'MEMORY', ownerId: null },
  ];
}

function scopeOf({ ownerId }: Memory): SearchScope {
  return { collection: 'MEMORY', ownerId };
}

export function textOf({
  subject,
  content,
  attributes,
}: Pick<Memory, 'subject' | 'content' | 'attributes'>): string {
  return [subject, content, ...Object.values(attributes).flatMap(wordsOf)].join('\n');
}

function wordsOf(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
