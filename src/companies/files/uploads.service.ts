import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Injectable, type BeforeApplicationShutdown, Inject, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '@palabre/json';

import { Clock } from '../../common/clock.js';
import { Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { sendError, httpStatusOf } from './http-error.js';
import { checkLength, checkNoForm, ClientDisconnected, IncomingBody, drainRequest } from './incoming-body.js';
import { type UploadTicket, UploadTickets } from './upload-tickets.service.js';
import type { UploadPurpose } from './upload.repository.js';

/**
 * Receives an upload as a stream, and gives the answer for the client. `content` fails after `ticket.maxBytes` and when
 * the client disconnects; `signal` is aborted then, and when the server stops. A receiver refuses an upload by rejecting
 * with a DomainError: the ticket is used up, and the client sees the error. After PAYLOAD_TOO_LARGE, RATE_LIMITED,
 * UNAVAILABLE and any other error the client may try again with the same ticket, so the receiver must undo its work.
 */
export type UploadReceiver = (
  ticket: UploadTicket,
  content: Readable,
  signal: AbortSignal,
) => Promise<JsonObject>;

/** The receivers of uploads, by purpose. */
@Injectable()
export class UploadReceivers {
  private readonly receivers = new Map<UploadPurpose, UploadReceiver>();

  /** Called by the module that issues tickets of this purpose. */
  register(purpose: UploadPurpose, receiver: UploadReceiver): void {
    this.receivers.set(purpose, receiver);
  }

  get(purpose: UploadPurpose): UploadReceiver {
    const receiver = this.receivers.get(purpose);
    if (!receiver) throw new Error(`Nobody takes in uploads for ${purpose}.`);
    return receiver;
  }
}

/** How long receivers may take to finish when the server stops. */
const SHUTDOWN_GRACE_MS = 5_000;

type UploadRequest = FastifyRequest<{ Params: { token: string } }>;

/** The HTTP route of uploads: redeems the ticket and streams the body to its receiver. */
@Injectable()
export class Uploads implements OnModuleInit, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tickets: UploadTickets,
    private readonly receivers: UploadReceivers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (this.config.role === 'worker') return;
    // A scope of its own, without the parsers that read bodies into memory everywhere else.
    void this.http.httpAdapter.getInstance<FastifyInstance>().register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      scope.put('/uploads/:token', (request: UploadRequest, reply) => this.serve(request, reply));
    });
  }

  /** Before the database closes, so that running uploads can release their tickets. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new DomainError('UNAVAILABLE', 'The server is stopping. Please try again.'));
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.clock.after(SHUTDOWN_GRACE_MS, resolve);
    await Promise.race([Promise.allSettled(this.running), timeout]);
    stopWaiting();
  }

  private async serve(request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answering = this.answer(request, reply);
    this.running.add(answering);
    await answering.finally(() => this.running.delete(answering));
    return reply;
  }

  private async answer(request: UploadRequest, reply: FastifyReply): Promise<void> {
    const disconnected = new AbortController();
    const disconnect = (): void => disconnected.abort(new ClientDisconnected('The client has left.'));
    reply.raw.once('close', disconnect);
    const signal = AbortSignal.any([disconnected.signal, this.stopping.signal]);
    let ticket: UploadTicket | null = null;
    try {
      signal.throwIfAborted();
      checkNoForm(request.raw);
      ticket = await this.tickets.use(request.params.token);
      const answer = await this.receive(ticket, request.raw, signal);
      void reply.header('cache-control', 'no-store').send(answer);
    } catch (error) {
      if (ticket !== null && isRetryable(error)) await this.releaseTicket(ticket);
      const isWhole = await drainRequest(request.raw, this.clock, this.stopping.signal);
      if (!isWhole) void reply.header('connection', 'close');
      if (!(error instanceof ClientDisconnected)) sendError(reply, error, this.logger);
    } finally {
      reply.raw.off('close', disconnect);
    }
  }

  private async receive(
    ticket: UploadTicket,
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const receiver = this.receivers.get(ticket.purpose);
    signal.throwIfAborted();
    checkLength(request, ticket.maxBytes);
    using body = new IncomingBody(request, ticket, this.clock);
    try {
      return await receiver(ticket, body.content, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The cause is why the stream failed, not what the receiver made of that.
      throw body.failure ?? error;
    }
  }

  private async releaseTicket(ticket: UploadTicket): Promise<void> {
    await this.tickets.release(ticket).catch((error: unknown) => {
      this.logger.warn({ err: error, uploadId: ticket.id }, 'an upload ticket could not be given back');
    });
  }
}

/** Failures of the server or the connection, and a body that was too large: the right bytes may still come. */
function isRetryable(error: unknown): boolean {
  const status = httpStatusOf(error);
  return status >= 500 || status === 429 || status === 413 || status === 408;
}
