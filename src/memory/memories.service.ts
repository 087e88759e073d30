import { Injectable, type OnModuleInit } from '@nestjs/common';

import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { memberLeaving } from '../companies/companies.events.js';
import { EXPORT_PAGE, type MemberAddress, MemberData, pageById } from '../companies/members/member-data.js';
import { Database } from '../platform/database/database.js';
import { retryOnDeadlock } from '../platform/database/retry-on-deadlock.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { MemoryWriter, type NewMemory, type Noter, type Revision } from './memory-writer.service.js';
import { type Memory, type MemoryKind, memoryKinds } from './memory.entity.js';
import { MemoryRepository } from './memory.repository.js';
import { memoryOrder, SeenMemoryRepository } from './seen-memory.repository.js';

export const MAX_HISTORY = 20;

/** Memories for the API. A viewer only sees and changes their own and the shared ones. */
@Injectable()
export class MemoriesService {
  constructor(
    private readonly database: Database,
    private readonly memories: MemoryRepository,
    private readonly seen: SeenMemoryRepository,
    private readonly writer: MemoryWriter,
  ) {}

  async find(viewer: Viewer, id: string): Promise<Memory | null> {
    if (!isId(id)) return null;
    const found = await this.database.read(viewer.companyId, (tx) => this.seen.findMany(tx, viewer.id, [id]));
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
    return this.database.read(viewer.companyId, (tx) => this.seen.list(tx, viewer.id, filter, request));
  }

  /** The earlier versions of each of these, newest first, at most MAX_HISTORY. The viewer must have access to them. */
  async listHistories(viewer: Viewer, ids: readonly string[]): Promise<Memory[][]> {
    const histories = await this.database.read(viewer.companyId, (tx) =>
      this.memories.listBefore(tx, ids, MAX_HISTORY),
    );
    return ids.map((id) => histories.get(id) ?? []);
  }

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

  update(
    viewer: Viewer,
    id: string,
    { content, attributes }: Pick<Revision, 'content' | 'attributes'>,
  ): Promise<Memory> {
    return this.database.transaction(viewer.companyId, (tx) =>
      this.writer.revise(tx, noterOf(viewer), id, { content, attributes }),
    );
  }

  async forget(viewer: Viewer, id: string): Promise<void> {
    // Forgetting also locks messages and traces of turns, which turns lock in another order.
    await retryOnDeadlock(() =>
      this.database.transaction(viewer.companyId, (tx) => this.writer.forget(tx, noterOf(viewer), id)),
    );
  }
}

function noterOf({ id, role }: Viewer): Noter {
  return { memberId: id, role };
}

/** How many memories one transaction deletes, with their names and index entries. */
const DELETED_AT_ONCE = 2_000;

/** Shared memories that they noted stay, without their id. */
@Injectable()
export class MemberMemories implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly events: DomainEvents,
    private readonly database: Database,
    private readonly memories: MemoryRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('memories', async (tx, memberId, after) =>
      pageById(await this.memories.listOwn(tx, memberId, memoryKinds, after, EXPORT_PAGE), [
        ...(['id', 'kind', 'subject', 'content', 'attributes', 'source'] as const),
        ...(['sourceMessageId', 'validFrom', 'supersededBy', 'createdAt'] as const),
      ]),
    );
    this.data.onClearance((member, signal) => this.clear(member, signal));
    this.events.on(memberLeaving, (tx, memberId) => this.memories.anonymizeShared(tx, memberId));
  }

  private async clear({ companyId, id }: MemberAddress, signal: AbortSignal): Promise<void> {
    let count: number;
    do {
      signal.throwIfAborted();
      count = await this.database.transaction(companyId, (tx) =>
        this.memories.deleteOwn(tx, id, DELETED_AT_ONCE),
      );
    } while (count > 0);
  }
}
