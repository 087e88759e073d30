import type { IncomingMessage } from 'node:http';

import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Config } from '../../config/config.js';
import { refuse, statusOf } from '../http-refusal.js';
import { checkLength, checkNoForm, ClientLeft, IncomingBody, spill } from './incoming-body.js';
import { UploadReceivers, type UploadTicket } from './upload-receivers.js';
import { UploadTickets } from './upload-tickets.service.js';

/** For receivers to end what they are about when the server stops. */
const FAREWELL_MS = 5_000;

type UploadRequest = FastifyRequest<{ Params: { token: string } }>;

/** Takes in what is sent with a ticket, and hands it to whom it is for as it comes. */
@Injectable()
export class Uploads implements OnModuleInit, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

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
    // A scope of its own: everywhere else bodies are read whole, up to a limit, and understood.
    void this.http.httpAdapter.getInstance<FastifyInstance>().register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      scope.put('/uploads/:token', (request: UploadRequest, reply) => this.serve(request, reply));
    });
  }

  /** Tickets of what is under way are given back while the database is still there, and nobody is waited for longer. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new DomainError('UNAVAILABLE', 'The server is stopping. Please try again.'));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.clock.after(FAREWELL_MS, resolve);
    await Promise.race([Promise.allSettled(this.underWay), late]);
    stopWaiting();
  }

  private async serve(request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answering = this.answer(request, reply);
    this.underWay.add(answering);
    await answering.finally(() => this.underWay.delete(answering));
    return reply;
  }

  private async answer(request: UploadRequest, reply: FastifyReply): Promise<void> {
    const left = new AbortController();
    const leave = (): void => left.abort(new ClientLeft('The client has left.'));
    reply.raw.once('close', leave);
    const signal = AbortSignal.any([left.signal, this.stopping.signal]);
    let ticket: UploadTicket | null = null;
    try {
      signal.throwIfAborted();
      checkNoForm(request.raw);
      ticket = await this.tickets.use(request.params.token);
      const answer = await this.receive(ticket, request.raw, signal);
      void reply.header('cache-control', 'no-store').send(answer);
    } catch (error) {
      if (ticket !== null && isWorthAnotherTry(error)) await this.giveBack(ticket);
      const isWhole = await spill(request.raw, this.clock, this.stopping.signal);
      if (!isWhole) void reply.header('connection', 'close');
      if (!(error instanceof ClientLeft)) refuse(reply, error, this.logger);
    } finally {
      reply.raw.off('close', leave);
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
    using body = new IncomingBody(request, ticket.maxBytes, this.clock);
    try {
      return await receiver(ticket, body.content, signal);
    } catch (error) {
      signal.throwIfAborted();
      // What the receiver makes of a stream that fails is not what has happened.
      throw body.failure ?? error;
    }
  }

  private async giveBack(ticket: UploadTicket): Promise<void> {
    await this.tickets.free(ticket).catch((error: unknown) => {
      this.logger.warn({ err: error, uploadId: ticket.id }, 'an upload ticket could not be given back');
    });
  }
}

/** A failure of ours, or of the connection; or more bytes than agreed on, which says nothing against the right ones. */
const isWorthAnotherTry = (error: unknown): boolean => {
  const status = statusOf(error);
  return status >= 500 || status === 429 || status === 413;
};
