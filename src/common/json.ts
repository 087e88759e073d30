/** A value that survives JSON.stringify and JSON.parse unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object: what the model's arguments, a skill's result and free attributes are made of. */
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value read from JSON is an object: neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
