import { Inject, Injectable } from '@nestjs/common';

import { newId } from '../../../common/ids.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transaction.js';
import { ModelError } from '../../../llm/chat-model.js';
import type { Embedder } from '../../../llm/embedder.js';
import { SearchTexts } from '../../search-texts.js';
import {
  type EmbeddableItem,
  type Embedded,
  EmbeddingRepository,
  type Progress,
} from './embedding.repository.js';
import { vectorsOrNull } from './item-vectors.js';
import { Seldom } from '../seldom.js';
import type { Space } from '../spaces/space.js';
import { Spaces } from '../spaces/spaces.service.js';
import { VectorIndexes } from '../vector-indexes.service.js';

/** Things of one round. They are read, embedded and kept, and only then the next ones are. */
const ROUND = 64;

/** Writing a vector out takes the process 0.2 ms, for which nothing else is done. */
const WRITTEN_AT_ONCE = 16;

/** A process that is gone keeps a company from the others for so long. A round takes less, but for a slow embedder. */
const CLAIM_SECONDS = 90;

/** While the embedder is down, or something is wrong that a person has to mend; longer only where it asks for more. */
const PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 300;
/** Another process embeds what is there; what came in after it had looked is seen to then. */
const BUSY_SECONDS = 15;

/** What became of a company: all is embedded, or when to look at it again. */
export type Outcome = { type: 'done' } | { type: 'later'; afterSeconds: number };

interface Round {
  progress: Progress;
  items: readonly EmbeddableItem[];
  texts: ReadonlyMap<string, string>;
}

interface Work {
  round: Round;
  space: Space;
  embedder: Embedder;
  signal: AbortSignal;
}

/** Embeds what a company has, the newest first, in rounds each of which is kept. */
@Injectable()
export class CompanyEmbedding {
  private readonly warnings = new Seldom();

  constructor(
    private readonly database: Database,
    private readonly rows: EmbeddingRepository,
    private readonly spaces: Spaces,
    private readonly texts: SearchTexts,
    private readonly indexes: VectorIndexes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Goes on until nothing is left or `isTimeOver`. Rejects with the database's failures and the signal's reason. */
  async embed(
    companyId: string,
    embedder: Embedder,
    { signal, isTimeOver }: { signal: AbortSignal; isTimeOver: () => boolean },
  ): Promise<Outcome> {
    // Many companies may wait for it.
    if (embedder.state === 'open') return { type: 'later', afterSeconds: PAUSE_SECONDS };
    const claimId = newId();
    try {
      const space = await this.spaces.of(embedder, signal);
      for (;;) {
        signal.throwIfAborted();
        if (isTimeOver()) return { type: 'later', afterSeconds: 0 };
        const round = await this.database.transaction(companyId, async (tx) =>
          (await this.rows.claim(tx, claimId, CLAIM_SECONDS)) ? this.nextRound(tx, space) : 'busy',
        );
        if (round === 'busy') return { type: 'later', afterSeconds: BUSY_SECONDS };
        if (round === null) return await this.finish(companyId, space);
        await this.carryOut(companyId, { round, space, embedder, signal });
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      return this.later(error);
    } finally {
      await this.database
        .transaction(companyId, (tx) => this.rows.release(tx, claimId))
        // It runs out by itself.
        .catch((error: unknown) => this.logger.warn({ err: error }, 'a claim was not given back'));
    }
  }

  private async nextRound(tx: Transaction, space: Space): Promise<Round | null> {
    const progress = await this.rows.findUnfinished(tx, space.id);
    if (!progress) return null;
    const items = await this.rows.listItems(tx, progress, ROUND);
    const ids = items.map(({ id }) => id);
    const texts =
      ids.length > 0 ? await this.texts.read(tx, progress.collection, ids) : new Map<string, string>();
    return { progress, items, texts };
  }

  private async carryOut(companyId: string, { round, space, embedder, signal }: Work): Promise<void> {
    const { progress } = round;
    const { scopeId } = progress;
    const embedded = await this.embedRound({ round, space, embedder, signal });
    await this.database.transaction(companyId, async (tx) => {
      if (embedded.length > 0) await this.rows.touch(tx, scopeId);
      for (let start = 0; start < embedded.length; start += WRITTEN_AT_ONCE) {
        const some = embedded.slice(start, start + WRITTEN_AT_ONCE);
        await this.rows.keep(tx, { scopeId, space: space.id }, some);
      }
      await this.rows.advance(tx, space.id, progress, after(round));
    });
  }

  private async embedRound({ round, space, embedder, signal }: Work): Promise<Embedded[]> {
    const items = round.items.flatMap(({ ordinal, id }) => {
      const text = round.texts.get(id)?.trim();
      return text ? [{ ordinal, id, text }] : [];
    });
    if (items.length === 0) return [];
    const texts = items.map(({ text }) => text);
    const vectors = await vectorsOrNull(embedder, texts, signal);
    return items.flatMap(({ ordinal, id }, index) => {
      const vector = vectors[index];
      if (!vector) {
        this.logger.warn({ item: id }, 'the embedder fails at a text: it is found by its words alone');
        return [];
      }
      if (vector.length !== space.dimensions) {
        this.spaces.forget();
        throw anotherModel(embedder.model);
      }
      return [{ ordinal, vector }];
    });
  }

  private async finish(companyId: string, space: Space): Promise<Outcome> {
    const removeSome = (): Promise<boolean> =>
      this.database.transaction(companyId, (tx) => this.rows.removeOthers(tx, space.id));
    while (!(await removeSome()));
    await this.indexes.consider(companyId, space);
    return { type: 'done' };
  }

  private later(error: ModelError): Outcome {
    this.warnings.say(() =>
      this.logger.warn(
        { err: error },
        'the embedder fails: what is new is found by its words until it is back',
      ),
    );
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    return { type: 'later', afterSeconds: Math.min(LONGEST_PAUSE_SECONDS, Math.max(PAUSE_SECONDS, seconds)) };
  }
}

/** How far a scope is embedded after a round: to the last thing of it, or to the end when there were no more. */
const after = ({ progress, items }: Round): Pick<Progress, 'from' | 'until'> => {
  const { from, until, next } = progress;
  const last = items.length < ROUND ? null : (items.at(-1)?.ordinal ?? null);
  return until < next ? { from, until: last === null ? next : last + 1 } : { from: last ?? 1, until };
};

const anotherModel = (model: string): ModelError =>
  new ModelError('MODEL_UNAVAILABLE', `The embedder has another model behind the name ${model}.`, true);
