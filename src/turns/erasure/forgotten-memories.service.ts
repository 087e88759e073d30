import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Memory } from '../../memory/memory.entity.js';
import { MemoryHooks } from '../../memory/memory-hooks.js';
import { eraseTraces } from './erase-traces.job.js';
import { ErasureRepository } from './erasure.repository.js';
import { forgottenTexts } from './forgotten-texts.js';

/** The clocks of replicas differ by less. */
const SLACK_MS = 60_000;

/** Has what was forgotten erased from what turns keep, and what it was learned from recalled no more. */
@Injectable()
export class ForgottenMemories implements OnModuleInit {
  constructor(
    private readonly hooks: MemoryHooks,
    private readonly conversations: ConversationsService,
    private readonly erasures: ErasureRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.hooks.onForgotten((tx, memories) => this.forget(tx, memories));
  }

  private async forget(tx: Transaction, memories: readonly Memory[]): Promise<void> {
    const [first] = memories;
    if (!first) return;
    await this.withholdSources(tx, memories);
    const id = newId();
    const since = Math.min(...memories.map(({ createdAt }) => createdAt.getTime())) - SLACK_MS;
    await this.erasures.insert(tx, {
      id,
      ownerId: first.ownerId,
      ...forgottenTexts(memories),
      since: new Date(since),
      createdAt: this.clock.now(),
    });
    await this.jobs.enqueue(tx, eraseTraces, { companyId: tx.companyId, erasureId: id });
  }

  /** A question and its answer go together: the one tells of the other. */
  private async withholdSources(tx: Transaction, memories: readonly Memory[]): Promise<void> {
    const sources = new Set(memories.flatMap(({ sourceMessageId }) => sourceMessageId ?? []));
    if (sources.size === 0) return;
    const ofTurns = await this.erasures.listOfSameTurns(tx, [...sources]);
    await this.conversations.withhold(tx, [...new Set([...sources, ...ofTurns])]);
  }
}
