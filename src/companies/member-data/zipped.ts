import { setImmediate } from 'node:timers/promises';

import { strToU8, Zip, ZipDeflate } from 'fflate';

/** A file of an archive, whose text comes piece by piece. */
export interface ZippedText {
  name: string;
  pieces: AsyncIterable<string>;
}

/** Compressing so many takes a few milliseconds, after which others have their turn. */
const BYTES_AT_A_TIME = 64 * 1024;

/** The bytes of a .zip, as they become ready: never more in memory than a piece and what became of it. */
export const zipped = async function* (files: Iterable<ZippedText>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    failure ??= error;
    ready.push(bytes);
  });
  const take = (): Uint8Array[] => {
    if (failure) throw failure;
    return ready.splice(0);
  };
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const piece of pieces) {
      for (const bytes of partsOf(strToU8(piece))) {
        file.push(bytes);
        yield* take();
        await setImmediate();
      }
    }
    file.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
};

const partsOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += BYTES_AT_A_TIME) {
    yield bytes.subarray(start, start + BYTES_AT_A_TIME);
  }
};
