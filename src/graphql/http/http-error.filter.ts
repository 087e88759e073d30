import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  Injectable,
} from '@nestjs/common';
import type { GqlContextType } from '@nestjs/graphql';
import type { FastifyReply } from 'fastify';

import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { statusOf } from './http-context.js';
import { BODY_TOO_LARGE } from '../limits/operation-limits.js';

/** Formats errors before GraphQL, such as invalid JSON, in GraphQL's format. */
@Injectable()
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    // GraphQL handles errors of resolvers: they have a path in the result.
    if (host.getType<GqlContextType>() === 'graphql') return error;
    const response = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof DomainError) return tell(response, error);
    const status = error instanceof HttpException ? error.getStatus() : 500;
    if (status >= 500) this.logger.error({ err: error }, 'request failed');
    const message = messageOf(error, status);
    return response.status(status).send({ errors: [{ message, extensions: { code: codeOf(status) } }] });
  }
}

function tell(response: FastifyReply, error: DomainError): FastifyReply {
  const { code, message, extensions } = error;
  if (extensions.retryAfter !== undefined) void response.header('retry-after', String(extensions.retryAfter));
  return response
    .status(statusOf(error))
    .send({ errors: [{ message, extensions: { ...extensions, code } }] });
}

function codeOf(status: number): ErrorCode {
  if (status >= 500) return 'INTERNAL';
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  return status === 404 ? 'NOT_FOUND' : 'BAD_USER_INPUT';
}

function messageOf(error: unknown, status: number): string {
  if (status >= 500) return 'Something went wrong on our side. It has been logged.';
  if (status === 413) return BODY_TOO_LARGE;
  return error instanceof Error ? error.message : 'The request is not valid.';
}
