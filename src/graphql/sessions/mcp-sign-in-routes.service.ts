import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { wordingIn } from '../../common/wording/wording.js';
import {
  CALLBACK_PATH,
  CLIENT_PATH,
  McpSignIns,
  type SignInOutcome,
} from '../../skills/mcp/oauth/mcp-sign-ins.service.js';
import { SignInCookies } from '../../skills/mcp/oauth/sign-in-cookies.js';
import { UsageLimits } from '../limits/usage-limits.service.js';

const text = z.string().max(4_000);

const Back = z.object({
  state: text.catch(''),
  code: text.nullable().catch(null).default(null),
  iss: text.optional().catch(undefined),
});

/** The route to which browsers return from MCP servers' authorization servers, and this client's metadata for them. */
@Injectable()
export class McpSignInRoutes implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly signIns: McpSignIns,
    private readonly cookies: SignInCookies,
    private readonly limits: UsageLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    fastify.get(CALLBACK_PATH, (request, reply) => this.finish(request, reply));
    fastify.get(CLIENT_PATH, (_request, reply) => reply.send(this.signIns.clientDocument()));
  }

  private async finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const outcome = await this.outcomeOf(request);
    const [language = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/, 1);
    return reply
      .code(outcome === 'done' || outcome === 'declined' ? 200 : 400)
      .type('text/plain; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(wordingIn(language).mcpSignIn[outcome]);
  }

  private async outcomeOf({ ip, query, headers }: FastifyRequest): Promise<SignInOutcome> {
    try {
      await this.limits.countAnonymousOperation(ip);
      const back = Back.parse(query);
      return await this.signIns.finish({
        ...back,
        secretFor: (serverId) => this.cookies.read(serverId, headers.cookie),
      });
    } catch (error) {
      // Another server's message may contain sent data, so only its name is logged.
      const { name } = error instanceof Error ? error : new Error();
      this.logger.warn({ name }, 'a sign-in at an MCP server failed');
      return 'failed';
    }
  }
}
