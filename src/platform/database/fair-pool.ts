import { FairSemaphore } from '@palabre/async';
import type pg from 'pg';

import { DomainError } from '../../common/errors/domain-error.js';

/**
 * Lends the connections of a pool to transactions. Companies that wait take turns, and none has all connections:
 * otherwise one that sends many statements at once makes each statement of the others wait for all of them.
 */
export class FairPool {
  private readonly places: FairSemaphore;

  /** `connect` takes a connection of a pool that has `size` of them. `maxWaitMs` null: as long as it takes. */
  constructor(
    size: number,
    private readonly maxWaitMs: number | null,
    private readonly connect: () => Promise<pg.PoolClient>,
  ) {
    this.places = new FairSemaphore({ all: size }, Infinity, () => new Error('Nobody is refused.'));
  }

  get waitingCount(): number {
    return this.places.waitingCount;
  }

  /** Rejects with UNAVAILABLE after `maxWaitMs` in line, and as `connect` does. `key`: the company, or who else asks. */
  async take(key: string): Promise<pg.PoolClient> {
    await this.enter(key);
    try {
      const client = await this.connect();
      const release = client.release.bind(client);
      // The pool sets `release` for each loan too.
      client.release = (error) => {
        release(error);
        this.places.leave(key);
      };
      return client;
    } catch (error) {
      this.places.leave(key);
      throw error;
    }
  }

  private async enter(key: string): Promise<void> {
    const { places, maxWaitMs } = this;
    const mayWait = maxWaitMs !== null && !places.mayRun(key);
    try {
      await places.enter(key, mayWait ? AbortSignal.timeout(maxWaitMs) : undefined);
    } catch (cause) {
      throw new DomainError('UNAVAILABLE', 'The database is busy just now. Please try again.', {}, { cause });
    }
  }
}
