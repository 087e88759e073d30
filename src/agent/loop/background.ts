import { detectLanguage } from '../../common/text/text-language.js';
import type { TurnEntry } from '../../turns/turn-event.js';
import type { AgentRun } from './agent-run.js';
import type { AgentTurn } from './agent-turn.js';
import { planLabelsFor } from './plan-labels.js';
import { runTimer } from './timer.js';

/** Goes on in the background from now on. `reason`: the planner's; null when the budget is used up. */
export async function* moveToBackground(
  { phase, turn }: AgentRun,
  reason: string | null,
): AsyncGenerator<TurnEntry, void> {
  // At once: the step that goes on meanwhile asks for it.
  phase.move();
  yield { type: 'plan-decided', action: 'CONTINUE_IN_BACKGROUND', nextSkill: null, reason };
  yield { type: 'status-changed', status: 'IN_BACKGROUND', detail: null };
  yield {
    type: 'moved-to-background',
    reason,
    message: planLabelsFor(languageOf(turn)).movedToBackground,
  };
}

/**
 * What `steps` tell. When the time in the foreground is over it is told at that moment that they go on in the
 * background, also in the middle of one.
 */
export async function* moveAtForegroundEnd<Result>(
  run: AgentRun,
  steps: AsyncGenerator<TurnEntry, Result>,
): AsyncGenerator<TurnEntry, Result> {
  if (run.phase.mayMove && run.phase.phaseLeftMs <= 0) yield* moveToBackground(run, null);
  if (!run.phase.mayMove) return yield* steps;
  const end = Promise.withResolvers<'over'>();
  const release = runTimer(run, run.phase.phaseLeftMs, () => end.resolve('over'));
  try {
    for (;;) {
      const pending = steps.next();
      const first = run.phase.mayMove ? await Promise.race([pending, end.promise]) : await pending;
      if (first === 'over' && run.phase.mayMove) yield* moveToBackground(run, null);
      const next = await pending;
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    release();
  }
}

/** The asker's, as far as the question tells it. */
const languageOf = ({ prompt: { question, language } }: AgentTurn): string =>
  detectLanguage(question) ?? language;
