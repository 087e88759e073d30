import { type ChatMessage, ModelError, toolsBytes, type ToolSpec } from '@palabre/llm-client';
import { singleLine } from '@palabre/text';

import { fill, wordingIn } from '../../../common/wording/wording.js';
import type { TokenCounter } from '../agent-ports.js';
import { messagesTokens, toolsTokens } from './prompt-tokens.js';
import {
  buildPrompt,
  markedResult,
  type PromptState,
  recentHistory,
  type Step,
  type StepCall,
} from './prompt.js';

interface PromptLimits {
  /** Prompt and answer together. */
  windowTokens: number;
  /** The answer's part. */
  maxOutputTokens: number;
  /** The offered tools. A last answer without tools has them too, so that it is trimmed like the previous prompt. */
  tools: readonly ToolSpec[];
  tokens: TokenCounter;
}

export interface FittedPrompt {
  messages: ChatMessage[];
  /** The number of the history's messages that were left out. */
  historyDropped: number;
  /** Tokens with the tools. Null: too few to be counted. */
  tokens: number | null;
}

/** Other vendors' tokenizers find more tokens than ours. */
export const MARGIN = 1.03;
/** A prompt that is too large is trimmed to this share of the room, so that the next steps need no trimming. */
const TRIM_TO = 0.85;
/** The tokens that tools must leave for everything that can be trimmed. */
const LEAST_REST = 100;

/**
 * The prompt of `state`, trimmed to the model's window. The order: results of old steps, the oldest messages of the
 * history, memories, the summary, echoes of old steps, the last step's results, text and arguments of old steps, and
 * the last echo. The system prompt, the question and the note stay complete. Trimming of earlier steps is recomputed,
 * so later calls of a turn leave out the same without any stored state. Throws ModelError CONTEXT_TOO_LARGE if even
 * the shortest prompt is too long.
 */
export function fitPrompt(state: PromptState, limits: PromptLimits): FittedPrompt {
  const room = roomIn(limits);
  const whole = buildPrompt(state);
  const untouched = { messages: whole, historyDropped: 0 };
  // A token has at least one byte.
  if (messagesTokens(whole, bytes) + toolsBytes(limits.tools) <= room) return { ...untouched, tokens: null };
  const fitting = new Fitting(limits, room);
  const tokens = fitting.sizeOf(whole);
  if (tokens <= room) return { ...untouched, tokens };
  return fitting.fit(state);
}

/** Whether a prompt of `state` can fit with a note and a little of the last results. */
export function fitsAtLeast(state: PromptState, limits: PromptLimits): boolean {
  const { tokens, tools } = limits;
  const room = roomIn(limits) - LEAST_REST;
  const shortest = buildPrompt(trimmed(state, mostTrimmed(state), tokens));
  if (messagesTokens(shortest, bytes) + toolsBytes(tools) <= room) return true;
  return messagesTokens(shortest, tokens) + toolsTokens(tools, tokens) <= room;
}

function roomIn({ windowTokens, maxOutputTokens }: PromptLimits): number {
  return Math.max(0, Math.floor((windowTokens - maxOutputTokens) / MARGIN));
}

const bytes: TokenCounter = {
  count: (text) => Buffer.byteLength(text),
  cut: (text) => text,
};

class Fitting {
  private readonly tokens: TokenCounter;
  private readonly toolTokens: number;
  private readonly windowTokens: number;
  private readonly marked = memoizedMarks();

  constructor(
    { tokens, tools, windowTokens }: PromptLimits,
    private readonly room: number,
  ) {
    this.tokens = memoized(tokens);
    this.toolTokens = toolsTokens(tools, tokens);
    this.windowTokens = windowTokens;
  }

  sizeOf(messages: readonly ChatMessage[]): number {
    return messagesTokens(messages, this.tokens) + this.toolTokens;
  }

  fit(state: PromptState): FittedPrompt {
    const short = trimmed(state, this.trimOf(state), this.tokens);
    const messages = buildPrompt(short, this.marked);
    const tokens = this.sizeOf(messages);
    if (tokens > this.room) throw this.tooLarge(short.question, tokens);
    const historyDropped = recentHistory(state.history).length - recentHistory(short.history).length;
    return { messages, historyDropped, tokens };
  }

  /** Recomputes the trimming of each step's prompt in order. */
  private trimOf(state: PromptState): Trim {
    const trim = nothingTrimmed();
    for (let taken = 0; taken <= state.steps.length; taken += 1) {
      const then = { ...state, steps: state.steps.slice(0, taken) };
      if (taken > 1) {
        trim.cuts.push(trim.lastResults);
        trim.lastResults = 0;
      }
      if (this.trimmedSize(then, trim) > this.room) this.trimFurther(then, trim);
    }
    return trim;
  }

  private trimmedSize(state: PromptState, trim: Trim): number {
    return this.sizeOf(buildPrompt(trimmed(state, trim, this.tokens), this.marked));
  }

  /** Trims the least important parts first, each as little as needed. Changes `trim`. */
  private trimFurther(state: PromptState, trim: Trim): void {
    const goal = this.goalOf(state);
    const fits = (changed: Trim): boolean => this.trimmedSize(state, changed) <= goal;
    for (const { of, most } of trimmings(state)) {
      if (fits(trim)) return;
      trim[of] = smallestEnough(trim[of], most, (amount) => fits({ ...trim, [of]: amount }));
    }
  }

