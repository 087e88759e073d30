import { Readable } from 'node:stream';

import { readBody, streamBody } from './read-body.js';

const MOST = 2_000_000;
const request = { maxBytes: MOST, requester: 'a', signal: new AbortController().signal };

/** A near server's body, which is complete at once. */
function body(): Readable {
  return Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(65_536, 'a')));
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of stream) bytes += piece.length;
  return bytes;
}

it.each([
  ['to its limit', async () => (await readBody(body(), undefined, request)).bytes.length, MOST],
  ['as a stream', () => bytesOf(streamBody(body(), undefined, 2 * MOST)), 32 * 65_536],
])('a body that is read %s lets others be served meanwhile', async (_, read, bytes) => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  expect(await read()).toBe(bytes);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThan(20);
});

it('is not read any further once its requester has left', async () => {
  const leaving = new AbortController();
  const source = body();
  const reading = readBody(source, undefined, { ...request, signal: leaving.signal });
  leaving.abort(new Error('They have left.'));
  await expect(reading).rejects.toThrow('They have left.');
  expect(source.destroyed).toBe(true);
});
