import type DataLoader from 'dataloader';

import type { Viewer } from './viewer.js';

/** What every resolver of one operation shares. */
export interface GraphQLContext {
  /** Null: not signed in. */
  viewer: Viewer | null;
  loaders: Loaders;
}

/** The operation's loaders, made when first asked for: rows are read once, and many ids in one statement. */
export class Loaders {
  private readonly byOwner = new Map<object, DataLoader<string, unknown>>();
  private readonly tallies = new Map<object, number>();

  /** The loader that `owner` made in this operation, or a new one by `create`. */
  of<Row>(owner: object, create: () => DataLoader<string, Row>): DataLoader<string, Row> {
    const found = this.byOwner.get(owner) ?? create();
    this.byOwner.set(owner, found);
    return found as DataLoader<string, Row>;
  }

  /** Adds `count` to what `owner` has shown in this operation, be it the same rows again, and gives the sum. */
  tally(owner: object, count: number): number {
    const sum = (this.tallies.get(owner) ?? 0) + count;
    this.tallies.set(owner, sum);
    return sum;
  }

  /** Forgets them with all that they have read: for a subscription, which would keep it for as long as it lasts. */
  clear(): void {
    this.byOwner.clear();
    this.tallies.clear();
  }
}
