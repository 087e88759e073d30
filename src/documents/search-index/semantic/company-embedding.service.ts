import { Inject, Injectable } from '@nestjs/common';
import { type Embedder, ModelError } from '@palabre/llm-client';

import { newId } from '../../../common/ids.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { SearchTexts } from '../search-texts.js';
import {
  type EmbeddableItem,
  type Embedded,
  EmbeddingRepository,
  type Progress,
} from './embedding.repository.js';
import { LogThrottle } from './semantic-leg.service.js';
import { VectorSpaces } from './spaces.service.js';
import type { VectorSpace } from './vector-schema.repository.js';
import { VectorIndexes } from './vector-indexes.service.js';

const BATCH_ITEMS = 64;

/** Vectors per statement: writing one as text blocks the thread for 0.2 ms. */
const WRITTEN_AT_ONCE = 16;

/** How long the claim on a company lasts. A batch takes less, unless the embedder is slow. */
const CLAIM_SECONDS = 90;

/** The pause after a failure of the embedder; longer if the embedder asks for it. */
const PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 300;
/** The pause while another process embeds the company; it may have missed the newest items. */
const BUSY_SECONDS = 15;

/** The outcome for a company: everything is embedded, or when to continue. */
type Outcome = { type: 'done' } | { type: 'later'; afterSeconds: number };

interface EmbeddingBatch {
  progress: Progress;
  items: readonly EmbeddableItem[];
  texts: ReadonlyMap<string, string>;
}

interface Work {
  batch: EmbeddingBatch;
  space: VectorSpace;
  embedder: Embedder;
  signal: AbortSignal;
}

/** Embeds a company's items, newest first, in batches that are stored one by one. */
@Injectable()
export class CompanyEmbedding {
  private readonly warnings = new LogThrottle();

  constructor(
    private readonly database: Database,
    private readonly rows: EmbeddingRepository,
    private readonly spaces: VectorSpaces,
    private readonly texts: SearchTexts,
    private readonly indexes: VectorIndexes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Continues until nothing is left or `isTimeOver`. Rejects with database errors and the signal's reason. */
  async embed(
    companyId: string,
    embedder: Embedder,
    { signal, isTimeOver }: { signal: AbortSignal; isTimeOver: () => boolean },
  ): Promise<Outcome> {
    // The circuit breaker is open: do not try it once per waiting company.
    if (embedder.state === 'open') return { type: 'later', afterSeconds: PAUSE_SECONDS };
    const claimId = newId();
    try {
      const space = await this.spaces.forEmbedder(embedder, signal);
      for (;;) {
        signal.throwIfAborted();
        if (isTimeOver()) return { type: 'later', afterSeconds: 0 };
        const batch = await this.database.transaction(companyId, async (tx) =>
          (await this.rows.claim(tx, claimId, CLAIM_SECONDS)) ? this.nextBatch(tx, space) : 'busy',
        );
        if (batch === 'busy') return { type: 'later', afterSeconds: BUSY_SECONDS };
        if (batch === null) return await this.finish(companyId, space);
        await this.carryOut(companyId, { batch, space, embedder, signal });
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      return this.retryLater(error);
    } finally {
      await this.database
        .transaction(companyId, (tx) => this.rows.release(tx, claimId))
        // The claim expires by itself.
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'the claim on a company could not be released'),
        );
    }
  }

  private async nextBatch(tx: Transaction, space: VectorSpace): Promise<EmbeddingBatch | null> {
    const progress = await this.rows.findUnfinished(tx, space.id);
    if (!progress) return null;
    const items = await this.rows.listItems(tx, progress, BATCH_ITEMS);
    const ids = items.map(({ id }) => id);
    const texts =
      ids.length > 0 ? await this.texts.read(tx, progress.collection, ids) : new Map<string, string>();
    return { progress, items, texts };
  }

  private async carryOut(companyId: string, { batch, space, embedder, signal }: Work): Promise<void> {
    const { progress } = batch;
    const { scopeId } = progress;
    const embedded = await this.embedBatch({ batch, space, embedder, signal });
    await this.database.transaction(companyId, async (tx) => {
      if (embedded.length > 0) await this.rows.incrementVersion(tx, scopeId);
      for (let start = 0; start < embedded.length; start += WRITTEN_AT_ONCE) {
        const some = embedded.slice(start, start + WRITTEN_AT_ONCE);
        await this.rows.storeVectors(tx, { scopeId, space: space.id }, some);
      }
      await this.rows.advance(tx, space.id, progress, progressAfter(batch));
    });
  }

  private async embedBatch({ batch, space, embedder, signal }: Work): Promise<Embedded[]> {
    const items = batch.items.flatMap(({ ordinal, id }) => {
      const text = batch.texts.get(id)?.trim();
      return text ? [{ ordinal, id, text }] : [];
    });
    if (items.length === 0) return [];
    const texts = items.map(({ text }) => text);
    const vectors = await vectorsOrNull(embedder, texts, signal);
    return items.flatMap(({ ordinal, id }, index) => {
      const vector = vectors[index];
      if (!vector) {
        this.logger.warn({ item: id }, 'the embedder fails on a text: it is found by its words only');
        return [];
      }
      if (vector.length !== space.dimensions) {
        this.spaces.forget();
        throw anotherModel(embedder.model);
      }
      return [{ ordinal, vector }];
    });
  }

  private async finish(companyId: string, space: VectorSpace): Promise<Outcome> {
    const removeSome = (): Promise<boolean> =>
      this.database.transaction(companyId, (tx) => this.rows.removeOthers(tx, space.id));
    while (!(await removeSome()));
    await this.indexes.consider(companyId, space);
    return { type: 'done' };
  }

  private retryLater(error: ModelError): Outcome {
    this.warnings.say(() =>
      this.logger.warn(
        { err: error },
        'the embedder fails: new items are found by their words only until it works again',
      ),
    );
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    return { type: 'later', afterSeconds: Math.min(LONGEST_PAUSE_SECONDS, Math.max(PAUSE_SECONDS, seconds)) };
  }
}

/** A scope's progress after a batch: up to its last item, or to the end when there were no more. */
function progressAfter({ progress, items }: EmbeddingBatch): Pick<Progress, 'from' | 'until'> {
  const { from, until, next } = progress;
  const last = items.length < BATCH_ITEMS ? null : (items.at(-1)?.ordinal ?? null);
  return until < next ? { from, until: last === null ? next : last + 1 } : { from: last ?? 1, until };
}

function anotherModel(model: string): ModelError {
  return new ModelError(
    'MODEL_UNAVAILABLE',
    `The embedder has another model behind the name ${model}.`,
    true,
  );
}

/** Some servers fail on certain texts. Embedding this one shows whether the server itself works. */
const HARMLESS = 'Hello.';

/**
 * The vectors of texts; null for a text on which a working embedder fails. Rejects with ModelError when the embedder does
 * not work, and with the signal's reason.
 */
async function vectorsOrNull(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
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
}
