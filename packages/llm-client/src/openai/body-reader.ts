import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';

import { ModelError } from '../chat-model.js';
import type { AnswerReader } from './answer.js';
import { ProviderRefusal } from './provider-error.js';

interface BodyLimits {
  /** Of an event, and of a line that has not ended, in UTF-16 units. */
  maxEventLength: number;
  /** Of all of the body. */
  maxBytes: number;
}

const usualLimits: BodyLimits = { maxEventLength: 1024 * 1024, maxBytes: 64 * 1024 * 1024 };
const MAX_PAGE_BYTES = 64 * 1024;

type Kind = 'stream' | 'document' | 'page';

/**
 * Takes the bytes of a good answer and hands them on as what they are: a stream of events, a completion in one
 * piece, or a web page. Its first character decides; content types are not to be relied upon. They may be cut anywhere,
 * also inside a character.
 */
export class BodyReader {
  private kind: Kind | null = null;
  private readonly pieces: Buffer[] = [];
  private length = 0;
  private readonly decoder = new StringDecoder('utf8');
  private readonly events: EventSourceParser;
  /** The first character of the line that has begun; empty: none has. */
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

  /** Whether the bytes had something of an answer in them, and did not just keep the connection open. */
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

  /** The body is over, or was cut by `cause`. */
  end(cause?: ModelError): void {
    if (this.kind === 'page') throw new ProviderRefusal(null, this.text());
    if (this.kind === 'document' && !cause) return this.answer.document(this.text());
    this.answer.end(cause ?? this.endStream());
  }

  /**
   * Gives out an event whose closing blank line never came: not every provider sends the last one. What cannot be read was
   * cut, which a finish reason makes good.
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

  /** Whether there was more in it than comments and ends of lines. */
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

/** Where the first byte stands that is neither white space nor of a byte order mark, which may be cut in three. */
function startOf(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => byte > 0x20 && !byteOrderMark.has(byte));
  return start === -1 ? bytes.length : start;
}

function kindOf(bytes: Buffer): Kind {
  if (bytes[0] === 0x7b || bytes[0] === 0x5b) return 'document';
  return bytes[0] === 0x3c ? 'page' : 'stream';
}
