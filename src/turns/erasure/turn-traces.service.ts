import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../../conversations/conversations.service.js';
import { Database } from '../../database/database.js';
import { despiteDeadlock } from '../../database/despite-deadlock.js';
import { StepEchoRepository } from '../echoes/step-echo.repository.js';
import { PromptTextRepository, type UsedText } from '../model-calls/prompt-text.repository.js';
import { erasedTraces } from './erased-traces.js';
import { Eraser, needlesOf } from './eraser.js';
import type { Erasure } from './erasure.entity.js';
import { TraceRepository } from './trace.repository.js';

const TURNS_AT_ONCE = 100;
const TEXTS_AT_ONCE = 50;

/** A prompt that tells memories at all: short texts are looked for in these alone. */
const MEMORY_MARK = '<memory>';

/** In bytes, as a character tells more or less by its script. Shorter ones, if no address, people say of other things too. */
const SHORTEST_TOLD_BYTES = 20;

/** What one round of an erasure works with. */
export class Round {
  readonly eraser: Eraser;
  readonly needles: readonly string[];
  /** What tells of it wherever it is said, without the end of its sentence. */
  readonly told: readonly string[];

  constructor(
    readonly erasure: Erasure,
    readonly signal: AbortSignal,
  ) {
    const { texts, shortTexts } = erasure;
    this.eraser = new Eraser({ texts, shortTexts });
    this.told = texts
      .map((text) => text.replace(/[\p{Po}\s]+$/u, ''))
      .filter((text) => text.includes('@') || Buffer.byteLength(text) >= SHORTEST_TOLD_BYTES);
    this.needles = [...texts.flatMap(needlesOf), ...(shortTexts.length > 0 ? [MEMORY_MARK] : [])];
  }
}

/** What turns keep besides their messages, without what is to be erased. */
@Injectable()
export class TurnTraces {
  constructor(
    private readonly database: Database,
    private readonly traces: TraceRepository,
    private readonly echoes: StepEchoRepository,
    private readonly prompts: PromptTextRepository,
    private readonly conversations: ConversationsService,
  ) {}

  /** Turn by turn; what they said of it is recalled no more. Rejects as soon as the round is to stop. */
  async eraseIn(round: Round, turnIds: readonly string[]): Promise<void> {
    const { companyId } = round.erasure;
    for (let from = 0; from < turnIds.length; from += TURNS_AT_ONCE) {
      round.signal.throwIfAborted();
      const some = turnIds.slice(from, from + TURNS_AT_ONCE);
      await this.deleteEchoes(round, some);
      const found = await this.database.read(companyId, (tx) =>
        this.traces.listTurnsWith(tx, some, round.needles),
      );
      for (const turnId of found) await this.eraseInTurn(round, turnId);
      await this.withhold(round, some);
    }
  }

  /** What prompts begin with is kept once for many calls, and by the day on which it was last used. */
  async eraseTexts({ erasure, eraser, needles, signal }: Round): Promise<void> {
    const { companyId, ownerId, since } = erasure;
    let after: Pick<UsedText, 'memberId' | 'digest'> | null = null;
    for (;;) {
      signal.throwIfAborted();
      const request = { memberId: ownerId, since, needles, after, limit: TEXTS_AT_ONCE };
      const texts = await this.database.transaction(companyId, async (tx) => {
        const found = await this.prompts.listWith(tx, request);
        for (const text of found) {
          const content = eraser.text(text.content, 'elsewhere');
          if (content !== text.content) await this.prompts.replace(tx, { ...text, content });
        }
        return found;
      });
      after = texts.at(-1) ?? null;
      if (after === null) return;
    }
  }

  /** Also answers that were not there yet when their questions were withheld. */
  private async withhold({ erasure, told }: Round, turnIds: readonly string[]): Promise<void> {
    await despiteDeadlock(() =>
      this.database.transaction(erasure.companyId, async (tx) => {
        const messages = await this.traces.listToWithhold(tx, turnIds, told);
        if (messages.length > 0) await this.conversations.withhold(tx, messages);
      }),
    );
  }

  /** As a whole: what may be signed cannot be changed, and its model does without. */
  private async deleteEchoes({ erasure, needles }: Round, turnIds: readonly string[]): Promise<void> {
    await despiteDeadlock(() =>
      this.database.transaction(erasure.companyId, (tx) => this.echoes.delete(tx, turnIds, needles)),
    );
  }

  private async eraseInTurn({ erasure, eraser, signal }: Round, turnId: string): Promise<void> {
    signal.throwIfAborted();
    // Whoever stores events of several turns takes their rows in an order of its own.
    await despiteDeadlock(() =>
      this.database.transaction(erasure.companyId, async (tx) => {
        const traces = await this.traces.read(tx, turnId);
        await this.traces.write(tx, turnId, erasedTraces(eraser, traces));
      }),
    );
  }
}
