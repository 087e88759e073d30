/** The same bytes in pieces of `size`; the last one may be shorter, and none is empty. */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, undefined> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    let rest = chunk;
    while (bytes + rest.byteLength >= size) {
      const taken = size - bytes;
      yield Buffer.concat([...chunks, rest.subarray(0, taken)]);
      rest = rest.subarray(taken);
      chunks = [];
      bytes = 0;
    }
    if (rest.byteLength > 0) chunks.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
  return undefined;
}
