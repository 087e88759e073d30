import type { Socket } from 'node:net';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import type { WebSocket } from 'ws';
import { CloseCode, type Message, MessageType, parseMessage } from 'graphql-ws';

import { jsonFault } from '../limits/json-limits.js';

/** Of one socket in a window of time: many times what its hundred operations need, each begun and ended. */
export const MAX_MESSAGES = 1_000;
const WINDOW_SECONDS = 10;

/** Longer ones count as several: to read them takes as long. */
const BYTES_OF_A_MESSAGE = 10_000;

/** A client that waits for its answers has no more to say at once, as it has so many operations under way. */
const MAX_WAITING_UNPAUSED = 100;
/** A packet may hold six times as many of the smallest messages. */
const MAX_WAITING = 500;
const MAX_PAUSES_PER_MINUTE = 2;

const MAX_UNREAD_BYTES = 1024 * 1024;

/** For the client to read why it is closed. */
const FAREWELL_MS = 1_000;

/** Of RFC 6455's registry of close codes. */
const POLICY_VIOLATION = 1008;

/**
 * Hands on what a client sends over `socket`, message by message, and no faster than all others can do with: whoever sends
 * more is not read for a while, and closed when it goes on. Nor is anybody read while more than a mebibyte of
 * answers waits for them: they could ask on and on, and every answer, be it a refusal, would be kept.
 */
export class SocketInbox {
  private readonly pace = new RateLimiterQueue(
    new RateLimiterMemory({ points: MAX_MESSAGES, duration: WINDOW_SECONDS }),
    { maxQueueSize: MAX_WAITING },
  );
  private readonly pauses = new RateLimiterMemory({ points: MAX_PAUSES_PER_MINUTE, duration: 60 });
  private waiting = 0;
  private isTooFast = false;
  private isUnread = false;
  private isLeft = false;

  /** `connection` is the one beneath `socket`. */
  constructor(
    private readonly socket: WebSocket,
    private readonly connection: Socket,
    private readonly handle: (message: Buffer) => void,
  ) {
    socket.on('message', (message: Buffer) => void this.receive(message));
  }

  /** Closes the socket for too many messages. */
  end(): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.close(POLICY_VIOLATION, 'Too many messages');
    this.leave();
  }

  /** The client of a closed socket is not read any more, so it is not waited for either. */
  private leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.socket.pause();
    setTimeout(() => this.socket.terminate(), FAREWELL_MS).unref();
  }

  private async receive(message: Buffer): Promise<void> {
    // Whoever goes on talking does not look out for the farewell.
    if (this.socket.readyState !== this.socket.OPEN) return this.leave();
    this.holdWhileUnread();
    this.waiting += 1;
    // Most of what came in one packet may be handed on at once.
    if (this.waiting === MAX_WAITING_UNPAUSED + 1) setImmediate(() => this.slowDown());
    try {
      await this.pace.removeTokens(1 + Math.floor(message.length / BYTES_OF_A_MESSAGE));
      if (this.socket.readyState === this.socket.OPEN) this.handle(message);
    } catch {
      this.end();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.catchUp();
    }
  }

  private slowDown(): void {
    if (this.isTooFast || this.waiting <= MAX_WAITING_UNPAUSED) return;
    this.isTooFast = true;
    this.socket.pause();
    this.pauses.consume('').catch(() => this.end());
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

/** Large enough for a token, which is all that a client sends before it has signed in. */
const MAX_FIRST_MESSAGE_BYTES = 16 * 1024;

/** A ping is answered with what it holds: a kilobyte, and its frame. */
const MAX_PING_BYTES = 1024 + 64;

/** Message types that only the server sends. */
const SERVER_MESSAGES = new Set<MessageType>([
  MessageType.ConnectionAck,
  MessageType.Next,
  MessageType.Error,
]);

/** Why a socket is closed. */
interface Closing {
  code: number;
  reason: string;
}

/** Why a client is not to be answered that sends `bytes`; null: it may be. `isSignedIn`: the server has acknowledged it. */
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
