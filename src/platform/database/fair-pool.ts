import { FairSemaphore } from '@palabre/async';
import type pg from 'pg';

/**
 * Lends the connections of a pool. Companies that wait take turns, and none has all connections: otherwise one that
 * sends many statements at once makes each statement of the others wait for all of them.
 */
export class FairPool {
  private readonly places: FairSemaphore;

  /** `connect` takes a connection of a pool that has `size` of them. `maxWaitMs` null: as long as it takes. */
  constructor(
    size: number,
    private readonly maxWaitMs: number | null,
    private readonly connect: () => Promise<pg.PoolClient>,
  ) {
    this.places = new FairSemaphore({ all: size }, Infinity, () => new Error('Too many wait.'));
  }

  get waitingCount(): number {
    return this.places.waitingCount;
  }

  /** Rejects with a TimeoutError after `maxWaitMs` in line, and as `connect` does. */
  async take(companyId: string): Promise<pg.PoolClient> {
    const { places, maxWaitMs } = this;
    const mayWait = maxWaitMs !== null && !places.mayRun(companyId);
    await places.enter(companyId, mayWait ? AbortSignal.timeout(maxWaitMs) : undefined);
    try {
      const client = await this.connect();
      const release = client.release.bind(client);
      // The pool sets `release` for each loan too.
      client.release = (error) => {
        release(error);
        places.leave(companyId);
      };
      return client;
    } catch (error) {
      places.leave(companyId);
      throw error;
    }
  }
}
