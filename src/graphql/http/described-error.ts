import { HttpException } from '@nestjs/common';

import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import type { Logger } from '../../common/process/logger.js';
import { httpStatusOf } from '../../companies/files/http-error.js';
import { errorForClients } from '../error-for-clients.js';

/** An error in the form for clients: a code of the closed list, without internals. */
export interface DescribedError {
  status: number;
  code: ErrorCode;
  message: string;
  /** More facts, such as `path` of a bad argument, or `retryAfter` in seconds. */
  extensions: Record<string, unknown>;
}

/** The part of an error that a client may see. Internal ones are logged. */
export function describeError(thrown: unknown, logger: Logger): DescribedError {
  const error = errorForClients(thrown);
  const status = statusOf(error);
  if (status >= 500) logger[status === 503 ? 'warn' : 'error']({ err: error }, 'request failed');
  if (error instanceof DomainError && error.code !== 'INTERNAL') {
    const { code, message, extensions } = error;
    return { status, code, message, extensions };
  }
  const message =
    status >= 500 ? 'Something went wrong on our side. It has been logged.' : (error as Error).message;
  return { status, code: codeOf(status), message, extensions: {} };
}

/** Fastify's and Nest's own errors, such as those of bad bodies, have the right status. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = error as { statusCode?: unknown };
  const isOfRequest = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return isOfRequest ? statusCode : httpStatusOf(error);
}

function codeOf(status: number): ErrorCode {
  if (status >= 500) return 'INTERNAL';
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  return status === 404 ? 'NOT_FOUND' : 'BAD_USER_INPUT';
}
