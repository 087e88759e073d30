import { setImmediate } from 'node:timers/promises';

import DataLoader from 'dataloader';
import type { ExecutionResult } from 'graphql';

import { DomainError } from '../../common/errors/domain-error.js';
import { AnswerSize, bytesOf } from '../../common/schema/answer-size.js';
import type { Viewer } from './viewer.js';

/** The most rows that one statement reads. */
const MAX_BATCH = 100;

/** Sends the results of a subscription directly to the client, if nothing else is on the way. */
export interface ResultSink {
  /** False: the client has not taken the last result yet, so the transport must wait. */
  readonly isReady: boolean;
  take(result: ExecutionResult): void;
}

/** The state that all resolvers of an operation share. */
export interface GraphQLContext {
  /** Null: not signed in. */
  viewer: Viewer | null;
  loaders: Loaders;
  /** Adds a header set-cookie to the answer. Absent: the transport has none. */
  setCookie?: (cookie: string) => void;
  /** Absent: all results go through the transport. */
  results?: ResultSink;
  /** The operation's trace according to the client. Over HTTP the request's header has it. */
  traceparent?: unknown;
}

/** Throws UNAUTHENTICATED when nobody is signed in. */
export function requireViewer(viewer: Viewer | null): Viewer {
  if (!viewer)
    throw new DomainError('UNAUTHENTICATED', 'Sign in first: send a token as Authorization: Bearer.');
  return viewer;
}

/** A service's method that reads many rows for a viewer. */
type Reading<Service, Row> = (this: Service, viewer: Viewer, ids: readonly string[]) => Promise<Row[]>;

/** The DataLoaders of one operation: each row is read once, and many ids are read in one statement. */
export class Loaders {
  private made = new WeakMap<object, DataLoader<string, unknown>>();
  private afterwards: Loaders | null = null;
  private readFirst: Promise<unknown>[] = [];
  private readAfter: Promise<unknown>[] = [];

  /** `size`: the size of the operation's answer so far. */
  constructor(
    private readonly asker: Viewer | null,
    readonly size = new AnswerSize(),
  ) {}

  /** Throws UNAUTHENTICATED when nobody is signed in. */
  get viewer(): Viewer {
    return requireViewer(this.asker);
  }

  /** The row of this id. `read` leaves out missing rows. */
  one<Service, Row extends { id: string }>(
    service: Service,
    read: Reading<Service, Row>,
    id: string,
  ): Promise<Row | null> {
    return this.of<Row | null>(read, async (ids) => {
      const byId = new Map((await read.call(service, this.viewer, ids)).map((row) => [row.id, row]));
      return ids.map((each) => byId.get(each) ?? null);
    }).load(id);
  }

  /** The result for this id. `read` answers in the order of the ids. */
  each<Service, Row>(
    service: Service,
    read: Reading<Service, Row>,
    id: string,
    maxBatchSize = MAX_BATCH,
  ): Promise<Row> {
    return this.of(read, (ids) => read.call(service, this.viewer, ids), maxBatchSize).load(id);
  }

  /** The rows whose `key` is this id. */
  many<Service, Key extends string, Row extends Record<Key, string | null>>(
    service: Service,
    read: Reading<Service, Row>,
    key: Key,
    id: string,
  ): Promise<Row[]> {
    return this.of<Row[]>(read, async (ids) => {
      const byKey = Map.groupBy(await read.call(service, this.viewer, ids), (row): string | null => row[key]);
      return ids.map((each) => byKey.get(each) ?? []);
    }).load(id);
  }

  /** The operation's loader for `key`, made when there is none yet. */
  of<Row>(key: object, load: DataLoader.BatchLoadFn<string, Row>, maxBatchSize = MAX_BATCH) {
    const loader =
      this.made.get(key) ?? new DataLoader<string, unknown>(this.serialise(load), { maxBatchSize });
    this.made.set(key, loader);
    return loader as DataLoader<string, Row>;
  }

  /**
   * Reads something that is still running, such as an active turn, consistently with results that sibling fields read
   * by `readBetween`: before them, and if nothing was running, again after them. Otherwise a client could see neither
   * the running turn nor its result.
   */
  async readAround<Value>(read: (loaders: Loaders) => Promise<Value | null>): Promise<Value | null> {
    const first = read(this);
    this.readFirst.push(first);
    const found = await first;
    if (found !== null || this.readAfter.length === 0) return found;
    await Promise.allSettled(this.readAfter);
    this.afterwards ??= new Loaders(this.asker, this.size);
    return read(this.afterwards);
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

  /** Drops all cached rows, so that later fields see changes. */
  forget(): void {
    this.made = new WeakMap();
    this.afterwards = null;
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
