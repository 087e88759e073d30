import { strToU8, Zip, ZipDeflate } from 'fflate';

/** A file of an archive, whose text comes piece by piece. */
export interface ZippedText {
  name: string;
  pieces: AsyncIterable<string>;
}

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
      file.push(strToU8(piece));
      yield* take();
    }
    file.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
};
