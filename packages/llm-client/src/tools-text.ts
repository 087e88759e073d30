import type { JsonObject } from '@palabre/json';

import type { ToolSpec } from './chat-model.js';

interface ToolText {
  text: string;
  bytes: number;
}

/** A skill's tool is the same object for as long as the skill is, and may be long. */
const texts = new WeakMap<ToolSpec, ToolText>();

/** What is said of a tool may be another thing in every turn, and its schema still the same. */
const schemaTexts = new WeakMap<JsonObject, string>();

/** The tools as JSON, for counting and for keeping. */
export function toolsText(tools: readonly ToolSpec[]): string {
  return `[${tools.map(toolText).join(',')}]`;
}

/** The size of the tools as JSON, in bytes. */
export function toolsBytes(tools: readonly ToolSpec[]): number {
  return tools.reduce((sum, tool) => sum + known(tool).bytes + 1, tools.length === 0 ? 2 : 1);
}

/** One tool as JSON. */
export function toolText(tool: ToolSpec): string {
  return known(tool).text;
}

function known(tool: ToolSpec): ToolText {
  const before = texts.get(tool);
  if (before) return before;
  const { name, description, parameters } = tool;
  const words = `"name":${JSON.stringify(name)},"description":${JSON.stringify(description)}`;
  const text = `{${words},"parameters":${schemaText(parameters)}}`;
  const made = { text, bytes: Buffer.byteLength(text) };
  texts.set(tool, made);
  return made;
}

function schemaText(schema: JsonObject): string {
  const text = schemaTexts.get(schema) ?? JSON.stringify(schema);
  schemaTexts.set(schema, text);
  return text;
}
