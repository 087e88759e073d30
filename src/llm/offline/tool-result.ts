import type { JsonValue } from '../../common/json.js';
import { parseJson, textFieldsOf } from './json-access.js';

/** A tool's answer, with the call it answers. */
export interface ToolResult {
  name: string;
  /** JSON, as the call had it. */
  arguments: string;
  content: string;
}

/** The marks that the agent's loop puts around a result, with a note behind them or none. */
const marks = /^<result skill="[\w-]+">\n([^]*)\n<\/result>(?:\n\n[^]*)?$/u;

/** What a tool message holds, without the marks; other callers send none. */
export const withoutMarks = (content: string): string => marks.exec(content)?.[1] ?? content;

/** A result's value: JSON where it is JSON, what came whole where it was cut short for lack of room, else its text. */
export function resultValue({ content }: ToolResult): JsonValue {
  const value = parseJson(content);
  if (value !== null || !content.startsWith('{')) return value ?? content;
  return textFieldsOf(content);
}
