/** A value that survives JSON.stringify and JSON.parse unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object, such as a model's arguments, a skill's result or free attributes. */
export type JsonObject = { [key: string]: JsonValue };

/** Null: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text if it is a JSON object, else `{}`: providers refuse a whole conversation for any other text. */
export function objectInJson(text: string): string {
  return isJsonObject(parseJson(text)) ? text : '{}';
}

/** Deeper than real arguments, and far below what overflows a recursive reader's stack. */
export const MAX_ARGUMENT_LEVELS = 100;

/** Whether a value has more than `levels` levels. A loop, because recursion would overflow the stack. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  let level: JsonValue[] = [value].filter(isNesting);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one as object).filter(isNesting));
  }
  return false;
}

/** All texts in a value, without the names of fields. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return isNesting(value) ? Object.values(value as object).flatMap(textsIn) : [];
}

function isNesting(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}
