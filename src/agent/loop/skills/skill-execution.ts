import { singleLine } from '@palabre/text';

import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import type { SkillOutcome, SkillRequest } from '../agent-ports.js';
import { type AgentRun, runTimer, TimeOver } from '../agent-run.js';
import type { AnsweredCall } from '../agent-turn.js';
import { cutResult } from './result-cut.js';
import { failed, MAX_PREVIEW } from './skill-outcome.js';

/** How a skill call ends, also one that was not carried out. */
export interface CallEnd extends Pick<SkillOutcome, 'preview' | 'details'> {
  status: SkillOutcome['status'] | 'DENIED' | 'UNKNOWN';
  /** Null: the model is told that nobody knows. */
  result: string | null;
}

/** Of what a skill says. What is longer would push out of the prompt what led to it. */
const MAX_RESULT_TOKENS = 8_000;
const MAX_COMMENT = 1_000;

/** Carries out one call; `progress` takes what there is to tell meanwhile. */
export type CarryOut = (request: SkillRequest, progress: (detail: string) => void) => Promise<CallEnd>;

/** Of a call that waited for a person, and is not carried out. */
export function inputEnd(run: AgentRun, { kind, answer, comment, given }: AnsweredCall): CallEnd {
  const labels = labelsOf(run);
  if (given && 'value' in given) {
    const text = JSON.stringify(given.value);
    const result = cutResult(text, MAX_RESULT_TOKENS, run.ports.tokens, run.turn.prompt.language);
    return { status: 'SUCCEEDED', result, preview: singleLine(text, MAX_PREVIEW) };
  }
  if (given) return failed(given.error);
  if (kind !== 'APPROVAL') return denied(answer === 'DECLINED' ? labels.declined : labels.unanswered);
  const words = singleLine(comment ?? '', MAX_COMMENT);
  const refusal = answer === 'EXPIRED' ? labels.expired : labels.denied;
  return denied(words === '' ? refusal : `${refusal} ${fill(labels.comment, { words })}`);
}

function denied(message: string): CallEnd {
  return { ...failed(message), status: 'DENIED' };
}

/** They are aborted when time is needed for the answer. `release` has to be called when all have ended. */
export function skillExecutor(run: AgentRun): {
  carryOut: CarryOut;
  release: () => void;
} {
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
      const result = cutResult(outcome.result, MAX_RESULT_TOKENS, ports.tokens, turn.prompt.language);
      return { ...outcome, result };
    } catch (error) {
      if (!over.signal.aborted || error !== over.signal.reason) throw error;
      return failed(labels.timeOver);
    }
  };
  return { carryOut, release };
}

export function labelsOf({ turn }: Pick<AgentRun, 'turn'>): Wording['plan'] {
  return wordingIn(turn.prompt.language).plan;
}

/** Of one call. */
const MAX_LINES = 20;
const MAX_CHARACTERS = 200;

/** What calls that are carried out at the same time tell people meanwhile, one line after the other. */
export class ProgressLines {
  private readonly lines: string[] = [];
  private told = Promise.withResolvers<void>();

  /** One call's: what it tells too often, twice in a row, or after its end is left out. */
  ofCall(): { tell: (detail: string) => void; end: () => void } {
    let left = MAX_LINES;
    let last = '';
    const tell = (detail: string): void => {
      const line = singleLine(String(detail), MAX_CHARACTERS);
      if (left <= 0 || line === '' || line === last) return;
      left -= 1;
      last = line;
      this.lines.push(line);
      this.told.resolve();
    };
    return { tell, end: () => void (left = 0) };
  }

  /** What is told until `end`, which never rejects: all of it that was told before. */
  async *until(end: Promise<unknown>): AsyncGenerator<string, void> {
    let isOver = false;
    const over = end.then(() => void (isOver = true));
    for (;;) {
      // One by one: more may be told while somebody has one in hand.
      for (let line = this.lines.shift(); line !== undefined; line = this.lines.shift()) yield line;
      if (isOver) return;
      this.told = Promise.withResolvers<void>();
      await Promise.race([this.told.promise, over]);
    }
  }
}
