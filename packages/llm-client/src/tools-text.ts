import type { JsonObject } from '@palabre/json';

import type { ToolSpec } from './chat-model.js';

interface ToolText {
  text: string;
  bytes: number;
}

/** A skill's tool is the same object as long as the skill exists, and may be long. */
const texts = new WeakMap<ToolSpec, ToolText>();

/** A tool's description may change in each turn while its schema stays. */
const schemaTexts = new WeakMap<JsonObject, string>();

/** The tools as JSON, for counting and storing. */
export function toolsText(tools: readonly ToolSpec[]): string {
  return `[${tools.map(toolText).join(',')}]`;
}

export function toolsBytes(tools: readonly ToolSpec[]): number {
  return tools.reduce((sum, tool) => sum + known(tool).bytes + 1, tools.length === 0 ? 2 : 1);
}

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
