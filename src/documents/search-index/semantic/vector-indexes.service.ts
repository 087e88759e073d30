import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Database } from '../../../platform/database/database.js';
import { EmbeddingRepository } from './embedding.repository.js';
import { MAX_COMPARED } from './semantic-leg.service.js';
import { type VectorSpace, VectorSchemaRepository } from './vector-schema.repository.js';

/** Creates the vector index of a space once a scope is too large for comparing every vector. */
@Injectable()
export class VectorIndexes implements OnModuleDestroy {
  private making: Promise<void> | null = null;
  private readonly made = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly embeddings: EmbeddingRepository,
    private readonly schema: VectorSchemaRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Checks a company whose items are all embedded, and starts creating the index in the background if needed. */
  async consider(companyId: string, space: VectorSpace): Promise<void> {
    // Creating the index would block the embedded database for minutes: there, every vector is compared.
    if (this.database.embedded || this.making || this.made.has(space.id)) return;
    const items = await this.database.read(companyId, (tx) => this.embeddings.largestScope(tx));
    if (items <= MAX_COMPARED) return;
    this.making = this.make(space).finally(() => (this.making = null));
  }

  async onModuleDestroy(): Promise<void> {
    await this.schema.stop();
    await this.making;
  }

  /** After a failure, it is tried again after the next change. */
  private async make(space: VectorSpace): Promise<void> {
    try {
      if (await this.schema.makeIndex(space)) this.made.add(space.id);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'the vector index could not be created; search works without it, but slower',
      );
    }
  }
}
