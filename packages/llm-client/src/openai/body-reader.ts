import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';

import { ModelError } from '../chat-model.js';
import type { AnswerReader } from './answer.js';
import { ProviderRefusal } from './provider-error.js';

interface BodyLimits {
  /** The most UTF-16 units of an event, and of a line that has not ended. */
  maxEventLength: number;
  maxBytes: number;
}

const usualLimits: BodyLimits = { maxEventLength: 1024 * 1024, maxBytes: 64 * 1024 * 1024 };
const MAX_PAGE_BYTES = 64 * 1024;

type Kind = 'stream' | 'document' | 'page';

/**
 * Reads the bytes of a successful answer as a stream of events, one completion, or a web page. The first character
 * decides, because content types are unreliable. Bytes may be cut anywhere, even inside a character.
 */
export class BodyReader {
  private kind: Kind | null = null;
  private readonly pieces: Buffer[] = [];
  private length = 0;
  private readonly decoder = new StringDecoder('utf8');
  private readonly events: EventSourceParser;
  /** The first character of the current line. Empty: a new line. */
  private lineStart = '';

  constructor(
    private readonly answer: AnswerReader,
    private readonly limits = usualLimits,
  ) {
    this.events = createParser({
      maxBufferSize: limits.maxEventLength,
      onEvent: ({ data, event: name = '' }) => answer.event(data, name.trim()),
      onError: ({ type, message }) => {
        if (type === 'max-buffer-size-exceeded') throw tooLong(message);
      },
    });
  }

  /** Whether the bytes had part of an answer, and did not just keep the connection open. */
  push(bytes: Buffer): boolean {
    const known = this.kind === null ? bytes.subarray(startOf(bytes)) : bytes;
    if (known.length === 0) return false;
    this.kind ??= kindOf(known);
    this.length += known.length;
    if (this.length > this.limits.maxBytes) throw tooLong(`It is longer than ${this.limits.maxBytes} bytes.`);
    if (this.kind === 'stream') return this.feed(this.decoder.write(known));
    this.pieces.push(known);
    if (this.kind === 'page' && this.length > MAX_PAGE_BYTES) throw new ProviderRefusal(null, this.text());
    return true;
  }

  /** The body ended, or `cause` cut it. */
  end(cause?: ModelError): void {
    if (this.kind === 'page') throw new ProviderRefusal(null, this.text());
    if (this.kind === 'document' && !cause) return this.answer.document(this.text());
    this.answer.end(cause ?? this.endStream());
  }

  /**
   * Emits a last event without its closing blank line, which some providers omit. An unreadable event was cut, which
   * is fine after a finish reason.
   */
  private endStream(): ModelError | undefined {
    try {
      if (this.kind === 'stream') this.feed(`${this.decoder.end()}\n\n`);
      return undefined;
    } catch (error) {
      if (error instanceof ModelError) return error;
      throw error;
    }
  }

  /** Whether the text had more than comments and line ends. */
  private feed(text: string): boolean {
    this.events.feed(text);
    const seen = this.lineStart + text;
    this.lineStart = seen.charAt(Math.max(seen.lastIndexOf('\n'), seen.lastIndexOf('\r')) + 1);
    return /^[^:\r\n]/m.test(seen);
  }

  private text(): string {
    return Buffer.concat(this.pieces).toString('utf8');
  }
}

function tooLong(detail: string): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', 'The provider sent more than can be taken.', true, detail);
}

const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

/** The index of the first byte other than white space or a byte order mark, which may be split in three. */
function startOf(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => byte > 0x20 && !byteOrderMark.has(byte));
  return start === -1 ? bytes.length : start;
}

function kindOf(bytes: Buffer): Kind {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return 'document';
  return bytes[0] === 0x3c ? 'page' : 'stream';
}
