import { eventStream } from './event-stream.js';
import type { TokenSource } from './http-request.js';
import { errorIn, type PalabreError } from './palabre-error.js';
import { retrying } from './retrying.js';
import { Socket, SocketBlocked } from './socket.js';
import type { Operation } from './typed-document.js';

/** Subscriptions that connect again by themselves: over one WebSocket, or as event streams where none gets through. */
export class Subscriptions {
  private readonly socket: Socket | null;
  private socketHasWorked = false;
  private onlyStreamsWork = false;
  private isConnected: boolean | null = null;

  constructor(
    private readonly endpoint: string,
    private readonly token: TokenSource,
    private readonly maxRetries: number,
    private readonly onConnectionChange: (isConnected: boolean) => void,
  ) {
    const hasSockets = typeof WebSocket === 'function';
    const url = endpoint.replace(/^http/, 'ws');
    this.socket = hasSockets ? new Socket(url, token, () => this.socketConnected()) : null;
  }

  /** The values of `open`, which subscribes, again whenever the connection is lost. */
  lasting<Value>(
    open: () => AsyncIterable<Value>,
    signal: AbortSignal,
  ): AsyncGenerator<Value, void, undefined> {
    const mayRetry = (_error: PalabreError, failures: number): boolean => {
      this.connectionIs(false);
      return failures < this.maxRetries;
    };
    return retrying(open, mayRetry, signal);
  }

  /** The data of each result of one subscription, until the server completes it or the connection is lost. */
  async *once(operation: Operation, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
    for await (const { data, errors } of this.results(operation, signal)) {
      const error = errorIn(errors);
      if (error) throw error;
      yield data;
    }
  }

  async close(): Promise<void> {
    await this.socket?.close();
  }

  private async *results(operation: Operation, signal: AbortSignal) {
    if (this.socket && !this.onlyStreamsWork) {
      try {
        return yield* this.socket.results(operation, signal);
      } catch (error) {
        if (!(error instanceof SocketBlocked)) throw error;
      }
    }
    const opened = (): void => {
      this.onlyStreamsWork = !this.socketHasWorked;
      this.connectionIs(true);
    };
    yield* eventStream(this.endpoint, this.token, operation, { signal, opened });
  }

  private socketConnected(): void {
    this.socketHasWorked = true;
    this.connectionIs(true);
  }

  private connectionIs(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.onConnectionChange(isConnected);
  }
}
