import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';

/** The value when it is an object, else an empty one: a schema or result from outside may hold anything. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

export const asArray = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

export const asText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export const strings = (value: JsonValue | undefined): string[] =>
  asArray(value).filter((item) => typeof item === 'string');

/** Null when the text is no JSON. */
export function parseJson(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** The text fields of JSON that breaks off somewhere, the last one as far as it goes; the first of each name. */
export function textFieldsOf(text: string): JsonObject {
  const fields = new Map<string, JsonValue>();
  for (const [, name = '', written = ''] of text.matchAll(/"(\w{1,64})": ?"((?:[^"\\\n]|\\.)*)/g)) {
    const value = parseJson(`"${written}"`);
    if (value !== null && !fields.has(name)) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
