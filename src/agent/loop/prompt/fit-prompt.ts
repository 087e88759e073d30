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

/** What a prompt has to fit into. */
interface PromptLimits {
  /** Of prompt and answer together. */
  windowTokens: number;
  /** What the answer is to have of them. */
  maxOutputTokens: number;
  /** Offered with the prompt; also for a last answer without any, so that it is trimmed as the prompt before it. */
  tools: readonly ToolSpec[];
  tokens: TokenCounter;
}

export interface FittedPrompt {
  messages: ChatMessage[];
  /** Messages of the history left out for lack of room. */
  historyDropped: number;
  /** With the tools; null: so few that nobody counted. */
  tokens: number | null;
}

/** Other vendors' tokenizers find more tokens in a text than ours. */
export const MARGIN = 1.03;
/** A prompt that is too large is trimmed to this share of the room, so that the next steps need not trim anew. */
const TRIM_TO = 0.85;
/** Tokens that tools must leave for everything that can be trimmed. */
const LEAST_REST = 100;

/**
 * The prompt of `state`, shortened where the model's window asks for it: the results of old steps, then the oldest
 * messages of the history, then what is remembered, then the summary, then what models want back with old steps, then the
 * last step's results, then what old steps said and asked for, and last what is wanted back with the last one.
 * The system prompt, the question and the note stay whole. What one call of a turn leaves out, the later ones do too,
 * without anything being remembered: the trimming of the steps before is done again. Throws ModelError
 * CONTEXT_TOO_LARGE when even the shortest prompt does not fit.
 */
export function fitPrompt(state: PromptState, limits: PromptLimits): FittedPrompt {
  const room = roomIn(limits);
  const whole = buildPrompt(state);
  const untouched = { messages: whole, historyDropped: 0 };
  // No token is less than a byte.
  if (messagesTokens(whole, bytes) + toolsBytes(limits.tools) <= room) return { ...untouched, tokens: null };
  const fitting = new Fitting(limits, room);
  const tokens = fitting.sizeOf(whole);
  if (tokens <= room) return { ...untouched, tokens };
  return fitting.fit(state);
}

/** Whether a prompt of `state` can be made to fit, with room for a note and a word of the last results. */
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

  /** As the prompts before each step were trimmed, one after the other. */
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

  /** Trims what is least missed first, each as little as needed. `trim` is changed in place. */
  private trimFurther(state: PromptState, trim: Trim): void {
    const goal = this.goalOf(state);
    const fits = (changed: Trim): boolean => this.trimmedSize(state, changed) <= goal;
    for (const { of, most } of trimmings(state)) {
      if (fits(trim)) return;
      trim[of] = smallestEnough(trim[of], most, (amount) => fits({ ...trim, [of]: amount }));
    }
  }

  /** Where nearly all of the room is taken by what cannot be trimmed, the rest still gets half of what is left. */
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

/** Binary search: the smallest number from `from` to `to` that is enough, else `to`. */
function smallestEnough(from: number, to: number, isEnough: (value: number) => boolean): number {
  let [low, high] = [from, Math.max(from, to)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Trimming counts the same texts many times. */
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

/** Returns the same string for the same result, so that its token count is found in the cache. */
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

/** How much of a prompt is left out so that it fits. Within a turn each part of it only ever grows. */
interface Trim {
  /** Of so many of the oldest skill calls, the results. */
  results: number;
  /** Of so many of the oldest steps, what their model wants back with them. */
  echoes: number;
  /** So many of the oldest messages of the history. */
  history: number;
  /** 1: what is remembered. */
  memory: number;
  /** A percentage of the summary, from its end. */
  summary: number;
  /** A percentage of each result of the last step, from their ends. */
  lastResults: number;
  /** The same of the steps before, each from when it was the last one. */
  cuts: number[];
  /** Of so many of the oldest steps, what the model said and the arguments it wrote. */
  emptied: number;
}

function nothingTrimmed(): Trim {
  return { results: 0, echoes: 0, history: 0, memory: 0, summary: 0, lastResults: 0, cuts: [], emptied: 0 };
}

/** What may be left out, what is least missed first, and how much there is of it. */
function trimmings({
  steps,
  history,
  memoryText,
  summary,
}: PromptState): { of: Exclude<keyof Trim, 'cuts'>; most: number }[] {
  // The model has not seen the results of the last step.
  const old = steps.slice(0, -1);
  return [
    { of: 'results', most: callCount(old) },
    // The model thought these before it had seen the results after them.
    { of: 'echoes', most: old.length },
    { of: 'history', most: recentHistory(history).length },
    // All or nothing: memories were chosen to be read together.
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

/** The state of a shorter prompt. All calls stay, each with a result, so that the model knows what it has done. */
function trimmed(state: PromptState, trim: Trim, tokens: TokenCounter): PromptState {
  return {
    ...state,
    memoryText: trim.memory > 0 ? '' : state.memoryText,
    summary: trimmedSummary(state, trim),
    history: recentHistory(state.history).slice(trim.history),
    steps: trimmedSteps(state, trim, tokens),
  };
}

function callCount(steps: readonly Step[]): number {
  return steps.reduce((count, { calls }) => count + calls.length, 0);
}

function trimmedSummary(state: PromptState, trim: Trim): string | null {
  if (trim.history === 0 && trim.summary === 0) return state.summary;
  const left = beginningOf(state.summary?.trim() ?? '', trim.summary);
  const { olderLeftOut } = wordingIn(state.language).prompt;
  // First, as a summary that is too long loses its end.
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
      ? fill(wordingIn(language).prompt.resultLeftOut, { skill: singleLine(name, 64), tokens: all })
      : `${kept}\n${fill(wordingIn(language).plan.textLeftOut, { left: Math.max(1, all - tokens.count(kept)), all })}`;
  return tokens.count(short) < all ? short : result;
}

/** By characters: to cut at a token takes many countings, and the whole is counted again anyway. */
function beginningOf(text: string, leftOutPercentage: number): string {
  return text
    .slice(0, Math.floor((text.length * (100 - leftOutPercentage)) / 100))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
