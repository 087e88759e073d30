import { Injectable, type OnModuleInit } from '@nestjs/common';

import {
  EXPORT_PAGE,
  type MemberAddress,
  MemberData,
  pageById,
} from '../companies/member-data/member-data.js';
import { Database } from '../database/database.js';
import { MemberMemoryRepository } from './member-memory.repository.js';
import { MemoryReader } from './memory-reader.service.js';

/** So many are removed in one transaction, with the names and the places in the index that go with them. */
const AT_ONCE = 2_000;

/** A member's own memories, in an export and in the end; what they noted for the company stays without them. */
@Injectable()
export class MemberMemories implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly database: Database,
    private readonly reader: MemoryReader,
    private readonly memories: MemberMemoryRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('memories', async (tx, memberId, after) =>
      pageById(await this.reader.exportOf(tx, memberId, after, EXPORT_PAGE), (memory) => ({
        id: memory.id,
        kind: memory.kind,
        subject: memory.subject,
        content: memory.content,
        attributes: memory.attributes,
        source: memory.source,
        sourceMessageId: memory.sourceMessageId,
        validFrom: memory.validFrom.toISOString(),
        supersededBy: memory.supersededBy,
        createdAt: memory.createdAt.toISOString(),
      })),
    );
    this.data.onClearance((member, signal) => this.clear(member, signal));
    this.data.onLeaving((tx, memberId) => this.memories.leaveShared(tx, memberId));
  }

  private async clear({ companyId, id }: MemberAddress, signal: AbortSignal): Promise<void> {
    let count: number;
    do {
      signal.throwIfAborted();
      count = await this.database.transaction(companyId, (tx) => this.memories.deleteSome(tx, id, AT_ONCE));
    } while (count > 0);
  }
}
