import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { firstIdAt } from '../../database/partitions/partition-day.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { eraseTraces } from './erase-traces.job.js';
import type { Erasure } from './erasure.entity.js';
import { ErasureRepository, type LateTurn } from './erasure.repository.js';
import { Round, TurnTraces } from './turn-traces.service.js';

const CONVERSATIONS_AT_ONCE = 50;
const TURNS_AT_ONCE = 100;

const MINUTE_MS = 60_000;

/** What is done beside a turn, such as its title, is over by so long after its end. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** Turns that began so shortly before may have been read by others as if nothing had been forgotten yet. */
const BEGAN_BEFORE_MS = 60 * MINUTE_MS;

/** The clocks of replicas differ by less. */
const BEGAN_AFTER_MS = MINUTE_MS;

/** Most turns under way end within the first minute, and what is done beside them soon after. */
const FIRST_LOOKS_SECONDS = 15;
const LOOK_AGAIN_SECONDS = 300;

/** Erases what was forgotten from what turns keep, in processes that work. */
@Injectable()
export class TraceErasure implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly erasures: ErasureRepository,
    private readonly traces: TurnTraces,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(eraseTraces, ({ companyId, erasureId }, signal) =>
      this.erase(companyId, erasureId, signal),
    );
  }

  /**
   * One round, as of `now`: all turns that have ended, and again those that were under way, until nothing is written
   * about them any more. It goes on where one that broke off was.
   */
  async erase(companyId: string, id: string, signal: AbortSignal, now = this.clock.now()): Promise<void> {
    const erasure = await this.database.read(companyId, (tx) => this.erasures.find(tx, id));
    if (!erasure) return;
    const round = new Round(erasure, signal);
    if (erasure.late === null) await this.keepLate(erasure);
    await this.walk(round);
    await this.traces.eraseTexts(round);
    const late = await this.database.read(companyId, (tx) =>
      this.erasures.listLate(tx, erasure, idsAround(erasure.createdAt)),
    );
    await this.eraseLate(round, late);
    await this.database.transaction(companyId, (tx) =>
      isSettled(late, erasure, now)
        ? this.erasures.delete(tx, id)
        : this.jobs.enqueue(
            tx,
            eraseTraces,
            { companyId, erasureId: id },
            { startAfterSeconds: secondsToNext(erasure, now) },
          ),
    );
  }

  private async eraseLate(round: Round, late: readonly LateTurn[]): Promise<void> {
    const ended = late.filter(({ finishedAt }) => finishedAt !== null);
    if (ended.length === 0) return;
    await this.traces.eraseIn(
      round,
      ended.map(({ id }) => id),
    );
    await this.traces.eraseTexts(round);
  }

  private async keepLate(erasure: Erasure): Promise<void> {
    const { companyId, id, ownerId } = erasure;
    erasure.late = await this.database.transaction(companyId, async (tx) => {
      const late = await this.erasures.listUnfinished(tx, ownerId);
      await this.erasures.keepLate(tx, id, late);
      return late;
    });
  }

  /** Conversation by conversation, so that it can go on from there. */
  private async walk(round: Round): Promise<void> {
    const { companyId, id } = round.erasure;
    for (;;) {
      const conversations = await this.database.read(companyId, (tx) =>
        this.erasures.listConversations(tx, round.erasure, CONVERSATIONS_AT_ONCE),
      );
      for (const conversationId of conversations) {
        await this.walkConversation(round, conversationId);
        round.erasure.cursor = conversationId;
      }
      const cursor = conversations.at(-1);
      if (cursor === undefined) return;
      await this.database.transaction(companyId, (tx) => this.erasures.keepCursor(tx, id, cursor));
    }
  }

  private async walkConversation(round: Round, conversationId: string): Promise<void> {
    const { companyId, since } = round.erasure;
    let turnIds: string[] = [];
    do {
      const request = { since, after: turnIds.at(-1) ?? null, limit: TURNS_AT_ONCE };
      turnIds = await this.database.read(companyId, (tx) =>
        this.erasures.listTurns(tx, conversationId, request),
      );
      await this.traces.eraseIn(round, turnIds);
    } while (turnIds.length > 0);
  }
}

const isSettled = (late: readonly LateTurn[], { createdAt }: Erasure, now: Date): boolean =>
  late.every(
    ({ finishedAt }) =>
      finishedAt !== null &&
      now.getTime() >= Math.max(finishedAt.getTime(), createdAt.getTime()) + SETTLED_AFTER_MS,
  );

const secondsToNext = ({ createdAt }: Erasure, now: Date): number =>
  now.getTime() < createdAt.getTime() + MINUTE_MS ? FIRST_LOOKS_SECONDS : LOOK_AGAIN_SECONDS;

/** The first id that was given out so long before, and the first one so long after. */
const idsAround = (at: Date): readonly [string, string] => [
  firstIdAt(new Date(at.getTime() - BEGAN_BEFORE_MS)),
  firstIdAt(new Date(at.getTime() + BEGAN_AFTER_MS)),
];
