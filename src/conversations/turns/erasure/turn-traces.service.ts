import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { retryOnDeadlock } from '../../../platform/database/retry-on-deadlock.js';
import { ConversationsService } from '../../conversations.service.js';
import { PromptTextRepository, type UsedText } from '../model-calls/prompt-text.repository.js';
import { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import { erasedTraces } from './erased-traces.js';
import { Eraser, needlesOf, textsOfDocument } from './eraser.js';
import type { Erasure } from './erasure.repository.js';
import { ThreadYield } from './thread-yield.js';
import { TraceRepository } from './trace.repository.js';

const TURNS_AT_ONCE = 100;
const TEXTS_AT_ONCE = 50;

/** Present in every prompt with memories. Short texts are only searched in such prompts. */
const MEMORY_MARK = '<memory>';

/** In UTF-8 bytes, because a Chinese character says more than a Latin one. Shorter texts are not distinctive. */
const SHORTEST_TOLD_BYTES = 20;

export class ErasurePass {
  readonly eraser: Eraser;
  readonly needles: readonly string[];
  /** Texts long enough to be recognised in messages, without final punctuation. */
  readonly distinctiveTexts: readonly string[];

  constructor(
    readonly erasure: Erasure,
    readonly signal: AbortSignal,
  ) {
    const { texts, shortTexts } = erasure;
    this.eraser = new Eraser({ texts, shortTexts });
    this.distinctiveTexts = texts
      .map((text) => text.replace(/[\p{Po}\s]+$/u, ''))
      .filter((text) => text.includes('@') || Buffer.byteLength(text) >= SHORTEST_TOLD_BYTES);
    this.needles = [...texts.flatMap(needlesOf), ...(shortTexts.length > 0 ? [MEMORY_MARK] : [])];
  }

  /** The same pass for other texts, longest first. */
  withTexts(texts: readonly string[]): ErasurePass {
    const longestFirst = [...new Set(texts)].toSorted((a, b) => b.length - a.length);
    return new ErasurePass({ ...this.erasure, texts: longestFirst }, this.signal);
  }
}

@Injectable()
export class TurnTraces {
  constructor(
    private readonly database: Database,
    private readonly traces: TraceRepository,
    private readonly echoes: StepEchoRepository,
    private readonly prompts: PromptTextRepository,
    private readonly conversations: ConversationsService,
  ) {}

  /** Erases in these turns, and withholds their messages that repeat the texts. Rejects when the pass is aborted. */
  async eraseIn(pass: ErasurePass, turnIds: readonly string[]): Promise<void> {
    for (let from = 0; from < turnIds.length; from += TURNS_AT_ONCE) {
      pass.signal.throwIfAborted();
      const some = turnIds.slice(from, from + TURNS_AT_ONCE);
      const { documentId } = pass.erasure;
      await this.eraseInSome(
        documentId === null ? pass : await this.withDocumentTexts(pass, documentId, some),
        some,
      );
    }
  }

  private async eraseInSome(pass: ErasurePass, turnIds: readonly string[]): Promise<void> {
    await this.deleteEchoes(pass, turnIds);
    const found = await this.database.read(pass.erasure.companyId, (tx) =>
      this.traces.listTurnsWith(tx, turnIds, pass.needles),
    );
    for (const turnId of found) await this.eraseInTurn(pass, turnId);
    await this.withhold(pass, turnIds);
  }

  /** Erases the document's quotes in these turns; returns a pass with the document's texts that the turns were shown. */
  private async withDocumentTexts(
    pass: ErasurePass,
    documentId: string,
    turnIds: readonly string[],
  ): Promise<ErasurePass> {
    const { companyId } = pass.erasure;
    const results = await this.database.read(companyId, (tx) =>
      this.traces.listResultsNaming(tx, turnIds, documentId),
    );
    await retryOnDeadlock(() =>
      this.database.transaction(companyId, (tx) => this.traces.eraseQuotes(tx, turnIds, documentId)),
    );
    return pass.withTexts(results.flatMap((result) => textsOfDocument(result, documentId)));
  }

  /** Erases in the shared beginnings of prompts, which are stored once for many calls. */
  async eraseTexts({ erasure, eraser, needles, signal }: ErasurePass): Promise<void> {
    const { companyId, ownerId, since } = erasure;
    let after: Pick<UsedText, 'memberId' | 'digest'> | null = null;
    for (;;) {
      signal.throwIfAborted();
      const request = { memberId: ownerId, since, needles, after, limit: TEXTS_AT_ONCE };
      const texts = await this.database.transaction(companyId, async (tx) => {
        const found = await this.prompts.listWith(tx, request);
        const others = new ThreadYield();
        for (const text of found) {
          const content = eraser.text(text.content, 'elsewhere');
          await others.whenDue();
          if (content !== text.content) await this.prompts.replace(tx, { ...text, content });
        }
        return found;
      });
      after = texts.at(-1) ?? null;
      if (after === null) return;
    }
  }

  /** Also withholds answers that did not exist yet when their questions were withheld. */
  private async withhold(
    { erasure, distinctiveTexts }: ErasurePass,
    turnIds: readonly string[],
  ): Promise<void> {
    await retryOnDeadlock(() =>
      this.database.transaction(erasure.companyId, async (tx) => {
        const messages = await this.traces.listToWithhold(tx, turnIds, distinctiveTexts);
        if (messages.length > 0) await this.conversations.withhold(tx, messages);
      }),
    );
  }

  /** Deletes whole echoes: they may be signed and cannot be changed. The model works without them. */
  private async deleteEchoes({ erasure, needles }: ErasurePass, turnIds: readonly string[]): Promise<void> {
    await retryOnDeadlock(() =>
      this.database.transaction(erasure.companyId, (tx) => this.echoes.delete(tx, turnIds, needles)),
    );
  }

  private async eraseInTurn({ erasure, eraser, signal }: ErasurePass, turnId: string): Promise<void> {
    signal.throwIfAborted();
    // A group commit locks the rows of several turns in another order.
    await retryOnDeadlock(() =>
      this.database.transaction(erasure.companyId, async (tx) => {
        const traces = await this.traces.read(tx, turnId);
        await this.traces.write(tx, turnId, await erasedTraces(eraser, traces));
      }),
    );
  }
}
