import type { Asked } from './asker.js';
import type { Installation } from './installation.js';
import type { MoodyModel } from './moody-model.js';
import { answerTo, type Options, type Plan, toBeAnswered } from './plan.js';

/** What came of a run, for whoever reads the output. */
export interface Outcome {
  options: Options;
  plan: Plan;
  installation: Installation;
  model: MoodyModel;
  asked: readonly Asked[];
  refused: number;
  /** How often the calls of each skill were begun. */
  runs: { sendOnce: Map<string, number>; lookUp: Map<string, number> };
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): string {
  return (
    [...Map.groupBy(items, keyOf)]
      .map(([key, all]) => `${all.length} ${key}`)
      .toSorted()
      .join(', ') || 'none'
  );
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

/** The counts, in lines. */
export function report({ options, plan, installation, model, asked, refused, runs }: Outcome): string {
  const { kill, stop, cut, pause, restart } = installation.happened;
  const events = asked.flatMap(({ sight }) => sight.events);
  const done = events.filter(({ __typename }) => __typename === 'TurnDone');
  const finished = events.filter(({ __typename }) => __typename === 'SkillFinished');
  const retried = events.filter(({ cause }) => cause === 'RETRIED').length;
  const answered = asked.filter(isAnswered).length;
  const due = plan.lines.flatMap(toBeAnswered).length;
  const resumes = sum(asked.map(({ sight }) => sight.resumes));
  const { sendOnce, lookUp } = runs;
  const lines = [
    ['seed', options.seed],
    ['turns', `${asked.length} (${refused} refused as busy) on ${options.replicas} replicas`],
    [
      'ended',
      countBy(done, ({ status, finishReason, error }) =>
        [status, finishReason, codeOf(error)].filter(Boolean).join(' '),
      ),
    ],
    ['answered', `${answered}, ${due} of them had to be`],
    [
      'befell',
      `${kill} SIGKILL, ${stop} SIGTERM, ${cut} network cuts, ${pause} pauses, ${restart} database restarts`,
    ],
    ['flowed', `again ${(installation.longestRecoveryMs / 1000).toFixed(1)} s after a pause at the latest`],
    ['model', [...model.moods].map(([mood, count]) => `${count} ${mood}`).join(', ')],
    ['clients', `${events.length} events, ${resumes} resumes`],
    ['broken off', `${retried} times text was withdrawn to be told anew`],
    ['skill calls', countBy(finished, ({ callStatus }) => String(callStatus))],
    ['send_once', `${sendOnce.size} calls, carried out ${sum(sendOnce.values())} times`],
    ['look_up', `${lookUp.size} calls, carried out ${sum(lookUp.values())} times`],
  ];
  return lines.map(([name, value]) => `  ${String(name).padEnd(12)}${value}\n`).join('');
}

/** In the model's words and to the end. */
export function isAnswered({ plan, sight: { told } }: Asked): boolean {
  return (
    told?.status === 'COMPLETED' && told.finishReason === 'ANSWERED' && told.answer?.text === answerTo(plan)
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
