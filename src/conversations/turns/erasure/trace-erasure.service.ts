import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { Clock } from '../../../common/clock.js';
import { firstIdAt, newId } from '../../../common/ids.js';
import { OwedWork } from '../../../companies/owed-work.service.js';
import { documentDeleted } from '../../../documents/document.events.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { defineJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { ConversationsService } from '../../conversations.service.js';
import type { ErasedTexts } from './eraser.js';
import { type Erasure, ErasureRepository, type LateTurn } from './erasure.repository.js';
import { ErasurePass, TurnTraces } from './turn-traces.service.js';

const ErasureOfCompany = z.object({ companyId: z.uuid(), erasureId: z.uuid() });

/** Erases forgotten texts from prompts, skill calls, approvals and events of turns. */
export const eraseTraces = defineJob({
  name: 'erase-traces',
  data: ErasureOfCompany,
  keyOf: ({ erasureId }) => erasureId,
  maxSeconds: 300,
  atATime: 1,
  // Each one reads a member's turns sequentially.
  workers: { all: 3, ofOneCompany: 2, companyOf: ({ companyId }) => companyId },
});

const CONVERSATIONS_AT_ONCE = 50;
const TURNS_AT_ONCE = 100;

const MINUTE_MS = 60_000;

/** Work beside a turn, such as making its title, takes less than this. Work from before an erasure is then over. */
const SIDE_WORK_MS = 10 * MINUTE_MS;

/** Turns that began up to this long before the erasure may still have read the forgotten texts. */
const BEGAN_BEFORE_MS = 60 * MINUTE_MS;

/** Upper bound for the clock difference between replicas. */
const CLOCKS_DIFFER_MS = MINUTE_MS;
const BEGAN_AFTER_MS = CLOCKS_DIFFER_MS;

/** Most running turns end within the first minute, and the work beside them soon after. */
const FIRST_LOOKS_SECONDS = 15;
const LOOK_AGAIN_SECONDS = 300;

interface ErasureRequest extends ErasedTexts {
  /** The member whose turns may have it. Null: anybody in the company. */
  ownerId: string | null;
  /** The source document. Null: not from a document. */
  documentId: string | null;
  /** The earliest time of turns that may have it. */
  since: Date;
}

