/** What a server's error says besides its message. */
export interface ErrorDetails {
  /** The `extensions` of the GraphQL error, or the fields of a refusal. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Where in the operation it happened. */
  readonly path?: readonly (string | number)[] | undefined;
  readonly cause?: unknown;
}

/**
 * Whatever goes wrong. `code` is one of the server's (`NOT_FOUND`, `BAD_USER_INPUT` …), a failed turn's
 * (`MODEL_UNAVAILABLE` …), a refusal's (`QUOTA_EXCEEDED`, `TURN_IN_PROGRESS`, `IDEMPOTENCY_CONFLICT`), or one of this
 * client's own: `UNREACHABLE` where no server answers, `NOT_PALABRE` where something else does.
 */
export class PalabreError extends Error {
  override readonly name = 'PalabreError';
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly path: readonly (string | number)[] | undefined;

  constructor(
    readonly code: string,
    message: string,
    { extensions = {}, path, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.extensions = extensions;
    this.path = path;
  }

  /** Whether the same might succeed a little later. */
  get mayPass(): boolean {
    return ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'].includes(this.code);
  }

  /** How long the server asks to wait; 0: it does not say. */
  get retryAfterMs(): number {
    const { retryAfter } = this.extensions;
    return typeof retryAfter === 'number' ? retryAfter * 1000 : 0;
  }
}

interface GraphQLError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The error that the `errors` of a GraphQL answer tell; null: there are none. */
export function errorIn(errors: unknown): PalabreError | null {
  const [first] = (Array.isArray(errors) ? errors : []) as (GraphQLError | null)[];
  if (typeof first?.message !== 'string') return null;
  const { code } = first.extensions ?? {};
  return new PalabreError(typeof code === 'string' ? code : 'INTERNAL', first.message, {
    ...(first.extensions && { extensions: first.extensions }),
    path: first.path,
  });
}
