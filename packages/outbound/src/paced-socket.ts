import type { Socket } from 'node:net';

import { OutboundError } from './outbound-http.js';

/** More than any answer in any encoding. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Bytes read without a break, from all servers together. */
const SLICE_BYTES = 64 * 1024;

/** Bytes read since the last break. */
let sliceBytes = 0;
const held = new Set<Socket>();
let isScheduled = false;

/**
 * Limits reading from a socket between two requests. The HTTP client counts bodies only, and would read endless chunk
 * extensions, interim answers and empty compressed blocks without a break. Call this before the client has the socket.
 */
export function paceReading(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let answerBytes = 0;
  socket.write = ((...request: Parameters<typeof write>) => {
    answerBytes = 0;
    return write(...request);
  }) as typeof write;
  socket.read = (size?: number): Buffer | null => {
    if (sliceBytes >= SLICE_BYTES && socket.readableLength > 0) {
      hold(socket);
      return null;
    }
    const chunk = read(size) as Buffer | null;
    if (chunk === null) return null;
    sliceBytes += chunk.length;
    answerBytes += chunk.length;
    schedule();
    if (answerBytes <= MAX_ANSWER_BYTES) return chunk;
    socket.destroy(new OutboundError('TOO_LARGE', 'The server sends more than belongs to an answer.'));
    return null;
  };
  return socket;
}

function hold(socket: Socket): void {
  held.add(socket);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(goOn);
}

function goOn(): void {
  isScheduled = false;
  sliceBytes = 0;
  for (const socket of held) {
    if (sliceBytes >= SLICE_BYTES) return schedule();
    held.delete(socket);
    socket.emit('readable');
  }
}
