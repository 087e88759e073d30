import { Inject, Injectable } from '@nestjs/common';
import {
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  Kind,
} from 'graphql';

import {
  AnswerTooLarge,
  argumentAt,
  DomainError,
  type ErrorCode,
  RemovedMeanwhile,
} from '../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { errorForClients } from './error-for-clients.js';

/** Codes by which GraphQL and Apollo mark an invalid request. */
const REQUEST_ERRORS = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const MAX_MESSAGE_CHARACTERS = 1_000;

const INTERNAL = 'Something went wrong on our side. It has been logged.';

/** Converts errors for clients: a code of the closed list, without internals. */
@Injectable()
export class ClientErrors {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Logs the error if it is ours, and counts it. */
  of(error: unknown): GraphQLFormattedError {
    const shown = toClientError(error, this.logger);
    this.metrics.errorTold(String(shown.extensions?.code));
    return shown;
  }

  /** The result for clients. Without errors, which is usual, it is the same object. */
  in(result: ExecutionResult): FormattedExecutionResult {
    if (!result.errors) return result as FormattedExecutionResult;
    const { errors, ...rest } = result;
    const tooLarge = errors.find(isTooLarge);
    if (tooLarge) return { data: null, errors: [this.of(tooLarge)] };
    const told = rest.data ? errors.filter((error) => !isToldByNull(error)) : errors;
    return told.length === 0 ? rest : { ...rest, errors: told.map((error) => this.of(error)) };
  }
}

/** Whether the null that an error left in the result is enough: a list is complete without removed items. */
export function isToldByNull(error: unknown): boolean {
  return causeOf(error) instanceof RemovedMeanwhile;
}

export function isTooLarge(error: unknown): boolean {
  return causeOf(error) instanceof AnswerTooLarge;
}

function toClientError(error: unknown, logger: Logger): GraphQLFormattedError {
  const graphqlError = error instanceof GraphQLError ? error : null;
  const place = { locations: graphqlError?.locations, path: graphqlError?.path };
  const cause = errorForClients(causeOf(error));
  if (cause instanceof DomainError) {
    if (cause.code === 'UNAVAILABLE') logger.warn({ err: cause }, 'request refused');
    const named = cause.code === 'NOT_FOUND' && !('path' in cause.extensions) ? namedBy(graphqlError) : {};
    return shown(cause.message, cause.code, { ...cause.extensions, ...named }, place);
  }
  if (graphqlError && cause instanceof GraphQLError && isAboutTheRequest(error)) {
    const { code: _code, stacktrace: _stack, http: _http, ...extensions } = cause.extensions;
    // The outer error names the variable.
    return shown(cut(graphqlError.message), 'BAD_USER_INPUT', extensions, place);
  }
  if (graphqlError?.extensions.code === 'GRAPHQL_PARSE_FAILED' && cause instanceof RangeError)
    return shown('The operation is nested too deep.', 'BAD_USER_INPUT', {}, place);
  logger.error({ err: cause, path: graphqlError?.path }, 'request failed');
  return shown(INTERNAL, 'INTERNAL', {}, place);
}

/** GraphQL's own errors have no code unless Apollo adds one. Errors of execution have a path. */
function isAboutTheRequest(error: unknown): boolean {
  for (let cause = error; cause instanceof GraphQLError; cause = cause.originalError) {
    const { code } = cause.extensions;
    if (code !== undefined) return REQUEST_ERRORS.has(String(code));
    if (cause.path) return false;
  }
  return true;
}

/** The field's only id or key, or its own one among several. */
function namedBy(error: GraphQLError | null): Record<string, unknown> {
  const [field] = error?.nodes ?? [];
  const given = field?.kind === Kind.FIELD ? (field.arguments ?? []) : [];
  const names = given.map(({ name }) => name.value);
  const own = names.filter((name) => name === 'id' || name === 'key');
  const ids = own.length > 0 ? own : names.filter((name) => /(Id|Key)$/.test(name));
  return ids.length === 1 ? argumentAt(ids) : {};
}

function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** GraphQL's own errors repeat the request. */
function cut(message: string): string {
  return message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)} …` : message;
}

function shown(
  message: string,
  code: ErrorCode,
  extensions: Record<string, unknown>,
  place: Pick<GraphQLFormattedError, 'locations' | 'path'>,
): GraphQLFormattedError {
  return {
    message,
    ...(place.locations ? { locations: place.locations } : {}),
    ...(place.path ? { path: place.path } : {}),
    // `path` of a DomainError is the argument's and not the result's, so it stays in the extensions.
    extensions: { ...extensions, code },
  };
}