  /** If parts that cannot be trimmed take nearly everything, the rest gets half of what remains. */
  private goalOf(state: PromptState): number {
    const core = this.trimmedSize(state, mostTrimmed(state));
    return Math.min(this.room, Math.max(TRIM_TO * this.room, core + (this.room - core) / 2));
  }

  private tooLarge(question: string, tokens: number): ModelError {
    const questionTokens = this.tokens.count(question);
    const left = this.room - (tokens - questionTokens);
    const message =
      questionTokens > tokens / 2 && left > 0
        ? `The message is too long for the model: it takes ${questionTokens} tokens, and there is room for ${left}.`
        : `The prompt is too long for the model: it takes ${tokens} tokens at least, and a window of ${this.windowTokens} (LLM_CONTEXT_WINDOW) has room for ${this.room} beside the answer.`;
    return new ModelError('CONTEXT_TOO_LARGE', message, false);
  }
}

/** Binary search: the smallest sufficient number from `from` to `to`, else `to`. */
function smallestEnough(from: number, to: number, isEnough: (value: number) => boolean): number {
  let [low, high] = [from, Math.max(from, to)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cached: trimming counts the same texts repeatedly. */
function memoized(tokens: TokenCounter): TokenCounter {
  const counted = new Map<string, number>();
  return {
    count: (text) => {
      const known = counted.get(text) ?? tokens.count(text);
      counted.set(text, known);
      return known;
    },
    cut: (text, maxTokens) => tokens.cut(text, maxTokens),
  };
}

/** Returns the identical string for the same result, so that its token count is found in the cache. */
function memoizedMarks(): typeof markedResult {
  const known = new Map<string, { skill: string; text: string }>();
  return (skill, result) => {
    const before = known.get(result);
    if (before?.skill === skill) return before.text;
    const text = markedResult(skill, result);
    known.set(result, { skill, text });
    return text;
  };
}

/** What a prompt leaves out. Within a turn each number only grows. */
interface Trim {
  /** The number of the oldest skill calls without results. */
  results: number;
  /** The number of the oldest steps without their echo. */
  echoes: number;
  /** The number of the oldest messages that are left out. */
  history: number;
  /** 1: without memories. */
  memory: number;
  /** The percentage of the summary that is cut from its end. */
  summary: number;
  /** The percentage of each result of the last step that is cut from its end. */
  lastResults: number;
  /** The same percentage of each earlier step, from when it was the last. */
  cuts: number[];
  /** The number of the oldest steps without text and arguments. */
  emptied: number;
}

function nothingTrimmed(): Trim {
  return { results: 0, echoes: 0, history: 0, memory: 0, summary: 0, lastResults: 0, cuts: [], emptied: 0 };
}

/** The parts that may be left out, the least important first, with their amounts. */
function trimmings({
  steps,
  history,
  memoryText,
  summary,
}: PromptState): { of: Exclude<keyof Trim, 'cuts'>; most: number }[] {
  // The model has not seen the last step's results.
  const old = steps.slice(0, -1);
  return [
    { of: 'results', most: old.reduce((count, { calls }) => count + calls.length, 0) },
    // These echoes are from before the model saw the following results.
    { of: 'echoes', most: old.length },
    { of: 'history', most: recentHistory(history).length },
    // All or nothing, because the memories belong together.
    { of: 'memory', most: memoryText === '' ? 0 : 1 },
    { of: 'summary', most: (summary?.trim() ?? '') === '' ? 0 : 100 },
    { of: 'lastResults', most: steps.length === 0 ? 0 : 100 },
    { of: 'emptied', most: old.length },
    { of: 'echoes', most: steps.length },
  ];
}

function mostTrimmed(state: PromptState): Trim {
  const trim = nothingTrimmed();
  for (const { of, most } of trimmings(state)) trim[of] = most;
  return trim;
}

/** The state of a shorter prompt. Each call stays with a result, so that the model knows what it did. */
function trimmed(state: PromptState, trim: Trim, tokens: TokenCounter): PromptState {
  return {
    ...state,
    memoryText: trim.memory > 0 ? '' : state.memoryText,
    summary: trimmedSummary(state, trim),
    history: recentHistory(state.history).slice(trim.history),
    steps: trimmedSteps(state, trim, tokens),
  };
}

function trimmedSummary(state: PromptState, trim: Trim): string | null {
  if (trim.history === 0 && trim.summary === 0) return state.summary;
  const left = beginningOf(state.summary?.trim() ?? '', trim.summary);
  const { olderLeftOut } = wordingIn(state.language).prompt;
  // The note comes first, because a long summary loses its end.
  return left === '' ? olderLeftOut : `${olderLeftOut}\n${left}`;
}

function trimmedSteps({ steps, language }: PromptState, trim: Trim, tokens: TokenCounter): Step[] {
  let index = 0;
  return steps.map(({ text, calls, echo }, number): Step => {
    const isEmptied = number < trim.emptied;
    const cut = (number === steps.length - 1 ? trim.lastResults : trim.cuts[number]) ?? 0;
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

/** Never longer than the original. */
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
      ? fill(wordingIn(language).prompt.resultLeftOut, { skill: singleLine(name, 64), tokens: all })
      : `${kept}\n${fill(wordingIn(language).plan.textLeftOut, { left: Math.max(1, all - tokens.count(kept)), all })}`;
  return tokens.count(short) < all ? short : result;
}

/** By characters: cutting at a token needs many counts, and the result is counted anyway. */
function beginningOf(text: string, leftOutPercentage: number): string {
  return text
    .slice(0, Math.floor((text.length * (100 - leftOutPercentage)) / 100))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
