import { pipeline, Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

import { outboundErrorOf } from './outbound-failure.js';
import { OutboundError } from './outbound-http.js';

/** What servers are asked for. Deflate, which they understand in two ways, is unpacked where one insists on it. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/**
 * Reads and unpacks a body up to `maxBytes` of what comes out, so that a small one that unpacks to a huge one costs no
 * more than any other; the rest is not read.
 */
export const readBody = async (
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> => {
  const unpacked = unpack(body, encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the body, and its connection with it.
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks), truncated: size > maxBytes };
};

/** The same as a stream, which fails once more than `maxBytes` have come. */
export const streamBody = (
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): ReadableStream<Uint8Array> => {
  const unpacked = unpack(body, encoding);
  const limiter = limiterOf(maxBytes);
  unpacked.on('error', (error) => limiter.destroy(outboundErrorOf(error)));
  // A body that broke off without an error has no end either.
  unpacked.on('close', () => {
    if (!unpacked.readableEnded) limiter.destroy(outboundErrorOf(null));
  });
  limiter.on('close', () => unpacked.destroy());
  unpacked.pipe(limiter);
  return Readable.toWeb(limiter) as ReadableStream<Uint8Array>;
};

const limiterOf = (maxBytes: number): Transform => {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      if (size > maxBytes) callback(tooLarge(maxBytes));
      else callback(null, chunk);
    },
  });
};

export const tooLarge = (maxBytes: number): OutboundError =>
  new OutboundError('TOO_LARGE', `The answer is larger than ${inMegabytes(maxBytes)} MB.`);

const inMegabytes = (bytes: number): number => Number((bytes / 1e6).toPrecision(2));

const unpack = (body: Readable, encoding: string | undefined): Readable => {
  const unpacker = unpackerOf(encoding?.trim().toLowerCase() ?? '', body);
  // What goes wrong reaches the reader of the unpacker; a reader that leaves takes the body along.
  return unpacker ? pipeline(body, unpacker, () => undefined) : body;
};

/** Servers close packed bodies early, and browsers show what came: so do the unpackers, told to flush at the end. */
const unpackerOf = (encoding: string, body: Readable): Transform | null => {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      body.destroy();
      throw new OutboundError('UNREACHABLE', 'The server packs its answer in a way that is not understood.');
  }
};
