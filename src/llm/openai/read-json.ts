import { addAbortSignal, type Readable } from 'node:stream';

import { ModelError } from '../chat-model.js';

/** The whole of an answer's body as JSON. Rejects with ModelError, and when `signal` is aborted. */
export async function readJson(
  message: Readable,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<unknown> {
  addAbortSignal(signal, message);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw unusable(`more than ${maxBytes} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw unusable(`no JSON: ${Buffer.concat(pieces).toString('utf8', 0, 200)}`);
  }
}

const unusable = (detail: string): ModelError =>
  new ModelError('MODEL_UNAVAILABLE', 'The provider gave an answer that cannot be used.', true, detail);
