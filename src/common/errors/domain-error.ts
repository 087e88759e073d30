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

/**
 * A failure with a code the caller can act upon. Its message reaches the client as it is, so it never
 * names tables, hosts or other companies. Everything that is not a DomainError reaches the client as INTERNAL.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Further facts for the client: the path of the bad argument, the limit that was passed. */
    readonly extensions: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * NOT_FOUND for `noun`: the same words whether it is absent or another company's. `path`: of the argument that names it,
 * where there are several.
 */
export const notFound = (noun: string, path: readonly string[] = []): DomainError =>
  new DomainError('NOT_FOUND', `There is no such ${noun}.`, path.length === 0 ? {} : argumentAt(path));

/**
 * NOT_FOUND for a part of something that was removed while it was read. Where the result can say by null that the whole
 * is not there, it does, and nobody is told of an error.
 */
export class RemovedMeanwhile extends DomainError {
  constructor(noun: string) {
    super('NOT_FOUND', `There is no such ${noun}.`);
  }
}

/** BAD_USER_INPUT that says which argument is wrong, as a path from the field's arguments down. */
export const badInput = (
  path: readonly string[],
  message: string,
  facts: Record<string, unknown> = {},
): DomainError => new DomainError('BAD_USER_INPUT', message, { ...facts, ...argumentAt(path) });

const argumentAt = (path: readonly string[]): Record<string, unknown> => ({
  path: [...path],
  argument: path.join('.'),
});
