import { setImmediate } from 'node:timers/promises';

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
  private ahead: Promise<unknown>[] = [];
  private between: Promise<unknown>[] = [];
  private readonly tallies = new Map<object, number>();

  /** The loader that was made under `key` in this operation, or a new one by `create`. */
  of<Row>(key: LoaderKey<Row>, create: () => DataLoader<string, Row>): DataLoader<string, Row> {
    return key.loaderOf(this.operation, create);
  }

  /**
   * For what tells whether there is more to come: it is read `ahead` of what the fields beside it read between, and
   * again `behind` it where nothing was. Read at any other moment, it could say that nothing is to come, and what has
   * come would not be shown yet.
   */
  async readAround<Value>(
    ahead: Promise<Value | null>,
    behind: () => Promise<Value | null>,
  ): Promise<Value | null> {
    this.ahead.push(ahead);
    const found = await ahead;
    if (found !== null || this.between.length === 0) return found;
    await Promise.allSettled(this.between);
    return behind();
  }

  /** For what is whole only together with what is read around it. */
  readBetween<Value>(read: () => Promise<Value>): Promise<Value> {
    // By then the fields beside this one have been asked for.
    const value = setImmediate()
      .then(() => Promise.allSettled(this.ahead))
      .then(read);
    this.between.push(value);
    return value;
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
    this.ahead = [];
    this.between = [];
  }

  /** The same with what was counted: for a subscription, which would keep it for as long as it lasts. */
  clear(): void {
    this.forget();
    this.tallies.clear();
  }
}
