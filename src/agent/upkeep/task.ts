import type { ChatMessage, ChatPart, ToolSpec } from '@palabre/llm-client';

import { parseArguments } from '../../skills/skill-arguments.js';
import { wellFormed, wellFormedValue } from '../../conversations/turns/log/well-formed.js';

/** What a model is asked for besides answering: one value, by the one function it may call. */
export interface Task<Value> {
  messages: ChatMessage[];
  tool: ToolSpec;
  /** What the function was called with; null: nothing that could be used. */
  read(input: unknown): Value | null;
  /** The same from what was said instead of calling; null: nothing that could be used. */
  readText(text: string): Value | null;
  maxOutputTokens: number;
  /** A model that takes longer is left. */
  maxSeconds: number;
}

/** Fit to be stored: what the database refuses (`\u0000`) is asked for again without end. */
export function readAnswer<Value>(task: Task<Value>, parts: readonly ChatPart[]): Value | null {
  for (const part of parts) {
    if (part.type !== 'tool-call' || part.call.name !== task.tool.name) continue;
    const value = task.read(wellFormedValue(parseArguments(part.call.arguments)));
    if (value !== null) return value;
  }
  return task.readText(wellFormed(textOf(parts)));
}

/** Without what turned out to have been thoughts. */
function textOf(parts: readonly ChatPart[]): string {
  return parts
    .slice(parts.findLastIndex(({ type }) => type === 'retraction') + 1)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

/** What is wrong with an answer of which nothing counts, for the log: nothing of what was said is in it. */
export function faultOf(
  { tool, maxOutputTokens }: Pick<Task<unknown>, 'tool' | 'maxOutputTokens'>,
  parts: readonly ChatPart[],
): string {
  if (parts.some((part) => part.type === 'finish' && part.reason === 'length'))
    return `The answer was cut off at ${maxOutputTokens} tokens.`;
  if (parts.some((part) => part.type === 'tool-call' && part.call.name === tool.name))
    return `What ${tool.name} was called with cannot be used.`;
  return textOf(parts).trim() !== ''
    ? `It answered without a call of ${tool.name}.`
    : 'The answer was empty.';
}

/** The object of a text that says it among other words, as models do that cannot be made to call a function. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
