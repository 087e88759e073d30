import { once } from 'node:events';

import { WebSocket } from 'ws';

export interface SocketMessage {
  type: string;
  id?: string;
  payload?: unknown;
}

/** A WebSocket whose user does as they please: no client library that keeps to the protocol. */
export class RawSocket {
  private readonly received: SocketMessage[] = [];
  private arrived = Promise.withResolvers<void>();
  /** How the server closed it. */
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(private readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.arrived.reject(new Error(`The socket was closed with ${code}.`));
      });
    });
    // Nobody may be waiting for a message when it closes.
    this.arrived.promise.catch(() => undefined);
    socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()) as SocketMessage);
      const { resolve } = this.arrived;
      this.arrived = Promise.withResolvers();
      this.arrived.promise.catch(() => undefined);
      resolve();
    });
  }

  /** `token`: in a header, for protocols that take it there. */
  static async open(url: string, path = '/graphql', token?: string): Promise<RawSocket> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const address = `${url.replace('http', 'ws')}${path}`;
    const socket = new WebSocket(address, 'graphql-transport-ws', { headers });
    const raw = new RawSocket(socket);
    await once(socket, 'open');
    return raw;
  }

  /** Opens a socket and signs it in. */
  static async signedIn(url: string, token: string): Promise<RawSocket> {
    const raw = await RawSocket.open(url);
    raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    const { type } = await raw.next();
    if (type !== 'connection_ack') throw new Error(`The server answered with ${type}.`);
    return raw;
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends an operation under `id`. */
  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }

  /** The next message not yet taken. Rejects when the socket is closed before it comes. */
  async next(): Promise<SocketMessage> {
    for (;;) {
      const message = this.received.shift();
      if (message) return message;
      await this.arrived.promise;
    }
  }

  /** Sends a frame of the WebSocket protocol itself. */
  sendFrame(kind: 'ping' | 'pong', text: string): void {
    this.socket[kind](text);
  }

  /** What the server answers to the next ping. */
  async pong(): Promise<string> {
    const [data] = (await once(this.socket, 'pong')) as [Buffer];
    return data.toString();
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
