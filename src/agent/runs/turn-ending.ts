import { DomainError } from '../../common/errors/domain-error.js';
import type { FinishReason, TurnError } from '../../turns/turn-event.js';
import { ModelError } from '../../llm/chat-model.js';
import type { TurnOutcome } from '../../turns/claims/turn-outcome.js';
import { QuotaSpent } from '../../usage/spent-quota.js';

/** Why a run is ended from outside; the reason of its AbortSignal. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';

  constructor(
    readonly ending:
      | { type: 'stop'; finishReason: FinishReason }
      | { type: 'deadline' }
      /** The process is stopping: another one goes on after the last step. */
      | { type: 'hand-over' }
      /** The turn is another attempt's by now, or the process is stopping: nothing more is to be written. */
      | { type: 'abandon' },
  ) {
    super(`The run was ended: ${ending.type}.`);
  }
}

export type Ending = Pick<TurnOutcome, 'status' | 'finishReason' | 'error' | 'citations'>;

/** How a turn ends whose loop rejected with `error`, having said `text`. Null: it is not this run's to end. */
export const endingOf = (error: unknown, text: string): Ending | 'hand-over' | null => {
  if (error instanceof TurnStopped) {
    const { ending } = error;
    if (ending.type === 'abandon') return null;
    if (ending.type === 'hand-over') return 'hand-over';
    if (ending.type === 'deadline') return outOfTime(text);
    return { status: 'CANCELLED', finishReason: ending.finishReason, error: null, citations: [] };
  }
  // The database went away where nobody waited for it: another run goes on after the last step.
  if (error instanceof DomainError && error.code === 'UNAVAILABLE') return 'hand-over';
  return { status: 'FAILED', finishReason: 'ERROR', error: turnErrorOf(error), citations: [] };
};

const outOfTime = (text: string): Ending =>
  text.trim() === ''
    ? { status: 'FAILED', finishReason: 'MAX_SECONDS', error: tooSlow, citations: [] }
    : { status: 'COMPLETED', finishReason: 'MAX_SECONDS', error: null, citations: [] };

const tooSlow: TurnError = {
  code: 'MODEL_UNAVAILABLE',
  message: 'No answer came within the time that the assistant has for one. Please ask again.',
  retryable: true,
};

const turnErrorOf = (error: unknown): TurnError => {
  if (error instanceof ModelError) {
    return { code: error.code, message: error.message, retryable: error.retryable };
  }
  if (error instanceof QuotaSpent) {
    return { code: 'RATE_LIMITED', message: error.message, retryable: false };
  }
  return { code: 'INTERNAL', message: 'Something went wrong. Please ask again.', retryable: true };
};
