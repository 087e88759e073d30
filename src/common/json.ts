/** A value that survives JSON.stringify and JSON.parse unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object: what the model's arguments, a skill's result and free attributes are made of. */
export type JsonObject = { [key: string]: JsonValue };
