import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

import { sendAsItIs } from '../harness/malformed-requests.js';
import type { GraphQLAnswer } from '../harness/test-client.js';

/** One way to hold others up. It goes on until the attacker is stopped. */
export interface Attack {
  name: string;
  /** Begins at once, and stands for others of its kind: `--quick` carries out no others. */
  isQuick?: true;
  run(attacker: Attacker): Promise<void>;
}

export interface Target {
  url: string;
  /** Of an admin of a company that was made for this attack. */
  token: string;
  /** A web site of the attacker's. */
  site: string;
}

/** Somebody who does harm for as long as `signal` lets them. What the server says to it is counted. */
export class Attacker {
  readonly url: string;
  readonly token: string;
  readonly site: string;
  /** Requests, connections and messages. */
  sent = 0;
  private readonly answers = new Map<string, number>();
  private readonly open = new Set<{ destroy(): void }>();

  constructor(
    { url, token, site }: Target,
    readonly signal: AbortSignal,
  ) {
    this.url = url;
    this.token = token;
    this.site = site;
    signal.addEventListener('abort', () => this.open.forEach((each) => each.destroy()));
  }

  /** What came back, the most frequent first: `429 × 1,200, 200 × 300`. */
  get heard(): string {
    const sorted = [...this.answers].toSorted(([, a], [, b]) => b - a).slice(0, 4);
    return sorted.map(([answer, count]) => `${answer} × ${count}`).join(', ');
  }

  note(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }

  /** Acts again and again, `atOnce` at the same time. That one fails is what a server may answer. */
  async storm(atOnce: number, act: (count: number) => Promise<unknown>): Promise<void> {
    let count = 0;
    const one = async (): Promise<void> => {
      while (!this.signal.aborted) {
        try {
          await act(count++);
        } catch (error) {
          if (!this.signal.aborted) this.note(reasonOf(error));
          // Others have their turn, whatever fails at once.
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** Resolves when the attack is over. */
  async untilOver(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort');
  }

  /** Signed in, unless a header says otherwise. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...(init.headers as Record<string, string>) };
    this.sent += 1;
    const response = await fetch(`${this.url}${path}`, { ...init, headers, signal: this.signal });
    this.note(String(response.status));
    return response;
  }

  async post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    path = '/graphql',
  ): Promise<string> {
    const response = await this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return response.text();
  }

  /** Gives the data, or rejects with the code of the first error. */
  async ask<Data>(query: string, variables: object = {}): Promise<Data> {
    const answer = JSON.parse(await this.post(JSON.stringify({ query, variables }))) as GraphQLAnswer<Data>;
    if (answer.errors || !answer.data) throw new Error(answer.errors?.[0]?.extensions.code ?? 'no data');
    return answer.data;
  }

  async sendAsItIs(bytes: string): Promise<void> {
    this.sent += 1;
    await sendAsItIs(this.url, bytes, this.signal);
    this.note('answered or cut off');
  }

  /** A connection on which nothing has been said; it ends with the attack. */
  async connection(): Promise<Socket> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    this.keep(socket);
    socket.on('close', () => this.noteClosed('connection'));
    this.sent += 1;
    await once(socket, 'connect', { signal: this.signal });
    this.note('connection');
    return socket;
  }

  /** A WebSocket, signed in where `isSignedIn`; it ends with the attack. */
  async webSocket(isSignedIn: boolean): Promise<WebSocket> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    this.keep({ destroy: () => socket.terminate() });
    socket.on('error', () => undefined).on('close', (code) => this.noteClosed('socket', code));
    this.sent += 1;
    await once(socket, 'open', { signal: this.signal });
    this.note('socket');
    if (isSignedIn) {
      const payload = { authorization: `Bearer ${this.token}` };
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
      await once(socket, 'message', { signal: this.signal });
    }
    return socket;
  }

  /** Sends on a socket again and again, and opens another one when it is closed. */
  async flood(isSignedIn: boolean, message: (count: number) => string): Promise<void> {
    await this.storm(2, async () => {
      const socket = await this.webSocket(isSignedIn);
      for (let count = 0; socket.readyState === WebSocket.OPEN && !this.signal.aborted; count += 1) {
        socket.send(message(count));
        this.sent += 1;
        if (count % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });
  }

  /** By the server. */
  private noteClosed(what: string, code?: number): void {
    if (!this.signal.aborted) this.note(['closed', what, code].filter(Boolean).join(' '));
  }

  private keep(each: { destroy(): void; on?: Socket['on'] }): void {
    each.on?.('error', () => undefined);
    this.open.add(each);
    if (this.signal.aborted) each.destroy();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message.slice(0, 40);
}
