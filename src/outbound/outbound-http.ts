export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OutboundRequest {
  url: string;
  /** GET when left out. */
  method?: OutboundMethod;
  /** Sent to the address asked for; to another origin that it redirects to, only those that hold no secret. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For everything together: name, connection, redirects and body. */
  timeoutMs: number;
  /** Of the body, after it was unpacked. */
  maxBytes: number;
  /** What becomes of a longer body: TOO_LARGE, or its beginning. An error when left out. */
  whenTooLarge?: 'fail' | 'truncate';
  /** 5 when left out. */
  maxRedirects?: number;
  /** The address is the operator's own setting: its host may stand in a private network. */
  isOperators?: boolean;
  signal: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  /** By lowercase name; several of one name are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  url: string;
  body: Buffer;
  /** The body was longer than `maxBytes`, and only its beginning was asked for. */
  truncated: boolean;
}

/** What an answer is asked for that is read while it comes. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'whenTooLarge'> {
  /** Until the answer begins; for how long it may go on is for `signal` to say. */
  timeoutMs: number;
}

/** An answer whose body is still to come. */
export interface OutboundStream extends Omit<OutboundResponse, 'body' | 'truncated'> {
  /** Errors with OutboundError where it breaks off or is longer than `maxBytes`; cancelling it closes the socket. */
  body: ReadableStream<Uint8Array>;
}

/** The one way out for what skills, companies and models want to fetch. The class is both the type and the token. */
export abstract class OutboundHttp {
  /**
   * Gives the answer whatever its status. Rejects with OutboundError, or with the signal's reason once that is
   * aborted, which closes the socket.
   */
  abstract request(request: OutboundRequest): Promise<OutboundResponse>;

  /**
   * The same as soon as the answer begins, for one that may go on for long: server-sent events. Aborting the signal
   * closes the socket until the body is at its end, so a body must be read, cancelled or aborted.
   */
  abstract open(request: OutboundStreamRequest): Promise<OutboundStream>;
}

export type OutboundErrorCode =
  'BLOCKED' | 'TIMEOUT' | 'TOO_LARGE' | 'UNREACHABLE' | 'BAD_URL' | 'TOO_MANY_REDIRECTS';

/** Why there is no answer, in words for people. The message never holds an address that a name stands for. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly code: OutboundErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
