import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { PublicUrl } from '../../companies/files/signed-links.js';
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../door-paths.js';
import type { DescribedError } from '../../graphql/http/described-error.js';
import { Doors } from '../doors.service.js';
import { waitingTools } from './assistant-tools.service.js';
import { answerExchange } from './mcp-exchange.js';
import { McpOffer } from './mcp-offer.service.js';

const Call = z.object({ method: z.string(), params: z.object({ name: z.string() }) });

/** An error code from the range for servers. */
const REFUSED = -32_000;

/** Palabre as a server of the Model Context Protocol, of 2026-07-28 and of 2025. */
@Injectable()
export class McpDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly offer: McpOffer,
    private readonly config: Config,
    private readonly publicUrl: PublicUrl,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    for (const url of [RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}${MCP_PATH}`])
      this.doors.publish('mcp', url, () => this.metadata());
    this.doors.route({
      door: 'mcp',
      // Other methods than POST are refused in the protocol's form.
      method: ['GET', 'POST', 'DELETE'],
      url: MCP_PATH,
      scopes: ['READ', 'TURNS', 'DOCUMENTS', 'SKILLS'],
      check: (request) => this.checkOrigin(request),
      errorBody,
      errorHeaders: (error): Record<string, string> =>
        error.status === 401 ? { 'www-authenticate': this.challenge() } : {},
      handler: (viewer, request, reply) => this.answer(viewer, request, reply),
    });
  }

  private answer(viewer: Viewer, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // A batch would count as one request. Neither version of the protocol has it.
    if (Array.isArray(request.body)) {
      void reply.code(400);
      return Promise.resolve(rpcError(INVALID_REQUEST, 'Send one message at a time.', {}));
    }
    const isLong = isWait(request.body);
    const answer = (signal: AbortSignal): Promise<void> =>
      answerExchange({
        request,
        reply,
        isLong,
        signal,
        url: this.url(),
        makeServer: ({ era }) => this.offer.serverFor(viewer, era),
        stream: (frames) => this.doors.stream(reply, frames, signal),
        onError: (error) => this.logger.debug({ err: error }, 'a request by MCP was refused'),
      });
    return isLong ? this.doors.follow(viewer, reply, answer) : this.doors.whileThere(viewer, reply, answer);
  }

  private url(): string {
    return `${this.publicUrl.get()}${MCP_PATH}`;
  }

  /** RFC 9728. Our own tokens have no authorization server for clients. */
  private metadata(): object {
    const { issuer, jwksUrl } = this.config.auth;
    return {
      resource: this.url(),
      resource_name: 'Palabre',
      bearer_methods_supported: ['header'],
      ...(jwksUrl !== null && issuer !== null && { authorization_servers: [issuer] }),
    };
  }

  private challenge(): string {
    return `Bearer resource_metadata="${this.publicUrl.get()}${RESOURCE_METADATA_PATH}${MCP_PATH}"`;
  }

  /** The protocol demands this against DNS rebinding. */
  private checkOrigin({ headers: { origin } }: FastifyRequest): void {
    const { corsOrigins } = this.config.http;
    if (origin === undefined || corsOrigins === '*' || corsOrigins.includes(origin)) return;
    if (origin === new URL(this.publicUrl.get()).origin) return;
    throw new DomainError('FORBIDDEN', 'Pages of this origin may not use the server.');
  }
}

/** Whether the call may wait for an answer. */
function isWait(body: unknown): boolean {
  const { method, params } = Call.safeParse(body).data ?? {};
  return method === 'tools/call' && (params?.name.startsWith('ask_') || waitingTools.has(params?.name ?? ''));
}

function errorBody({ status, code, message, extensions }: DescribedError): object {
  // Before the protocol has seen a request, only its JSON can be wrong.
  const number = status === 400 ? PARSE_ERROR : status >= 500 ? INTERNAL_ERROR : REFUSED;
  return rpcError(number, message, { ...extensions, code });
}

function rpcError(code: number, message: string, data: object): object {
  return { jsonrpc: '2.0', id: null, error: { code, message, data } };
}
