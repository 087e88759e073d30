import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { CircuitName } from '../../llm/guard/circuit-breaker.js';
import { Embedder } from '../../llm/embedder.js';
import type { SemanticHit } from '../fusion.js';
import type { PreparedQuery, SearchRequest } from '../search.js';
import { embedItems } from './embedding/embed-items.job.js';
import { QueryVectors } from './query-vectors.js';
import { VectorRepository } from './vector.repository.js';
import { VectorSchemaRepository } from './vector-schema.repository.js';

/** How search stands, for those who look after the server. */
export interface SearchState {
  search: 'lexical only' | 'lexical and semantic';
  /** Whether calls to the embedder are let through; null: there is none. */
  embedder: CircuitName | null;
}

/** In scopes with more things than this, not each one is compared. */
export const MOST_COMPARED = 20_000;

/** Search by meaning, where there is an embedder and PostgreSQL has pgvector; else it finds nothing and costs nothing. */
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

  /** Before anything is searched or indexed. */
  async onModuleInit(): Promise<void> {
    if (!this.embedder) return;
    const problem = await this.schema.prepare();
    if (problem === null) this.queries = new QueryVectors(this.embedder, this.logger);
    else this.logger.warn(`EMBEDDING_MODEL is set, but there is only lexical search: ${problem}`);
  }

  /** Whether there is search by meaning at all; the embedder may be away nevertheless. */
  get isOn(): boolean {
    return this.queries !== null;
  }

  get state(): SearchState {
    const embedder = this.embedder?.state ?? null;
    return { search: this.isOn ? 'lexical and semantic' : 'lexical only', embedder };
  }

  /**
   * The vector of a question, within two seconds; not to be called inside a transaction. Rejects when `signal` is
   * aborted, and never else: without a vector, `warning` says why.
   */
  async embedQuery(text: string, signal: AbortSignal): Promise<Pick<PreparedQuery, 'vector' | 'warning'>> {
    return this.queries?.of(text, signal) ?? { vector: null, warning: null };
  }

  /** What is nearest to the vector of a question, of what has to do with it at all. */
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
      found.isIndexed && found.items > MOST_COMPARED
        ? await this.vectors.listNearestByIndex(tx, found, request)
        : await this.vectors.listNearest(tx, found, request);
    return rows.filter(({ similarity }) => similarity > found.noise);
  }

  /** Has embedded what was put into the index in `tx`. */
  async changed(tx: Transaction): Promise<void> {
    if (!this.isOn) return;
    await this.jobs.enqueue(tx, embedItems, { companyId: tx.companyId });
  }

  /** For those who embed. */
  get activeEmbedder(): Embedder | null {
    return this.isOn ? this.embedder : null;
  }
}
