import { Injectable } from '@nestjs/common';

import { Database } from '../../../database/database.js';
import type { Embedder } from '../../../llm/embedder.js';
import { noiseOf, unrelatedTexts } from './noise.js';
import type { Space } from './space.js';
import { SpaceRepository } from './space.repository.js';

/** The spaces that vectors are in. */
@Injectable()
export class Spaces {
  /** The embedder's, as long as its vectors are of that length. */
  private current: Space | null = null;

  constructor(
    private readonly database: Database,
    private readonly rows: SpaceRepository,
  ) {}

  /** The space of what the embedder gives, made when there is none. Rejects with ModelError. */
  async of(embedder: Embedder, signal: AbortSignal): Promise<Space> {
    this.current ??= await this.findOrMake(embedder, signal);
    return this.current;
  }

  /** Another model turned out to be behind the name. */
  forget(): void {
    this.current = null;
  }

  private async findOrMake(embedder: Embedder, signal: AbortSignal): Promise<Space> {
    const { model } = embedder;
    const vectors = await embedder.embed(unrelatedTexts, 'item', signal);
    const space = { model, dimensions: vectors[0]?.length ?? 0, noise: noiseOf(vectors) };
    return this.database.systemTransaction(async (tx) => {
      await this.rows.add(tx, space);
      return this.rows.get(tx, space);
    });
  }
}
