import type { FastifyReply } from 'fastify';

import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import type { Logger } from '../../common/process/logger.js';

const statusByCode = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  PAYLOAD_TOO_LARGE: 413,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const satisfies Record<ErrorCode, number>;

export function httpStatusOf(error: unknown): number {
  if (!(error instanceof DomainError)) return 500;
  if (error.extensions.isLate === true) return 408;
  return error.extensions.expired === true ? 410 : statusByCode[error.code];
}

/**
 * Sends an error like a GraphQL error, or as the page that `pageOf` makes. Details of internal errors are only logged.
 */
export function sendError(
  reply: FastifyReply,
  error: unknown,
  logger: Logger,
  pageOf?: (status: number) => string,
): void {
  const status = httpStatusOf(error);
  if (status === 503) logger.warn({ err: error }, 'request refused');
  else if (status >= 500) logger.error({ err: error }, 'request failed');
  const shown =
    error instanceof DomainError && error.code !== 'INTERNAL'
      ? { message: error.message, extensions: { ...error.extensions, code: error.code } }
      : {
          message: 'Something went wrong on our side. It has been logged.',
          extensions: { code: 'INTERNAL' },
        };
  void reply.code(status).header('cache-control', 'no-store');
  if (!pageOf) return void reply.send({ errors: [shown] });
  // The page is only text: a browser need not load or run anything.
  void reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    .send(pageOf(status));
}
