export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OutboundRequest {
  url: string;
  /** Default: GET. */
  method?: OutboundMethod;
  /** After a redirect to another origin, only harmless ones are sent. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For the whole request: DNS, connection, redirects and body. */
  timeoutMs: number;
  /** The limit of the decompressed body. */
  maxBytes: number;
  /** The company or other party of the request. Requests of others to the same server do not wait for it. */
  requester: string;
  /** Whether a longer body fails with TOO_LARGE or is cut. Default: it fails. */
  whenTooLarge?: 'fail' | 'truncate';
  /** Default: 5. */
  maxRedirects?: number;
  /** The URL is a setting of the operator, whose host may be in a private network. */
  isOperators?: boolean;
  signal: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  /** By lowercase name. Several of the same name are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The final URL, after redirects. */
  url: string;
  body: Buffer;
  /** The body was longer than `maxBytes` and was cut. */
  truncated: boolean;
}

/** A request whose answer is read as a stream. */
export interface OutboundStreamRequest extends Omit<OutboundRequest, 'whenTooLarge' | 'requester'> {
  /** Until the answer begins. After that only `signal` limits the time. */
  timeoutMs: number;
}

export interface OutboundStream extends Omit<OutboundResponse, 'body' | 'truncated'> {
  /** Fails with OutboundError when it breaks off or is longer than `maxBytes`. Cancelling it closes the socket. */
  body: ReadableStream<Uint8Array>;
}

/** The only HTTP client for requests of skills, companies and models. The class is both the type and the token. */
export abstract class OutboundHttp {
  /**
   * Resolves for any HTTP status. Rejects with OutboundError, or with the signal's reason; aborting the signal closes the
   * socket.
   */
  abstract request(request: OutboundRequest): Promise<OutboundResponse>;

  /**
   * As `request`, but resolves when the answer begins: for long answers such as server-sent events. The body must be read
   * to its end, cancelled, or aborted by the signal, or its socket stays open.
   */
  abstract open(request: OutboundStreamRequest): Promise<OutboundStream>;
}

/** BUSY: nothing was sent, because other requests of the same requester wait for this server. */
export type OutboundErrorCode =
  'BLOCKED' | 'BUSY' | 'TIMEOUT' | 'TOO_LARGE' | 'UNREACHABLE' | 'BAD_URL' | 'TOO_MANY_REDIRECTS';

/** Why there is no answer, in words for people. The message never contains the IP address of a host. */
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
