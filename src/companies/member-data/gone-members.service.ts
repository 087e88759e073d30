import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { MEMBER_GONE } from '../members/remembered-members.js';
import { MemberDataRepository } from './member-data.repository.js';

type Watched = Pick<Viewer, 'id' | 'companyId'>;

interface Watch extends Watched {
  act: () => void;
}

/** Tells those who still serve a member that there is no such member any more, on whichever replica that was decided. */
@Injectable()
export class GoneMembers implements OnApplicationShutdown {
  private readonly watches = new Map<string, Set<Watch>>();
  private readonly stops: (() => void)[];

  constructor(
    private readonly database: Database,
    private readonly rows: MemberDataRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    pubSub: PubSub,
  ) {
    this.stops = [
      pubSub.subscribe(MEMBER_GONE, (id) => this.tell(id)),
      // What other replicas said meanwhile was not heard.
      pubSub.onGap(() => void this.lookAt([...this.watches.values()].flatMap(([watch]) => watch ?? []))),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /**
   * Calls `act` once nobody is this member, also where that is so already, unless the function that it gives is called
   * before.
   */
  watch({ id, companyId }: Watched, act: () => void): () => void {
    const watch: Watch = { id, companyId, act };
    const others = this.watches.get(id) ?? new Set();
    this.watches.set(id, others.add(watch));
    // That nobody is may have been told between the viewer's sign-in and now.
    void this.lookAt([watch]);
    return () => {
      others.delete(watch);
      if (others.size === 0 && this.watches.get(id) === others) this.watches.delete(id);
    };
  }

  private tell(id: string): void {
    const told = this.watches.get(id) ?? [];
    this.watches.delete(id);
    for (const { act } of told) act();
  }

  /** Tells of those of them who are nobody any more. */
  private async lookAt(watched: readonly Watched[]): Promise<void> {
    try {
      for (const [companyId, members] of Map.groupBy(watched, (each) => each.companyId)) {
        const ids = members.map(({ id }) => id);
        const there = await this.database.read(companyId, (tx) => this.rows.listThere(tx, ids));
        for (const id of ids) if (!there.has(id)) this.tell(id);
      }
    } catch (err) {
      this.logger.warn({ err }, 'members not looked at');
    }
  }
}
