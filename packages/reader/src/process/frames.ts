import type { Readable, Writable } from 'node:stream';

const LENGTH_BYTES = 4;

/** The limit of a page's text in a message. A longer one would block the receiver. */
export const MAX_PIECE_CHARACTERS = 100_000;

/** The longest message. JSON escapes make a piece longer. */
export const MAX_MESSAGE_BYTES = 8 * MAX_PIECE_CHARACTERS;

/**
 * Writes a length-prefixed frame, so that a pipe can carry several messages and stay open. Copies nothing, as parts of
 * large files are sent. False: wait for `drain`.
 */
export function writeFrame(stream: Writable, bytes: Uint8Array, done?: () => void): boolean {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.byteLength);
  stream.cork();
  stream.write(length);
  const isTaken = stream.write(bytes, done);
  stream.uncork();
  return isTaken;
}

/**
 * Reads frames until the stream ends. Leaving early keeps it open. An incomplete last frame is dropped. Throws at the
 * beginning of a frame of more than `maxBytes`.
 */
export async function* framesOf(stream: Readable, maxBytes = Infinity): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let wanted = LENGTH_BYTES;
  let isLength = true;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    parts.push(chunk as Buffer);
    bytes += (chunk as Buffer).byteLength;
    while (bytes >= wanted) {
      const all = Buffer.concat(parts, bytes);
      const part = all.subarray(0, wanted);
      parts = [all.subarray(wanted)];
      bytes -= wanted;
      wanted = isLength ? part.readUInt32BE() : LENGTH_BYTES;
      if (!isLength) yield part;
      else if (wanted > maxBytes) throw new Error('A message between the processes is too long.');
      isLength = !isLength;
    }
  }
  return undefined;
}