/** Erases forgotten texts from turns. The request is stored in the forgetting transaction; a job carries it out. */
@Injectable()
export class TraceErasure implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly erasures: ErasureRepository,
    private readonly traces: TurnTraces,
    private readonly conversations: ConversationsService,
    owed: OwedWork,
    events: DomainEvents,
  ) {
    events.on(documentDeleted, (tx, { id: documentId, createdAt: since }) =>
      this.begin(tx, { ownerId: null, documentId, texts: [], shortTexts: [], since }),
    );
    owed.register(eraseTraces, async (tx) => {
      const ids = await this.erasures.listIds(tx);
      return ids.map((erasureId) => ({ companyId: tx.companyId, erasureId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(eraseTraces, ({ companyId, erasureId }, signal) =>
      this.erase(companyId, erasureId, signal),
    );
  }

  /** Requests the erasure in `tx`. It happens soon after. */
  async begin(tx: Transaction, { since, ...request }: ErasureRequest): Promise<void> {
    const id = newId();
    await this.erasures.insert(tx, {
      id,
      ...request,
      since: new Date(since.getTime() - CLOCKS_DIFFER_MS),
      createdAt: this.clock.now(),
    });
    await this.jobs.enqueue(tx, eraseTraces, { companyId: tx.companyId, erasureId: id });
  }

  /** Withholds these messages from recall, with the other message of each turn, because they repeat each other. */
  async withholdSources(tx: Transaction, messageIds: readonly string[]): Promise<void> {
    if (messageIds.length === 0) return;
    const ofTurns = await this.erasures.listOfSameTurns(tx, messageIds);
    await this.conversations.withhold(tx, [...new Set([...messageIds, ...ofTurns])]);
  }

  /** Processes all ended turns, then those that were running. Resumes after an interruption. */
  async erase(companyId: string, id: string, signal: AbortSignal, now = this.clock.now()): Promise<void> {
    const erasure = await this.database.read(companyId, (tx) => this.erasures.find(tx, { id }));
    if (!erasure) return;
    const pass = new ErasurePass(erasure, signal);
    if (erasure.late === null) await this.storeUnfinishedTurns(erasure);
    await this.eraseInConversations(pass);
    await this.traces.eraseTexts(pass);
    const late = await this.database.read(companyId, (tx) =>
      this.erasures.listLate(tx, erasure, idsAround(erasure.createdAt)),
    );
    await this.eraseLate(pass, late);
    await this.database.transaction(companyId, async (tx) => {
      if (isFinished(late, erasure, now)) return void (await this.erasures.delete(tx, { id }));
      const startAfterSeconds = secondsToNext(erasure, now);
      await this.jobs.enqueue(tx, eraseTraces, { companyId, erasureId: id }, { startAfterSeconds });
    });
  }

  private async eraseLate(pass: ErasurePass, late: readonly LateTurn[]): Promise<void> {
    const ended = late.filter(({ finishedAt }) => finishedAt !== null);
    if (ended.length === 0) return;
    await this.traces.eraseIn(
      pass,
      ended.map(({ id }) => id),
    );
    await this.traces.eraseTexts(pass);
  }

  private async storeUnfinishedTurns(erasure: Erasure): Promise<void> {
    const { companyId, id, ownerId } = erasure;
    erasure.late = await this.database.transaction(companyId, async (tx) => {
      const late = await this.erasures.listUnfinished(tx, ownerId);
      await this.erasures.update(tx, { id }, { late });
      return late;
    });
  }

  /** Stores its position after some conversations, so that an interrupted pass can resume. */
  private async eraseInConversations(pass: ErasurePass): Promise<void> {
    const { companyId, id } = pass.erasure;
    for (;;) {
      const conversations = await this.database.read(companyId, (tx) =>
        this.erasures.listConversations(tx, pass.erasure, CONVERSATIONS_AT_ONCE),
      );
      for (const conversationId of conversations) {
        await this.eraseInConversation(pass, conversationId);
        pass.erasure.cursor = conversationId;
      }
      const cursor = conversations.at(-1);
      if (cursor === undefined) return;
      await this.database.transaction(companyId, (tx) => this.erasures.update(tx, { id }, { cursor }));
    }
  }

  private async eraseInConversation(pass: ErasurePass, conversationId: string): Promise<void> {
    const { companyId, since } = pass.erasure;
    let turnIds: string[] = [];
    do {
      const request = { since, after: turnIds.at(-1) ?? null, limit: TURNS_AT_ONCE };
      turnIds = await this.database.read(companyId, (tx) =>
        this.erasures.listTurns(tx, conversationId, request),
      );
      await this.traces.eraseIn(pass, turnIds);
    } while (turnIds.length > 0);
  }
}

/** Whether all readers of the texts have ended: the turns, and work beside turns that ended before. */
function isFinished(late: readonly LateTurn[], { createdAt }: Erasure, now: Date): boolean {
  return [{ finishedAt: createdAt }, ...late].every(
    ({ finishedAt }) =>
      finishedAt !== null &&
      now.getTime() >= Math.max(finishedAt.getTime(), createdAt.getTime()) + SIDE_WORK_MS,
  );
}

function secondsToNext({ createdAt }: Erasure, now: Date): number {
  return now.getTime() < createdAt.getTime() + MINUTE_MS ? FIRST_LOOKS_SECONDS : LOOK_AGAIN_SECONDS;
}

/** The first ids given out BEGAN_BEFORE_MS before and BEGAN_AFTER_MS after `at`. */
function idsAround(at: Date): readonly [string, string] {
  return [
    firstIdAt(new Date(at.getTime() - BEGAN_BEFORE_MS)),
    firstIdAt(new Date(at.getTime() + BEGAN_AFTER_MS)),
  ];
}
