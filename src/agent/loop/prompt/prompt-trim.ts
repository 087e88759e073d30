import type { TokenCounter } from '../agent-ports.js';
import { singleLine } from '../../../common/text/data-text.js';
import { planLabelsFor } from '../plan-labels.js';
import { type PromptState, recentHistory, type Step, type StepCall } from './prompt.js';
import { labelsFor } from './prompt-labels.js';

/** How much of a prompt is left out so that it fits. Within a turn each part of it only ever grows. */
export interface Trim {
  /** Of so many of the oldest skill calls, the results. */
  readonly results: number;
  /** So many of the oldest messages of the history. */
  readonly history: number;
  /** What is remembered. */
  readonly memory: boolean;
  /** A percentage of the summary, from its end. */
  readonly summary: number;
  /** By step: a percentage of each of its results, from their ends. */
  readonly cut: ReadonlyMap<number, number>;
  /** Of so many of the oldest steps, what their model wants back with them. */
  readonly echoes: number;
  /** Of so many of the oldest steps, what the model said and the arguments it wrote. */
  readonly emptied: number;
}

export const nothingTrimmed: Trim = {
  results: 0,
  history: 0,
  memory: false,
  summary: 0,
  cut: new Map(),
  echoes: 0,
  emptied: 0,
};

/** All that may be left out. */
export const mostTrimmed = ({ history, steps }: PromptState): Trim => ({
  results: callCount(steps),
  history: recentHistory(history).length,
  memory: true,
  summary: 100,
  cut: new Map(),
  echoes: steps.length,
  emptied: oldStepsOf(steps).length,
});

/** The state of a shorter prompt. All calls stay, each with a result, so that the model knows what it has done. */
export function trimmed(state: PromptState, trim: Trim, tokens: TokenCounter): PromptState {
  if (trim === nothingTrimmed) return state;
  return {
    ...state,
    memoryText: trim.memory ? '' : state.memoryText,
    summary: trimmedSummary(state, trim),
    history: recentHistory(state.history).slice(trim.history),
    steps: trimmedSteps(state, trim, tokens),
  };
}

export const callCount = (steps: readonly Step[]): number =>
  steps.reduce((count, { calls }) => count + calls.length, 0);

/** All but the last, which the model has not seen the results of. */
export const oldStepsOf = (steps: readonly Step[]): readonly Step[] => steps.slice(0, -1);

function trimmedSummary(state: PromptState, trim: Trim): string | null {
  if (trim.history === 0 && trim.summary === 0) return state.summary;
  const left = beginningOf(state.summary?.trim() ?? '', trim.summary);
  const { olderLeftOut } = labelsFor(state.language);
  // First, as a summary that is too long loses its end.
  return left === '' ? olderLeftOut : `${olderLeftOut}\n${left}`;
}

function trimmedSteps({ steps, language }: PromptState, trim: Trim, tokens: TokenCounter): Step[] {
  let index = 0;
  return steps.map(({ text, calls, echo }, number): Step => {
    const isEmptied = number < trim.emptied;
    const cut = trim.cut.get(number) ?? 0;
    const shorter = calls.map((call): StepCall => {
      const result = shortResult(call, index < trim.results ? 100 : cut, language, tokens);
      index += 1;
      return isEmptied ? { ...call, arguments: '{}', result } : { ...call, result };
    });
    return {
      text: isEmptied ? '' : text,
      calls: shorter,
      echo: number < trim.echoes ? undefined : echo,
    };
  });
}

/** Never longer than it was. */
function shortResult(
  { name, result }: StepCall,
  percentage: number,
  language: string,
  tokens: TokenCounter,
): string | null {
  if (result === null || percentage === 0) return result;
  const all = tokens.count(result);
  const kept = beginningOf(result, percentage);
  const short =
    kept === ''
      ? labelsFor(language).resultLeftOut(singleLine(name, 64), all)
      : `${kept}\n${planLabelsFor(language).textLeftOut(Math.max(1, all - tokens.count(kept)), all)}`;
  return tokens.count(short) < all ? short : result;
}

/** By characters: to cut at a token takes many countings, and the whole is counted again anyway. */
const beginningOf = (text: string, leftOutPercentage: number): string =>
  text
    .slice(0, Math.floor((text.length * (100 - leftOutPercentage)) / 100))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
