import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { EmbeddingRepository } from './embedding/embedding.repository.js';
import { MOST_COMPARED } from './semantic-leg.service.js';
import type { Space } from './spaces/space.js';
import { VectorSchemaRepository } from './vector-schema.repository.js';

/** Has the vectors of a space indexed once there is a scope that is too large to compare each one of it. */
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

  /** Looks at a company whose things are all embedded. What there is to be made is made behind its back. */
  async consider(companyId: string, space: Space): Promise<void> {
    // The embedded database does one thing at a time, and takes minutes for it: it compares them all.
    if (this.database.embedded || this.making || this.made.has(space.id)) return;
    const items = await this.database.read(companyId, (tx) => this.embeddings.largestScope(tx));
    if (items <= MOST_COMPARED) return;
    this.making = this.make(space).finally(() => (this.making = null));
  }

  async onModuleDestroy(): Promise<void> {
    await this.schema.stop();
    await this.making;
  }

  /** What fails is tried again after the next change. */
  private async make(space: Space): Promise<void> {
    try {
      if (await this.schema.makeIndex(space)) this.made.add(space.id);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'the index of vectors was not made; search goes on without it, slower',
      );
    }
  }
}
