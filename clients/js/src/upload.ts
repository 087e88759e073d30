import { errorIn, PalabreError } from './palabre-error.js';

/** Where a file is to be sent, as the server said. */
export interface UploadTicket {
  readonly url: string;
  readonly method: string;
  readonly headers: unknown;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told from time to time how many bytes have left, at last all of them. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
}

/** What is used of a browser's XMLHttpRequest, which alone tells there how far a request is. */
interface BrowserRequest extends EventTarget {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
  readonly upload: EventTarget;
  readonly status: number;
  readonly responseText: string;
}

/** The own stream of a file in memory would give all at once. */
const PIECE_BYTES = 64 * 1024;

interface Taken {
  readonly status: number;
  readonly text: string;
}

/** Sends a file's bytes. Rejects with the server's error, or UNREACHABLE. */
export async function sendFile(ticket: UploadTicket, file: Blob, options: SendOptions): Promise<void> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const { status, text } = await put(ticket, file, options).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new PalabreError('UNREACHABLE', `The file could not be sent to ${new URL(ticket.url).origin}.`, {
      cause,
    });
  });
  if (status < 200 || status > 299) throw refusalIn(text, status);
  onProgress?.(file.size, file.size);
}

function put(ticket: UploadTicket, file: Blob, options: SendOptions): Promise<Taken> {
  const { XMLHttpRequest: Request } = globalThis as { XMLHttpRequest?: new () => BrowserRequest };
  return Request ? putInBrowser(new Request(), ticket, file, options) : putByFetch(ticket, file, options);
}

function headersOf({ headers }: UploadTicket): Record<string, string> {
  return headers as Record<string, string>;
}

function putInBrowser(
  request: BrowserRequest,
  ticket: UploadTicket,
  file: Blob,
  { signal, onProgress }: SendOptions,
): Promise<Taken> {
  const stop = (): void => request.abort();
  const answered = new Promise<Taken>((resolve, reject) => {
    const failed = (): void => reject(new Error('The request failed.'));
    request.upload.addEventListener('progress', (event) =>
      onProgress?.((event as Event & { loaded: number }).loaded, file.size),
    );
    request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }));
    request.addEventListener('error', failed);
    request.addEventListener('abort', failed);
    request.open(ticket.method, ticket.url);
    for (const [name, value] of Object.entries(headersOf(ticket))) request.setRequestHeader(name, value);
    signal?.addEventListener('abort', stop);
    request.send(file);
  });
  return answered.finally(() => signal?.removeEventListener('abort', stop));
}

async function putByFetch(
  ticket: UploadTicket,
  file: Blob,
  { signal, onProgress }: SendOptions,
): Promise<Taken> {
  // The length of a stream is not known by itself, and some stores take no file without.
  const headers = { ...headersOf(ticket), 'content-length': String(file.size) };
  const body = onProgress ? counted(file, onProgress) : file;
  const response = await fetch(ticket.url, {
    method: ticket.method,
    headers,
    body,
    duplex: 'half',
    ...(signal && { signal }),
  } as RequestInit);
  return { status: response.status, text: await response.text() };
}

/** The file's bytes, counted as they are taken. */
function counted(file: Blob, onProgress: (sent: number, total: number) => void): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = new Uint8Array(await file.slice(sent, sent + PIECE_BYTES).arrayBuffer());
      if (piece.byteLength === 0) return controller.close();
      controller.enqueue(piece);
      sent += piece.byteLength;
      onProgress(sent, file.size);
    },
  });
}

function refusalIn(text: string, status: number): PalabreError {
  let errors: unknown;
  try {
    ({ errors } = JSON.parse(text) as { errors?: unknown });
  } catch {
    // A store's own words: not for people.
  }
  return errorIn(errors) ?? new PalabreError('UNREACHABLE', `The file was not taken (HTTP ${status}).`);
}
