import type { Asked } from './asker.js';
import type { Installation } from './installation.js';
import type { MoodyModel } from './moody-model.js';
import type { Options } from './plan.js';

/** What came of a run, for whoever reads the output. */
export interface Outcome {
  options: Options;
  installation: Installation;
  model: MoodyModel;
  asked: readonly Asked[];
  refused: number;
  /** How often the calls of each skill were begun. */
  runs: { sendOnce: Map<string, number>; lookUp: Map<string, number> };
}

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string): string =>
  [...Map.groupBy(items, keyOf)]
    .map(([key, all]) => `${all.length} ${key}`)
    .toSorted()
    .join(', ') || 'none';

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/** The counts, in lines. */
export const report = ({ options, installation, model, asked, refused, runs }: Outcome): string => {
  const { kills, stops, cuts, restarts } = installation.happened;
  const events = asked.flatMap(({ sight }) => sight.events);
  const done = events.filter(({ __typename }) => __typename === 'TurnDone');
  const finished = events.filter(({ __typename }) => __typename === 'SkillFinished');
  const retried = events.filter(({ cause }) => cause === 'RETRIED').length;
  const resumes = sum(asked.map(({ sight }) => sight.resumes));
  const { sendOnce, lookUp } = runs;
  const lines = [
    ['seed', options.seed],
    ['turns', `${asked.length} (${refused} refused as busy) on ${options.replicas} replicas`],
    ['ended', countBy(done, ({ status, error }) => [status, codeOf(error)].filter(Boolean).join(' '))],
    ['befell', `${kills} SIGKILL, ${stops} SIGTERM, ${cuts} network cuts, ${restarts} database restarts`],
    ['model', [...model.moods].map(([mood, count]) => `${count} ${mood}`).join(', ')],
    ['clients', `${events.length} events, ${resumes} resumes`],
    ['broken off', `${retried} times text was withdrawn to be told anew`],
    ['skill calls', countBy(finished, ({ callStatus }) => String(callStatus))],
    ['send_once', `${sendOnce.size} calls, carried out ${sum(sendOnce.values())} times`],
    ['look_up', `${lookUp.size} calls, carried out ${sum(lookUp.values())} times`],
  ];
  return lines.map(([name, value]) => `  ${String(name).padEnd(12)}${value}\n`).join('');
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
