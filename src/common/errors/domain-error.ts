/** The closed list of error codes a request can be answered with. Clients switch on them. */
export const errorCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNAVAILABLE',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** An error that clients can act upon. Its message is shown: it never names tables, hosts or other companies. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** More facts for the client: the path of the bad argument, the limit that was exceeded. */
    readonly extensions: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The same for absent rows and those of other companies. `path` names the argument. Default: the field's only id or
 * key.
 */
export function notFound(noun: string, path: readonly string[] = []): DomainError {
  return new DomainError('NOT_FOUND', `There is no such ${noun}.`, path.length === 0 ? {} : argumentAt(path));
}

/** The row that a caller asked for. Throws NOT_FOUND, as `notFound` says, if there is none. */
export function existing<Row>(row: Row | null | undefined, noun: string, path?: readonly string[]): Row {
  if (row == null) throw notFound(noun, path);
  return row;
}

/** For something that was removed while it was read. The whole nullable field becomes null, without an error. */
export class RemovedMeanwhile extends DomainError {
  constructor(noun: string) {
    super('NOT_FOUND', `There is no such ${noun}.`);
  }
}

/** PAYLOAD_TOO_LARGE for a whole operation: no part of its answer is sent. */
export class AnswerTooLarge extends DomainError {
  constructor(limit: number) {
    super(
      'PAYLOAD_TOO_LARGE',
      `The answer would have more than ${limit} bytes. Ask for fewer fields, for less at a time, or in smaller pages. ` +
        'A mutation has been carried out all the same.',
      { limit },
    );
  }
}

/** RATE_LIMITED, without a stack. */
export function rateLimited(
  message: string,
  facts: { retryAfter?: number; limit?: number },
  options?: ErrorOptions,
): DomainError {
  return withoutStack(() => new DomainError('RATE_LIMITED', message, facts, options));
}

/** For errors that clients can cause at will: capturing and printing a stack takes most of the time of refusing a request. */
export function withoutStack<Made extends Error>(make: () => Made): Made {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** BAD_USER_INPUT that names the wrong argument, as a path from the field's arguments down. */
export function badInput(
  path: readonly string[],
  message: string,
  facts: Record<string, unknown> = {},
): DomainError {
  return new DomainError('BAD_USER_INPUT', message, { ...facts, ...argumentAt(path) });
}

/** The extensions that tell clients which argument is wrong. */
export function argumentAt(path: readonly string[]): Record<string, unknown> {
  return {
    path: [...path],
    argument: path.join('.'),
  };
}
