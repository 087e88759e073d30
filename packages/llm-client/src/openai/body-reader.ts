import { StringDecoder } from 'node:string_decoder';

import { ModelError } from '../chat-model.js';
import type { AnswerReader } from './answer.js';
import { ProviderRefusal } from './provider-error.js';

const MAX_PAGE_BYTES = 64 * 1024;

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

  constructor(private readonly answer: AnswerReader) {
    this.sse = new SseParser((data, name) => answer.event(data, name));
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
    if (this.kind === 'page') throw new ProviderRefusal(null, this.text());
    if (this.kind === 'document' && !cause) return this.answer.document(this.text());
    this.answer.end(cause ?? this.endStream());
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
    if (this.kind === 'page' && this.length > MAX_PAGE_BYTES) throw new ProviderRefusal(null, this.text());
    this.pieces.push(bytes);
  }

  private text = (): string => Buffer.concat(this.pieces).toString('utf8');
}

function tooLong(detail: string): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'The provider sent more than can be taken.', true, detail);
}

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

interface SseLimits {
  /** Longest line, in UTF-16 units. */
  maxLineLength: number;
  /** Longest stream, in bytes. */
  maxTotalBytes: number;
}

export const defaultSseLimits: SseLimits = { maxLineLength: 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** Thrown when a stream is longer than it may be. */
export class SseLimitError extends Error {
  override readonly name = 'SseLimitError';
}

const anyLineEnd = /\r\n|\n|\r/g;

/**
 * Server-sent events from bytes that arrive cut anywhere, also inside a character or a CRLF.
 * `onData` gets the data of each event, and its name, which is mostly empty; comments and ids are dropped.
 */
export class SseParser {
  private readonly decoder = new StringDecoder('utf8');
  private totalBytes = 0;
  private atStart = true;
  private endedInCr = false;
  private line = '';
  private data: string | null = null;
  private name = '';
  private hasNews = false;

  constructor(
    private readonly onData: (data: string, name: string) => void,
    private readonly limits: SseLimits = defaultSseLimits,
  ) {}

  /** Whether there was more in it than comments and ends of lines. */
  push(bytes: Buffer): boolean {
    this.totalBytes += bytes.length;
    if (this.totalBytes > this.limits.maxTotalBytes) {
      throw new SseLimitError(`The stream is longer than ${this.limits.maxTotalBytes} bytes.`);
    }
    this.hasNews = false;
    this.take(this.decoder.write(bytes));
    return this.hasNews || (this.line !== '' && !this.line.startsWith(':'));
  }

  /** Gives out an event whose closing blank line never came: not every provider sends the last one. */
  end(): void {
    this.take(this.decoder.end());
    if (this.line !== '') this.endLine('');
    this.dispatch();
  }

  private take(decoded: string): void {
    if (decoded === '') return;
    let text = decoded;
    if (this.atStart && text.startsWith('\uFEFF')) text = text.slice(1);
    this.atStart = false;
    // The LF of a CRLF that was cut in two ends no second line.
    if (this.endedInCr && text.startsWith('\n')) text = text.slice(1);
    this.endedInCr = decoded.endsWith('\r');
    const rest = text.includes('\r') ? this.splitAtAnyEnd(text) : this.splitAtLf(text);
    this.line += rest;
    this.checkLength(this.line);
  }

  private splitAtLf(text: string): string {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.endLine(text.slice(start, end));
      start = end + 1;
    }
    return text.slice(start);
  }

  private splitAtAnyEnd(text: string): string {
    let start = 0;
    for (const match of text.matchAll(anyLineEnd)) {
      this.endLine(text.slice(start, match.index));
      start = match.index + match[0].length;
    }
    return text.slice(start);
  }

  private endLine(tail: string): void {
    const line = this.line === '' ? tail : this.line + tail;
    this.line = '';
    if (line === '') return this.dispatch();
    this.checkLength(line);
    if (line.startsWith('event:')) return void (this.name = line.slice(6).trim());
    if (!line.startsWith('data')) return;
    if (line.length === 4) return this.addData('');
    if (line.charCodeAt(4) !== 0x3a) return;
    this.addData(line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5));
  }

  private addData(value: string): void {
    this.hasNews = true;
    this.data = this.data === null ? value : `${this.data}\n${value}`;
    this.checkLength(this.data);
  }

  private dispatch(): void {
    const { data, name } = this;
    this.data = null;
    this.name = '';
    if (data !== null) this.onData(data, name);
  }

  private checkLength(text: string): void {
    if (text.length > this.limits.maxLineLength) {
      throw new SseLimitError(`A line of the stream is longer than ${this.limits.maxLineLength} characters.`);
    }
  }
}
