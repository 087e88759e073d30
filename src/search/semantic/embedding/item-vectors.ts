import { ModelError } from '../../../llm/chat-model.js';
import type { Embedder } from '../../../llm/embedder.js';

/** Some servers fail at certain texts. Whether it is the text or the server is seen by one that any server takes. */
const HARMLESS = 'Hello.';

/**
 * The vectors of texts; null for one that the embedder fails at although it works. Rejects with ModelError when it
 * does not, and with the signal's reason.
 */
export const vectorsOrNull = async (
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> => {
  try {
    return await embedder.embed(texts, 'item', signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelError)) throw error;
    await embedder.embed([HARMLESS], 'item', signal);
    if (texts.length === 1) return [null];
    const vectors: (Float32Array | null)[] = [];
    for (const text of texts) vectors.push(...(await vectorsOrNull(embedder, [text], signal)));
    return vectors;
  }
};
