/** A value that survives JSON.stringify and JSON.parse unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object, such as a model's arguments, a skill's result or free attributes. */
export type JsonObject = { [key: string]: JsonValue };

/** Null: the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text where it is a JSON object, else an empty one: providers refuse a whole conversation for another text. */
export function objectInJson(text: string): string {
  return isJsonObject(parseJson(text)) ? text : '{}';
}

/** Deeper than any real arguments, and far less than what overflows the stack of a recursive reader. */
export const MAX_ARGUMENT_LEVELS = 100;

/** Whether a value has more than `levels` levels. A loop: a recursion would overflow the stack. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  let level: JsonValue[] = [value].filter(isNesting);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one as object).filter(isNesting));
  }
  return false;
}

function isNesting(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}
