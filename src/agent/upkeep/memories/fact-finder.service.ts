import { Injectable } from '@nestjs/common';

import { Calendar } from '../../../common/calendar.js';
import { Database } from '../../../database/database.js';
import type { Turn } from '../../../turns/turn.entity.js';
import { taskFor } from '../kept-conversations.service.js';
import { TaskModel } from '../task-model.service.js';
import type { ExtractedTurn } from './extract-memories.job.js';
import { type Extraction, ExtractionMaterial } from './extraction-material.service.js';
import { type Known, KnownMemories } from './known-memories.service.js';
import { memoryTask } from './memory-task.js';
import { type Notes, notesOf } from './notes-of-facts.js';

export interface FoundFacts extends Notes {
  turn: Turn;
  /** What the model gave besides that could not be used. */
  unusable: number;
}

/** Has a model find what is worth noting of a turn. */
@Injectable()
export class FactFinder {
  constructor(
    private readonly database: Database,
    private readonly material: ExtractionMaterial,
    private readonly known: KnownMemories,
    private readonly models: TaskModel,
    private readonly calendar: Calendar,
  ) {}

  /** Null: nothing is to be noted of the turn, or the model could not do it. */
  async find({ companyId, turnId }: ExtractedTurn, signal: AbortSignal): Promise<FoundFacts | null> {
    const extraction = await this.database.read(companyId, (tx) => this.material.find(tx, turnId));
    if (!extraction) return null;
    const { kept, question, before } = extraction;
    const { turn } = kept;
    const known = await this.known.find(turn, question.text, signal);
    const task = taskOf(extraction, known, this.calendar);
    const facts = await this.models.ask(task, taskFor(kept, 'MEMORY'), signal);
    if (!facts) return null;
    const said = [question, ...before].map(({ text }) => text);
    const notes = notesOf(facts.facts, { known: known.own, shared: known.shared, said });
    return { ...notes, turn, unusable: facts.unusable };
  }
}

const taskOf = (
  { kept, question, answer, before }: Extraction,
  known: Known,
  calendar: Calendar,
): ReturnType<typeof memoryTask> =>
  memoryTask(kept.assistant.language, {
    // Of the question: "tomorrow" is the day after it was asked, whenever this is done.
    now: question.createdAt,
    calendar,
    known: known.own,
    before,
    question: question.text,
    answer: answer?.text ?? '',
  });
