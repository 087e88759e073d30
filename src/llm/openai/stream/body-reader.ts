import { ModelError } from '../../chat-model.js';
import type { CompletionReader } from './completion-reader.js';
import { defaultSseLimits, SseLimitError, SseParser } from './sse-parser.js';

type Kind = 'stream' | 'document' | 'page';

/**
 * Takes the bytes of a good answer and hands them on as what they are: a stream of events, a completion in one
 * piece, or a web page. Its first character decides; content types are not to be relied upon.
 */
export class BodyReader {
  private kind: Kind | null = null;
  private pieces: Buffer[] = [];
  private length = 0;
  private readonly sse: SseParser;

  constructor(private readonly completion: CompletionReader) {
    this.sse = new SseParser((data, name) => completion.event(data, name));
  }

  /** Whether the bytes had something of an answer in them, and did not just keep the connection open. */
  push(bytes: Buffer): boolean {
    const known = this.kind === null ? bytes.subarray(startOf(bytes)) : bytes;
    if (known.length === 0) return false;
    this.kind ??= kindOf(known);
    try {
      if (this.kind === 'stream') return this.sse.push(known);
      this.keep(known);
      return true;
    } catch (error) {
      throw error instanceof SseLimitError ? tooLong(error.message) : error;
    }
  }

  /** The body is over, or was cut by `cause`. */
  end(cause?: ModelError): void {
    if (this.kind === 'page') throw this.pageError();
    if (this.kind === 'document' && !cause) return this.completion.document(this.text());
    this.completion.end(cause ?? this.endStream());
  }

  /** Gives out what the parser still holds; what cannot be read was cut, which a finish reason makes good. */
  private endStream(): ModelError | undefined {
    try {
      if (this.kind === 'stream') this.sse.end();
      return undefined;
    } catch (error) {
      if (error instanceof SseLimitError) return tooLong(error.message);
      if (error instanceof ModelError) return error;
      throw error;
    }
  }

  private keep(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > defaultSseLimits.maxTotalBytes) throw tooLong('The document is too long.');
    if (this.kind === 'page' && this.length > 64 * 1024) throw this.pageError();
    this.pieces.push(bytes);
  }

  private text = (): string => Buffer.concat(this.pieces).toString('utf8');

  private pageError(): ModelError {
    const message = 'The provider answered with a web page instead of a completion: check LLM_BASE_URL.';
    return new ModelError('MODEL_UNAVAILABLE', message, true, this.text().slice(0, 2000));
  }
}

const tooLong = (detail: string): ModelError =>
  new ModelError('MODEL_UNAVAILABLE', 'The provider sent more than can be taken.', true, detail);

const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

/** Where the first byte stands that is neither white space nor of a byte order mark, which may be cut in three. */
function startOf(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => byte > 0x20 && !byteOrderMark.has(byte));
  return start === -1 ? bytes.length : start;
}

function kindOf(bytes: Buffer): Kind {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return 'document';
  return bytes[0] === 0x3c ? 'page' : 'stream';
}
