import type { JsonValue } from '../../../common/json.js';
import type { SkillOutcome, SkillRequest } from '../agent-ports.js';
import type { AgentRun } from '../agent-run.js';
import type { AnsweredCall } from '../agent-turn.js';
import { singleLine } from '../../../common/text/data-text.js';
import { type PlanLabels, planLabelsFor } from '../plan-labels.js';
import { labelsFor } from '../prompt/prompt-labels.js';
import { cutResult } from './result-cut.js';
import { runTimer } from '../timer.js';

/** How a skill call ends, also one that was not carried out. */
export interface CallEnd {
  status: SkillOutcome['status'] | 'DENIED' | 'UNKNOWN';
  /** Null: the model is told that nobody knows. */
  result: string | null;
  preview: string;
  /** The whole of it, where the result is less. */
  details?: JsonValue;
}

/** Of what a skill says. What is longer would push out of the prompt what led to it. */
const MOST_RESULT_TOKENS = 8_000;
const MOST_COMMENT = 1_000;
const MOST_PREVIEW = 300;

/** Carries out one call; `progress` takes what there is to tell meanwhile. */
export type CarryOut = (request: SkillRequest, progress: (detail: string) => void) => Promise<CallEnd>;

/** Our own reason to abort a call: time is needed for the answer. */
class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

export const unknownEnd = ({ turn }: AgentRun): CallEnd => ({
  status: 'UNKNOWN',
  result: null,
  preview: labelsFor(turn.prompt.language).unknownOutcome,
});

export const identicalEnd = (run: AgentRun): CallEnd => failed(labelsOf(run).identical);

export const brokenEnd = (run: AgentRun): CallEnd => failed(labelsOf(run).brokenArguments);

export const cutEnd = (run: AgentRun): CallEnd => failed(labelsOf(run).cutArguments);

/** Of a call that cannot be carried out, for this reason. */
export const faultEnd = (fault: string): CallEnd => failed(fault);

/** Of a call that a person did not allow. */
export const deniedEnd = (run: AgentRun, { answer, comment }: AnsweredCall): CallEnd => {
  const labels = labelsOf(run);
  const words = singleLine(comment ?? '', MOST_COMMENT);
  const refusal = answer === 'EXPIRED' ? labels.expired : labels.denied;
  const message = words === '' ? refusal : `${refusal} ${labels.comment(words)}`;
  return { ...failed(message), status: 'DENIED' };
};

/**
 * Gives what carries out calls as long as there is time; they are aborted when time is needed for the answer. `release`
 * has to be called when all have ended.
 */
export const untilTimeOver = (
  run: AgentRun,
): {
  carryOut: CarryOut;
  release: () => void;
} => {
  const { ports, phase, turn } = run;
  const labels = labelsOf(run);
  const over = new AbortController();
  const leftMs = phase.skillsLeftMs;
  const stop = (): void => over.abort(new TimeOver('The time for skills is over.'));
  const release = leftMs > 0 ? runTimer(run, leftMs, stop) : (stop(), () => undefined);
  const signal = AbortSignal.any([run.signal, over.signal]);
  const carryOut: CarryOut = async (request, progress) => {
    if (over.signal.aborted) return failed(labels.timeOver);
    try {
      const { isSized, ...outcome } = await ports.skills.call(request, signal, progress);
      if (isSized) return outcome;
      const result = cutResult(outcome.result, MOST_RESULT_TOKENS, ports.tokens, turn.prompt.language);
      return { ...outcome, result };
    } catch (error) {
      if (!over.signal.aborted || error !== over.signal.reason) throw error;
      return failed(labels.timeOver);
    }
  };
  return { carryOut, release };
};

const labelsOf = ({ turn }: AgentRun): PlanLabels => planLabelsFor(turn.prompt.language);

const failed = (message: string): CallEnd & { status: 'FAILED' } => ({
  status: 'FAILED',
  result: JSON.stringify({ error: message }),
  preview: singleLine(message, MOST_PREVIEW),
});
