import type { Socket } from 'node:net';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import type { WebSocket } from 'ws';
import { CloseCode, type Message, MessageType, parseMessage } from 'graphql-ws';
import { isJsonObject, parseJson } from '@palabre/json';

import { jsonFault } from '../limits/json-limits.js';

/** The maximum number of messages of a socket in a time window, far more than its hundred operations need. */
export const MAX_MESSAGES = 1_000;
const WINDOW_SECONDS = 10;

/** A longer message counts as several, because reading it takes as long. */
const BYTES_OF_A_MESSAGE = 10_000;

/** A client that waits for answers does not send more at once, as its operations are limited. */
const MAX_WAITING_UNPAUSED = 100;
/** A packet can hold six times as many of the smallest messages. */
const MAX_WAITING = 500;
const MAX_PAUSES_PER_MINUTE = 2;

const MAX_UNREAD_BYTES = 1024 * 1024;

/** The time for the client to read why the socket is closed. */
const FAREWELL_MS = 1_000;

const POLICY_VIOLATION = 1008;

/** Pauses who sends more than other clients can bear, or does not read answers, and closes who goes on. */
export class SocketInbox {
  private readonly pace = new RateLimiterQueue(
    new RateLimiterMemory({ points: MAX_MESSAGES, duration: WINDOW_SECONDS }),
    { maxQueueSize: MAX_WAITING },
  );
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
    if (this.socket.readyState !== this.socket.OPEN) return;
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
    if (this.socket.readyState !== this.socket.OPEN) return this.leave();
    this.holdWhileUnread();
    this.waiting += 1;
    // Most messages of one packet may be passed on at once.
    if (this.waiting === MAX_WAITING_UNPAUSED + 1) setImmediate(() => this.slowDown());
    try {
      await this.passRate(message);
      this.free = this.free.then(() => this.passOn(message));
      await this.free;
    } catch {
      this.end();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.catchUp();
    }
  }

  private async passRate({ length }: Buffer): Promise<void> {
    this.waitingForRate += 1;
    try {
      await this.pace.removeTokens(1 + Math.floor(length / BYTES_OF_A_MESSAGE));
    } finally {
      this.waitingForRate -= 1;
    }
  }

  private async passOn(message: Buffer): Promise<void> {
    if (this.socket.readyState === this.socket.OPEN) await this.handle(message);
  }

  private slowDown(): void {
    if (this.isTooFast || this.waiting <= MAX_WAITING_UNPAUSED) return;
    this.isTooFast = true;
    this.socket.pause();
    // That the thread is busy is no fault of the client.
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

/** Enough for a token, which is all that a client sends before it is authenticated. */
const MAX_FIRST_MESSAGE_BYTES = 16 * 1024;

/** The maximum size of a ping, whose content is sent back: a kilobyte and its frame. */
const MAX_PING_BYTES = 1024 + 64;

const SERVER_MESSAGES = new Set<MessageType>([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
]);

interface Closing {
  code: number;
  reason: string;
}

const OPERATION_NAMES = ['"documentId"', '"persistedQuery"'];

/** A message that names its operation by hash gets an empty text, without which graphql-ws takes none. */
export function withText(bytes: Buffer): Buffer {
  if (!OPERATION_NAMES.some((name) => bytes.includes(name)) || jsonFault(bytes) !== null) return bytes;
  const message = parseJson(bytes.toString());
  if (!isJsonObject(message) || !isJsonObject(message['payload'])) return bytes;
  return Buffer.from(JSON.stringify({ ...message, payload: { query: '', ...message['payload'] } }));
}

/** `isSignedIn`: the server has acknowledged the connection. */
export function faultOf(bytes: Buffer, isSignedIn: boolean): Closing | null {
  if (!isSignedIn && bytes.length > MAX_FIRST_MESSAGE_BYTES) return badRequest('Too large a first message');
  const fault = jsonFault(bytes);
  if (fault !== null) return badRequest(fault);
  const message = parsed(bytes);
  if (message === null) return badRequest('Invalid message received');
  if (SERVER_MESSAGES.has(message.type)) return badRequest('A message that the server alone sends');
  if (!isSignedIn && message.type !== MessageType.ConnectionInit) {
    return { code: CloseCode.Unauthorized, reason: 'Unauthorized' };
  }
  const isPing = message.type === MessageType.Ping || message.type === MessageType.Pong;
  return isPing && bytes.length > MAX_PING_BYTES ? badRequest('Too large a ping') : null;
}

function parsed(bytes: Buffer): Message | null {
  try {
    return parseMessage(bytes.toString());
  } catch {
    return null;
  }
}

function badRequest(reason: string): Closing {
  return { code: CloseCode.BadRequest, reason };
}
