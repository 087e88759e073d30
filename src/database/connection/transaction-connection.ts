import type pg from 'pg';

import { isReadOnlyFailure } from '../connection-failure.js';
import { guardedQuery } from './guarded-query.js';
import { together } from '../together.js';

/**
 * A connection for the time of one transaction, to be used in place of the connection itself: no statement gets
 * through that would run before the transaction is open or after it has ended.
 *
 * Nobody waits for the opening. On a pipelined connection the first statements are sent right behind it, and fail if
 * it fails; on any other, one statement is sent when the one before it is answered.
 */
export class TransactionConnection {
  private readonly opened: Promise<unknown>;
  private isOpen = false;
  private isOver = false;
  private isReadOnly = false;
  /** Settled when all statements so far are; for connections that take one at a time. */
  private line: Promise<unknown>;

  /**
   * Begins a transaction on `client` by `opening`, one text of statements of which BEGIN is the first. Statements with
   * values are kept prepared under the name that `nameOf` gives them.
   */
  constructor(
    private readonly client: pg.PoolClient,
    opening: string,
    private readonly nameOf: (text: string) => string | undefined,
  ) {
    // Without a listener, a connection that breaks would end the process; the statements under way tell of it.
    client.on('error', ignore);
    if (client.pipeline) sendAtOnce(client);
    this.opened = client.query(opening).then(() => (this.isOpen = true));
    this.line = this.opened.catch(ignore);
  }

  /** Statements put off together share a round trip; where one fails, those after it fail. */
  query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const answer = this.send(text, values);
    answer.catch((error: unknown) => (this.isReadOnly ||= isReadOnlyFailure(error)));
    return answer;
  }

  private async send(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (this.isOver) throw new Error('A statement came after the end of its transaction.');
    // Without values it may be several statements in one text, which cannot be prepared.
    const name = values.length > 0 ? this.nameOf(text) : undefined;
    const statement = { text, values, ...(name === undefined ? {} : { name }) };
    if (!this.client.pipeline) return this.inLine(statement);
    if (this.isOpen) return this.client.query(statement);
    try {
      return await guardedQuery(this.client, statement);
    } catch (error) {
      // Where the opening failed, that is what is wrong.
      await this.opened;
      throw error;
    }
  }

  /**
   * Resolves when `working` goes on no further without an answer, and holds back until then what it puts off, so that the
   * end can leave in the same piece. Rejects when it has failed by then.
   */
  async putOff(working: Promise<unknown>): Promise<void> {
    const roundOver = new Promise((resolve) => process.nextTick(resolve));
    if (!this.client.pipeline) return void (await Promise.race([working, roundOver]));
    const { stream } = this.client.connection;
    stream.cork();
    try {
      await Promise.race([working, roundOver]);
    } finally {
      sendAtOnce(this.client);
      stream.uncork();
    }
  }

  /** Rejects when the opening or any statement has failed: nothing is stored then, whoever caught their errors. */
  async commit(): Promise<void> {
    const [, { command }] = await together([this.opened, this.end('COMMIT')]);
    if (command !== 'COMMIT') {
      throw new Error('A statement of the transaction had failed, so nothing of it is stored.');
    }
  }

  /** Does nothing after a COMMIT, whatever became of it. */
  async rollBack(): Promise<void> {
    if (this.isOver) return;
    // A lost connection has rolled back by itself; the error that led here is the one to tell.
    await this.end('ROLLBACK').catch(ignore);
  }

  /**
   * Gives the connection back to the pool, which closes it unless the transaction has certainly ended, and where nothing
   * may be written: a new one may find the server that has taken over.
   */
  release(): void {
    this.client.release(this.isReadOnly || this.client.getTransactionStatus() !== 'I');
    this.client.removeListener('error', ignore);
  }

  private inLine(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const answer = this.line.then(() => this.opened).then(() => this.client.query(statement));
    this.line = answer.catch(ignore);
    return answer;
  }

  private async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    this.isOver = true;
    if (!this.client.pipeline) await this.line;
    return this.client.query(statement);
  }
}

const ignore = (): void => undefined;

/** Holds back what is written until this round of promises is over, so that it leaves in one piece. */
const sendAtOnce = ({ connection: { stream } }: pg.PoolClient): void => {
  stream.cork();
  process.nextTick(() => stream.uncork());
};
