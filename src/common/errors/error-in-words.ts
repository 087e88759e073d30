import { QuotingError } from './quoting-error.js';

const deepest = 8;

export interface ErrorInWords {
  type: string;
  message: string;
  code?: unknown;
  detail?: string;
  stack?: string | undefined;
  errors?: unknown[];
  cause?: unknown;
}

/**
 * What the log tells of an error: type, message, code, stack and causes, and nothing else that hangs on it but what it
 * quotes for the log, because drivers and clients put statements, parameters and headers there.
 */
export const errorInWords = (error: Error, depth = 0): ErrorInWords => {
  const further = (other: unknown): unknown =>
    other instanceof Error && depth < deepest ? errorInWords(other, depth + 1) : String(other);
  return {
    type: error.constructor.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    ...(error instanceof QuotingError && error.detail !== undefined && { detail: error.detail }),
    stack: error.stack,
    ...(error instanceof AggregateError && { errors: error.errors.map(further) }),
    ...(error.cause !== undefined && { cause: further(error.cause) }),
  };
};
