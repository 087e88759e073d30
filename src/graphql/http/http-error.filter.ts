import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyReply } from 'fastify';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { BODY_TOO_LARGE } from '../limits/operation-limits.js';
import { describeError } from './described-error.js';

/** Formats errors before GraphQL, such as invalid JSON, in GraphQL's format. */
@Injectable()
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    // GraphQL handles errors of resolvers: they have a path in the result.
    if (host.getType<GqlContextType>() === 'graphql') return error;
    const response = host.switchToHttp().getResponse<FastifyReply>();
    const { status, code, extensions, ...described } = describeError(error, this.logger);
    const { retryAfter } = extensions;
    if (retryAfter !== undefined) void response.header('retry-after', String(retryAfter));
    const message = status === 413 ? BODY_TOO_LARGE : described.message;
    return response.status(status).send({ errors: [{ message, extensions: { ...extensions, code } }] });
  }
}
