import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import { Database } from '../database/database.js';
import { despiteDeadlock } from '../database/despite-deadlock.js';
import { type Memory, type MemoryKind, memoryKinds } from './memory.entity.js';
import { memoryOrder, MemoryRepository } from './memory.repository.js';
import { MemoryWriter, type NewMemory, type Noter, type Revision } from './memory-writer.service.js';

export const LONGEST_HISTORY = 20;

/** Memories as a viewer sees and corrects them: their own and the shared ones. Nobody else's exist for them. */
@Injectable()
export class MemoriesService {
  constructor(
    private readonly database: Database,
    private readonly memories: MemoryRepository,
    private readonly writer: MemoryWriter,
  ) {}

  async find(viewer: Viewer, id: string): Promise<Memory | null> {
    if (!isId(id)) return null;
    const found = await this.database.read(viewer.companyId, (tx) =>
      this.memories.findMany(tx, viewer.id, [id]),
    );
    return found[0] ?? null;
  }

  /** The newest first. `kind` null: of all kinds; `active` null: in force or not. */
  list(
    viewer: Viewer,
    page: ForwardPageArguments,
    { kind, active }: { kind: MemoryKind | null; active: boolean | null },
  ): Promise<Page<Memory>> {
    const request = pageRequest(page, memoryOrder);
    const filter = { kinds: kind === null ? memoryKinds : [kind], active };
    return this.database.read(viewer.companyId, (tx) => this.memories.list(tx, viewer.id, filter, request));
  }

  /** What came before each of these versions, which the viewer has been given: the newest first, at most LONGEST_HISTORY. */
  async listHistories(viewer: Viewer, ids: readonly string[]): Promise<Memory[][]> {
    const histories = await this.database.read(viewer.companyId, (tx) =>
      this.memories.listBefore(tx, ids, LONGEST_HISTORY),
    );
    return ids.map((id) => histories.get(id) ?? []);
  }

  /** Rejects with BAD_USER_INPUT, FORBIDDEN or CONFLICT. */
  async remember(
    viewer: Viewer,
    memory: Omit<NewMemory, 'source' | 'sourceMessageId' | 'validFrom'>,
  ): Promise<Memory> {
    const told: NewMemory = { ...memory, source: 'MEMBER', sourceMessageId: null };
    const noted = await this.database.transaction(viewer.companyId, (tx) =>
      this.writer.note(tx, noterOf(viewer), told),
    );
    return noted.memory;
  }

  /** Rejects with NOT_FOUND, FORBIDDEN, BAD_USER_INPUT or CONFLICT. */
  update(
    viewer: Viewer,
    id: string,
    { content, attributes }: Pick<Revision, 'content' | 'attributes'>,
  ): Promise<Memory> {
    return this.database.transaction(viewer.companyId, (tx) =>
      this.writer.revise(tx, noterOf(viewer), id, { content, attributes }),
    );
  }

  /** Rejects with NOT_FOUND or FORBIDDEN. */
  async forget(viewer: Viewer, id: string): Promise<void> {
    // It also holds what it was learned from and what it was told in, which turns write in an order of their own.
    await despiteDeadlock(() =>
      this.database.transaction(viewer.companyId, (tx) => this.writer.forget(tx, noterOf(viewer), id)),
    );
  }
}

const noterOf = ({ id, role }: Viewer): Noter => ({ memberId: id, role });
