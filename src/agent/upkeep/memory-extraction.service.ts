import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Calendar } from '../../common/calendar.js';
import { Database } from '../../platform/database/database.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { type ExtractedTurn, extractMemories } from './upkeep.job.js';
import { taskFor } from './kept-conversations.service.js';
import { TaskModel } from './task-model.service.js';
import { type Extraction, ExtractionMaterial } from './extraction-material.service.js';
import { type Known, KnownMemories } from './known-memories.service.js';
import { memoryTask } from './memory-task.js';
import { notesOf } from './notes-of-facts.js';

/** The model's errors are logged without any message text. */
@Injectable()
export class MemoryExtraction implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly database: Database,
    private readonly material: ExtractionMaterial,
    private readonly known: KnownMemories,
    private readonly models: TaskModel,
    private readonly calendar: Calendar,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(extractMemories, (extracted, signal) => this.extract(extracted, signal));
  }

  /** A repetition adds nothing. Rejects with the database's errors. */
  async extract({ companyId, turnId }: ExtractedTurn, signal: AbortSignal): Promise<void> {
    const extraction = await this.database.read(companyId, (tx) => this.material.find(tx, turnId));
    if (!extraction) return;
    const { kept, question, before } = extraction;
    const known = await this.known.find(kept.turn, question.text, signal);
    const task = taskOf(extraction, known, this.calendar);
    const facts = await this.models.ask(task, taskFor(kept, 'MEMORY'), signal);
    if (!facts) return;
    const { unusable } = facts;
    const said = [question, ...before].map(({ text }) => text);
    const { notes, leftOut } = notesOf(facts.facts, { known: known.own, shared: known.shared, said });
    try {
      const { noted, refused } = await this.material.keep(kept.turn, notes);
      this.logger.info({ turnId, noted, refused, leftOut, unusable }, 'what was said was looked through');
    } catch (error) {
      // The conversation was deleted meanwhile, so nothing is learnt.
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}

function taskOf(
  { kept, question, answer, before }: Extraction,
  known: Known,
  calendar: Calendar,
): ReturnType<typeof memoryTask> {
  return memoryTask(kept.assistant.language, {
    // The question's time: "tomorrow" is the day after it was asked.
    now: question.createdAt,
    calendar,
    known: known.own,
    before,
    question: question.text,
    answer: answer?.text ?? '',
  });
}
