import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CircuitName, Embedder } from '@palabre/llm-client';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { SemanticHit } from '../fusion.js';
import type { PreparedQuery, SearchRequest } from '../search.js';
import { embedItems } from './embed-items.job.js';
import { VectorSchemaRepository } from './vector-schema.repository.js';
import { VectorRepository } from './vector.repository.js';

export interface SearchState {
  search: 'lexical only' | 'lexical and semantic';
  /** The state of the embedder's circuit breaker; null: there is no embedder. */
  embedder: CircuitName | null;
}

/** Larger scopes are searched by the vector index instead of comparing every item. */
export const MAX_COMPARED = 20_000;

/** Semantic search. Needs an embedder and pgvector; without them it finds nothing and costs nothing. */
@Injectable()
export class SemanticLeg implements OnModuleInit {
  private queries: QueryVectors | null = null;

  constructor(
    @Inject(Embedder) private readonly embedder: Embedder | null,
    private readonly jobs: JobQueue,
    private readonly schema: VectorSchemaRepository,
    private readonly vectors: VectorRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Prepares the schema before anything is searched or indexed. */
  async onModuleInit(): Promise<void> {
    if (!this.embedder) return;
    const problem = await this.schema.prepare();
    if (problem === null) this.queries = new QueryVectors(this.embedder, this.logger);
    else this.logger.warn(`EMBEDDING_MODEL is set, but there is only lexical search: ${problem}`);
  }

  /** Whether semantic search is enabled; the embedder may still be unavailable. */
  get isOn(): boolean {
    return this.queries !== null;
  }

  get state(): SearchState {
    const embedder = this.embedder?.state ?? null;
    return { search: this.isOn ? 'lexical and semantic' : 'lexical only', embedder };
  }

  /**
   * The vector of a question, within two seconds. Not to be called inside a transaction. Rejects only when `signal` is
   * aborted; otherwise a missing vector is explained by `warning`.
   */
  async embedQuery(text: string, signal: AbortSignal): Promise<Pick<PreparedQuery, 'vector' | 'warning'>> {
    return this.queries?.embed(text, signal) ?? { vector: null, warning: null };
  }

  /** The items nearest to a question's vector, without those below the noise level. */
  async find(
    tx: Transaction,
    vector: Float32Array,
    { scopes, groupIds }: SearchRequest,
    limit: number,
  ): Promise<SemanticHit[]> {
    if (!this.isOn || !this.embedder || scopes.length === 0 || groupIds?.length === 0) return [];
    const { model } = this.embedder;
    const found = await this.vectors.findScopes(tx, scopes, { model, dimensions: vector.length });
    if (found === null) return [];
    const request = { vector, groupIds, limit };
    const rows =
      found.isIndexed && found.items > MAX_COMPARED
        ? await this.vectors.listNearestByIndex(tx, found, request)
        : await this.vectors.listNearest(tx, found, request);
    return rows.filter(({ similarity }) => similarity > found.noise);
  }

  /** Enqueues the embedding of items that `tx` has indexed. */
  async changed(tx: Transaction): Promise<void> {
    if (!this.isOn) return;
    await this.jobs.enqueue(tx, embedItems, { companyId: tx.companyId });
  }

  /** The embedder, if semantic search is enabled. */
  get activeEmbedder(): Embedder | null {
    return this.isOn ? this.embedder : null;
  }
}

/** Cached query vectors: a turn and its preview, and the pages of a list, repeat queries. */
const KEPT_QUERIES = 200;

/** Includes waiting for a free slot; the embedder's own time limit is shorter. */
const MAX_MS = 2_000;

const WARNING = 'Search by meaning is not available just now: only words were compared.';

/** Embeds queries, with a cache. */
class QueryVectors {
  private readonly known = new LRUCache<string, Float32Array>({ max: KEPT_QUERIES });
  private readonly warnings = new LogThrottle();

  constructor(
    private readonly embedder: Embedder,
    private readonly logger: Logger,
  ) {}

  /** Rejects only when `signal` is aborted. */
  async embed(text: string, signal: AbortSignal): Promise<Pick<PreparedQuery, 'vector' | 'warning'>> {
    const query = text.trim();
    if (query === '') return { vector: null, warning: null };
    const known = this.known.get(query);
    if (known) return { vector: known, warning: null };
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
      const [vector] = await this.embedder.embed([query], 'query', within);
      if (vector === undefined) throw new Error('The embedder gave no vector.');
      this.known.set(query, vector);
      return { vector, warning: null };
    } catch (error) {
      signal.throwIfAborted();
      this.warnings.say(() =>
        this.logger.warn({ err: error }, 'the embedder failed: a question is searched by its words alone'),
      );
      return { vector: null, warning: WARNING };
    }
  }
}

const PAUSE_MS = 60_000;

/** Limits a log message to one per minute. */
export class LogThrottle {
  private saidAt = Number.NEGATIVE_INFINITY;

  say(it: () => void): void {
    const now = performance.now();
    if (now - this.saidAt < PAUSE_MS) return;
    this.saidAt = now;
    it();
  }
}
