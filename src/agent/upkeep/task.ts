import type { ChatMessage, ChatPart, ToolSpec } from '@palabre/llm-client';

import { parseArguments } from '../../skills/skill-arguments.js';
import { wellFormed, wellFormedValue } from '../../common/well-formed.js';

/** A request for a value instead of an answer, through the one function that the model may call. */
export interface Task<Value> {
  messages: ChatMessage[];
  tool: ToolSpec;
  /** Parses the function's arguments. Null: unusable. */
  read(input: unknown): Value | null;
  /** Parses text that came instead of a call. Null: unusable. */
  readText(text: string): Value | null;
  maxOutputTokens: number;
  maxSeconds: number;
}

/** Made fit for storage: a value that the database refuses (`\u0000`) would be asked for again and again. */
export function readAnswer<Value>(task: Task<Value>, parts: readonly ChatPart[]): Value | null {
  for (const part of parts) {
    if (part.type !== 'tool-call' || part.call.name !== task.tool.name) continue;
    const value = task.read(wellFormedValue(parseArguments(part.call.arguments)));
    if (value !== null) return value;
  }
  return task.readText(wellFormed(textOf(parts)));
}

/** The text without parts that turned out to be thoughts. */
function textOf(parts: readonly ChatPart[]): string {
  return parts
    .slice(parts.findLastIndex(({ type }) => type === 'retraction') + 1)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

/** Why an answer is unusable, for the log, without any message text. */
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

/** The JSON object within a text, as written by models that cannot be made to call a function. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
