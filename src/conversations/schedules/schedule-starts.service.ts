import { Injectable } from '@nestjs/common';

import { notFound } from '../../common/errors/domain-error.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { refusalMessage } from '../turns/start/start-refusal.js';
import { type StartTurnOutcome, TurnStarts } from '../turns/start/turn-starts.service.js';
import type { Schedule, RunResult } from './schedule.repository.js';
import { ScheduleNotes } from './schedule-notes.service.js';
import type { DueRun } from './schedule-times.js';
import { Schedules } from './schedules.service.js';

/** Another process has the run, or the schedule was changed meanwhile. */
class NotDue extends Error {}

/** Starts the turns of schedules, each in the transaction that records it: there is never one without the other. */
@Injectable()
export class ScheduleStarts {
  constructor(
    private readonly starts: TurnStarts,
    private readonly notes: ScheduleNotes,
    private readonly schedules: Schedules,
    private readonly assistants: AssistantsService,
  ) {}

  /** Starts and records a run's turn. Returns what is still to be recorded. Rejects like `TurnStarts`. */
  async start(viewer: Viewer, schedule: Schedule, run: DueRun): Promise<RunResult | null> {
    const idempotencyKey = `schedule ${schedule.id} ${run.due.toISOString()}`;
    const record = async (tx: Transaction, { id: turnId }: { id: string }): Promise<void> => {
      if (!(await this.notes.note(tx, schedule, run, { outcome: 'STARTED', turnId }))) throw new NotDue();
    };
    try {
      return stillToNote(await this.ask(viewer, schedule, idempotencyKey, record));
    } catch (error) {
      if (error instanceof NotDue) return null;
      throw error;
    }
  }

  /** Asks now, in addition to the schedule's times. Rejects with NOT_FOUND, and like `TurnStarts`. */
  async startNow(viewer: Viewer, id: string): Promise<StartTurnOutcome> {
    const schedule = await this.schedules.getOwn(viewer, id);
    return this.ask(viewer, schedule, null, async (tx, turn) => {
      if (!(await this.notes.noteExtra(tx, schedule, turn.id))) throw notFound('schedule');
    });
  }

  private async ask(
    viewer: Viewer,
    { id: scheduleId, assistantId, conversationId, message }: Schedule,
    idempotencyKey: string | null,
    record: (tx: Transaction, turn: { id: string }) => Promise<void>,
  ): Promise<StartTurnOutcome> {
    const [assistant] = conversationId ? [] : await this.assistants.findMany(viewer, [assistantId]);
    const place = conversationId ? { conversationId } : { assistantKey: assistant?.key };
    return this.starts.start(viewer, { ...place, message, idempotencyKey }, { scheduleId, record });
  }
}

function stillToNote(outcome: StartTurnOutcome): RunResult | null {
  switch (outcome.type) {
    case 'accepted':
      return null;
    case 'idempotency-conflict':
      // The turn was started for this time before the clock was put back.
      return { outcome: 'STARTED', turnId: outcome.firstTurn.id };
    case 'in-progress':
      return { outcome: 'BUSY' };
    case 'quota-exceeded':
      return { outcome: 'REFUSED', reason: refusalMessage(outcome) };
  }
}
