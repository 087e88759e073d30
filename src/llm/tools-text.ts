import type { JsonObject } from '../common/json.js';
import type { ToolSpec } from './chat-model.js';

/** A skill's schema is the same object for as long as the process lives, and may be long. */
const schemaTexts = new WeakMap<JsonObject, string>();

/** The tools as JSON, for counting and for keeping. */
export const toolsText = (tools: readonly ToolSpec[]): string => `[${tools.map(toolText).join(',')}]`;

const toolText = ({ name, description, parameters }: ToolSpec): string =>
  `{"name":${JSON.stringify(name)},"description":${JSON.stringify(description)},"parameters":${schemaText(parameters)}}`;

const schemaText = (schema: JsonObject): string => {
  let text = schemaTexts.get(schema);
  if (text === undefined) {
    text = JSON.stringify(schema);
    schemaTexts.set(schema, text);
  }
  return text;
};
