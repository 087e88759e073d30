import { singleLine } from '@palabre/text';

import { MAX_PREVIEW_CHARACTERS } from '../../../conversations/turns/turn-event.js';
import { fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import type { SkillOutcome, SkillRequest } from '../agent-ports.js';
import { type AgentRun, runTimer, TimeOver } from '../agent-run.js';
import type { AnsweredCall } from '../agent-turn.js';
import { cutResult } from './result-cut.js';
import { failed } from './skill-outcome.js';

/** How a skill call ends, even one that did not run. */
export interface CallEnd extends Pick<SkillOutcome, 'preview' | 'details'> {
  status: SkillOutcome['status'] | 'DENIED' | 'UNKNOWN';
  /** Null: the outcome is unknown. */
  result: string | null;
}

/** The most tokens of a result. A longer one would push its own context out of the prompt. */
const MAX_RESULT_TOKENS = 8_000;
const MAX_COMMENT = 1_000;

/** Runs one call. `progress` receives progress reports. */
export type CarryOut = (request: SkillRequest, progress: (detail: string) => void) => Promise<CallEnd>;

/** The end of a call that waited for a person and does not run. */
export function inputEnd(run: AgentRun, { kind, answer, comment, given }: AnsweredCall): CallEnd {
  const labels = labelsOf(run);
  if (given && 'value' in given) {
    const text = JSON.stringify(given.value);
    return { status: 'SUCCEEDED', result: cut(run, text), preview: singleLine(text, MAX_PREVIEW_CHARACTERS) };
  }
  if (given) return failed(given.error);
  if (kind !== 'APPROVAL') return denied(answer === 'DECLINED' ? labels.declined : labels.unanswered);
  const words = singleLine(comment ?? '', MAX_COMMENT);
  const refusal = answer === 'EXPIRED' ? labels.expired : labels.denied;
  return denied(words === '' ? refusal : `${refusal} ${fill(labels.comment, { words })}`);
}

function cut({ ports, turn }: AgentRun, result: string): string {
  return cutResult(result, MAX_RESULT_TOKENS, ports.tokens, turn.prompt.language);
}

function denied(message: string): CallEnd {
  return { ...failed(message), status: 'DENIED' };
}

/** Calls are aborted when the answer needs the time. Call `release` when all have ended. */
export function skillExecutor(run: AgentRun): {
  carryOut: CarryOut;
  release: () => void;
} {
  const { ports, phase } = run;
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
      const { result } = outcome;
      // A finished call is recorded, even if the turn is stopped.
      return { ...outcome, result: await ports.thread.inTurn(result.length, () => cut(run, result), null) };
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

const MAX_LINES = 20;
const MAX_CHARACTERS = 200;

/** Progress lines of concurrent calls, in order of arrival. */
export class ProgressLines {
  private readonly lines: string[] = [];
  private told = Promise.withResolvers<void>();

  /** The lines of one call. Drops too many lines, repetitions, and lines after its end. */
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

  /** Yields all lines until `end`, which never rejects. */
  async *until(end: Promise<unknown>): AsyncGenerator<string, void> {
    let isOver = false;
    const over = end.then(() => void (isOver = true));
    for (;;) {
      // One by one, because more may arrive while a line is processed.
      for (let line = this.lines.shift(); line !== undefined; line = this.lines.shift()) yield line;
      if (isOver) return;
      this.told = Promise.withResolvers<void>();
      await Promise.race([this.told.promise, over]);
    }
  }
}
