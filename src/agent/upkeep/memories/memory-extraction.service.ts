import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DomainError } from '../../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { JobQueue } from '../../../jobs/job-queue.js';
import { type ExtractedTurn, extractMemories } from './extract-memories.job.js';
import { FactFinder } from './fact-finder.service.js';
import { NotesKeeper } from './notes-keeper.service.js';

/**
 * Notes what members say in passing that is worth knowing later, after turns and never in their way. What the model
 * does wrong is logged, without a word of what was said.
 */
@Injectable()
export class MemoryExtraction implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly facts: FactFinder,
    private readonly keeper: NotesKeeper,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(extractMemories, (extracted, signal) => this.extract(extracted, signal));
  }

  /** Done twice it notes nothing twice. The database's failures reject. */
  async extract(extracted: ExtractedTurn, signal: AbortSignal): Promise<void> {
    const found = await this.facts.find(extracted, signal);
    if (!found) return;
    const { turn, notes, leftOut, unusable } = found;
    try {
      const { noted, refused } = await this.keeper.keep(turn, notes);
      this.logger.info(
        { turnId: turn.id, noted, refused, leftOut, unusable },
        'what was said was looked through',
      );
    } catch (error) {
      // The conversation was deleted while the model thought about it: there is nothing left to be learned from.
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
