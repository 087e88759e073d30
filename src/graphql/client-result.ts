import type { ExecutionResult, FormattedExecutionResult } from 'graphql';

import type { Logger } from '../common/logger.js';
import { toClientError } from './graphql-error.js';

/** A result as clients are shown it. Without errors, which nearly all are, it is the same object. */
export const clientResult = (result: ExecutionResult, logger: Logger): FormattedExecutionResult =>
  result.errors
    ? { ...result, errors: result.errors.map((error) => toClientError(error, logger)) }
    : (result as FormattedExecutionResult);
