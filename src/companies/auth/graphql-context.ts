import { setImmediate } from 'node:timers/promises';

import DataLoader from 'dataloader';
import type { ExecutionResult } from 'graphql';

import { AnswerSize, bytesOf } from '../../common/schema/answer-size.js';
import type { Viewer } from './viewer.js';

/** Rows that one statement reads. */
const MAX_BATCH = 100;

/** Sends results of a subscription, of which nothing else is on its way, straight to the client. */
export interface ResultSink {
  /** False: the client has not taken the last one yet, so that the transport has to wait with the next. */
  readonly isReady: boolean;
  take(result: ExecutionResult): void;
}

/** What every resolver of one operation shares. */
export interface GraphQLContext {
  /** Null: not signed in. */
  viewer: Viewer | null;
  loaders: Loaders;
  /** Left out: all results go the transport's way. */
  results?: ResultSink;
  /** The trace that the operation belongs to, as its client says; over HTTP the request's header says it. */
  traceparent?: unknown;
}

/** Identifies one kind of loader. Each operation has one loader for each key. */
export class LoaderKey<Row> {
  private readonly byOperation = new WeakMap<object, DataLoader<string, Row>>();

  /** The loader of `operation`, created when there is none yet. */
  loaderOf(operation: object, create: () => DataLoader<string, Row>): DataLoader<string, Row> {
    const loader = this.byOperation.get(operation) ?? create();
    this.byOperation.set(operation, loader);
    return loader;
  }
}

/** The DataLoaders of one operation: each row is read once, and many ids are read in one statement. */
export class Loaders {
  private operation = {};
  private readFirst: Promise<unknown>[] = [];
  private readAfter: Promise<unknown>[] = [];

  /** How large the operation's answer is so far. */
  readonly size = new AnswerSize();

  /** The operation's loader for `key`, created when there is none yet. */
  of<Row>(
    key: LoaderKey<Row>,
    load: DataLoader.BatchLoadFn<string, Row>,
    { maxBatchSize = MAX_BATCH }: { maxBatchSize?: number } = {},
  ): DataLoader<string, Row> {
    return key.loaderOf(this.operation, () => new DataLoader(this.serialise(load), { maxBatchSize }));
  }

  /**
   * Reads something that is still under way, such as an active turn, consistently with its results, which sibling
   * fields read by `readBetween`. It is read before them (`first`), and when nothing was under way, once more after
   * them (`again`). Otherwise a client could be told that nothing is under way without being shown the result.
   */
  async readAround<Value>(
    first: Promise<Value | null>,
    again: () => Promise<Value | null>,
  ): Promise<Value | null> {
    this.readFirst.push(first);
    const found = await first;
    if (found !== null || this.readAfter.length === 0) return found;
    await Promise.allSettled(this.readAfter);
    return again();
  }

  /** Reads the results that belong to what sibling fields read by `readAround`. */
  readBetween<Value>(read: () => Promise<Value>): Promise<Value> {
    // After setImmediate the resolvers of all sibling fields have begun.
    const value = setImmediate()
      .then(() => Promise.allSettled(this.readFirst))
      .then(read);
    this.readAfter.push(value);
    return value;
  }

  /** Drops all cached rows, so that later fields see what was changed meanwhile. */
  forget(): void {
    this.operation = {};
    this.readFirst = [];
    this.readAfter = [];
  }

  /** Drops cached rows and resets the size: for subscriptions, whose context lives as long as they do. */
  clear(): void {
    this.forget();
    this.size.reset();
  }

  /** Reads batches one after the other, so that none is read once the answer is too large. */
  private serialise<Row>(load: DataLoader.BatchLoadFn<string, Row>): DataLoader.BatchLoadFn<string, Row> {
    let previous: Promise<unknown> = Promise.resolve();
    const read = async (ids: readonly string[]): Promise<ArrayLike<Row | Error>> => {
      this.size.check();
      const rows = await load(ids);
      this.size.addRead(bytesOf(rows));
      return rows;
    };
    return (ids) => {
      const rows = previous.then(() => read(ids));
      previous = rows.catch(() => undefined);
      return rows;
    };
  }
}
