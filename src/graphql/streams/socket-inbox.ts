import type { Socket } from 'node:net';
import { TimeDebts } from '@palabre/async';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { WebSocket } from 'ws';

import { POLICY_VIOLATION } from './close-codes.js';

/** Far more messages than the hundred operations of a socket need: so many at once, and as many again in each window. */
export const MAX_MESSAGES = 1_000;
const WINDOW_MS = 10_000;

/** A longer message counts as several, because reading it takes as long, and it fills memory while it waits. */
const BYTES_OF_A_MESSAGE = 10_000;

/** A client that waits for answers does not send more at once, as its operations are limited. */
const MAX_WAITING_UNPAUSED = 100;
/** A packet can hold six times as many of the smallest messages. */
const MAX_WAITING = 500;
const MAX_PAUSES_PER_MINUTE = 2;

/** Of one socket, in this process's memory. */
export const MAX_UNREAD_BYTES = 1024 * 1024;

/** The time for the client to read why the socket is closed. */
const FAREWELL_MS = 1_000;

/** Pauses clients that send more than others can bear, or do not read answers. Closes the socket if they go on. */
export class SocketInbox {
  /** Each message takes its part of the window. */
  private readonly pace = new TimeDebts(1);
  private readonly pauses = new RateLimiterMemory({ points: MAX_PAUSES_PER_MINUTE, duration: 60 });
  /** Messages that wait for the rate, or for the thread. */
  private waiting = 0;
  private waitingForRate = 0;
  private isTooFast = false;
  private isUnread = false;
  private isLeft = false;
  /** Resolves when the next message may be passed on. */
  private free = Promise.resolve();

  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Socket,
    /** Resolves when the next message may follow. Never rejects. */
    private readonly handle: (message: Buffer) => Promise<void>,
  ) {
    socket.on('message', (message: Buffer) => void this.receive(message));
  }

  end(): void {
    if (!this.isOpen) return;
    this.socket.close(POLICY_VIOLATION, 'Too many messages');
    this.leave();
  }

  /** Stops reading a closed socket. The client's answer to the close frame is then not read either, so nobody waits for it. */
  private leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.socket.pause();
    setTimeout(() => this.socket.terminate(), FAREWELL_MS).unref();
  }

  private async receive(message: Buffer): Promise<void> {
    // A client that keeps sending after the close frame is not read any further.
    if (!this.isOpen) return this.leave();
    if (this.waitingForRate >= MAX_WAITING) return this.end();
    this.holdWhileUnread();
    const messages = countOf(message);
    this.waiting += messages;
    // Most messages of one packet may be passed on at once.
    const isFirstTooMany =
      this.waiting > MAX_WAITING_UNPAUSED && this.waiting - messages <= MAX_WAITING_UNPAUSED;
    if (isFirstTooMany) setImmediate(() => this.slowDown());
    const waitMs = this.waitOf(messages);
    if (waitMs > 0) this.waitingForRate += 1;
    const dueAt = performance.now() + waitMs;
    try {
      this.free = this.free.then(() => this.passOn(message, dueAt));
      await this.free;
    } finally {
      this.waiting -= messages;
      if (waitMs > 0) this.waitingForRate -= 1;
      if (this.waiting === 0) this.catchUp();
    }
  }

  private waitOf(messages: number): number {
    const now = performance.now();
    this.pace.add('', (messages * WINDOW_MS) / MAX_MESSAGES, now);
    return this.pace.waitUntil('', WINDOW_MS, now);
  }

  /** `dueAt`: not before, in the time of performance.now(). */
  private async passOn(message: Buffer, dueAt: number): Promise<void> {
    const waitMs = dueAt - performance.now();
    if (waitMs > 0 && this.isOpen) await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (this.isOpen) await this.handle(message);
  }

  private get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  private slowDown(): void {
    if (this.isTooFast || this.waiting <= MAX_WAITING_UNPAUSED) return;
    this.isTooFast = true;
    this.socket.pause();
    // A busy thread is not the client's fault.
    if (this.waitingForRate > MAX_WAITING_UNPAUSED) this.pauses.consume('').catch(() => this.end());
  }

  private catchUp(): void {
    if (!this.isTooFast) return;
    this.isTooFast = false;
    if (!this.isUnread && !this.isLeft) this.socket.resume();
  }

  private holdWhileUnread(): void {
    if (this.isUnread || this.connection.writableLength <= MAX_UNREAD_BYTES) return;
    this.isUnread = true;
    this.socket.pause();
    this.connection.once('drain', () => {
      this.isUnread = false;
      if (!this.isTooFast && !this.isLeft) this.socket.resume();
    });
  }
}

function countOf({ length }: Buffer): number {
  return 1 + Math.floor(length / BYTES_OF_A_MESSAGE);
}
