import { LRUCache } from 'lru-cache';

import type { Logger } from '../../common/process/logger.js';
import type { Embedder } from '../../llm/embedder.js';
import type { PreparedQuery } from '../search.js';
import { Seldom } from './seldom.js';

/** A turn and its preview ask the same; pages of a list do. */
const KEPT_QUERIES = 200;

/** With the wait for a place; the embedder's own limit is shorter. */
const MOST_MS = 2_000;

const WARNING = 'Search by meaning is not available just now: only words were compared.';

/** The vectors of questions. */
export class QueryVectors {
  private readonly known = new LRUCache<string, Float32Array>({ max: KEPT_QUERIES });
  private readonly warnings = new Seldom();

  constructor(
    private readonly embedder: Embedder,
    private readonly logger: Logger,
  ) {}

  /** Rejects when `signal` is aborted, and never else. */
  async of(text: string, signal: AbortSignal): Promise<Pick<PreparedQuery, 'vector' | 'warning'>> {
    const query = text.trim();
    if (query === '') return { vector: null, warning: null };
    const known = this.known.get(query);
    if (known) return { vector: known, warning: null };
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
      const [vector] = await this.embedder.embed([query], 'query', within);
      if (vector === undefined) throw new Error('The embedder gave no vector.');
      this.known.set(query, vector);
      return { vector, warning: null };
    } catch (error) {
      signal.throwIfAborted();
      this.warnings.say(() => this.logger.warn({ err: error }, 'a question is searched by its words alone'));
      return { vector: null, warning: WARNING };
    }
  }
}
