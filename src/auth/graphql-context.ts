import type DataLoader from 'dataloader';

import type { Viewer } from './viewer.js';

/** What every resolver of one operation shares. */
export interface GraphQLContext {
  /** Null: not signed in. */
  viewer: Viewer | null;
  loaders: Loaders;
}

/** Under what a loader of rows is found again in one operation: one for each kind of loader, made once. */
export class LoaderKey<Row> {
  private readonly byOperation = new WeakMap<object, DataLoader<string, Row>>();

  /** The loader that was made for `operation`, or a new one by `create`. */
  loaderOf(operation: object, create: () => DataLoader<string, Row>): DataLoader<string, Row> {
    const loader = this.byOperation.get(operation) ?? create();
    this.byOperation.set(operation, loader);
    return loader;
  }
}

/** The operation's loaders, made when first asked for: rows are read once, and many ids in one statement. */
export class Loaders {
  private operation = {};
  private readonly tallies = new Map<object, number>();

  /** The loader that was made under `key` in this operation, or a new one by `create`. */
  of<Row>(key: LoaderKey<Row>, create: () => DataLoader<string, Row>): DataLoader<string, Row> {
    return key.loaderOf(this.operation, create);
  }

  /** Adds `count` to what `owner` has shown in this operation, be it the same rows again, and gives the sum. */
  tally(owner: object, count: number): number {
    const sum = (this.tallies.get(owner) ?? 0) + count;
    this.tallies.set(owner, sum);
    return sum;
  }

  /** Forgets what they have read: what comes next is to see what was done meanwhile. */
  forget(): void {
    this.operation = {};
  }

  /** The same with what was counted: for a subscription, which would keep it for as long as it lasts. */
  clear(): void {
    this.forget();
    this.tallies.clear();
  }
}
