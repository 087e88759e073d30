import {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_ARGUMENT_LEVELS,
} from '@palabre/json';

import { fill, wordingIn } from '../../common/wording/wording.js';
import { valueIn } from '../../conversations/message-part.js';
import { mismatchOf } from '../../skills/skill-arguments.js';

/** What of an answer does not fit the schema that was asked for, in words for the model; null: it fits. */
export function faultInAnswer(text: string, schema: JsonObject): string | null {
  const value = valueIn(text);
  if (isJsonObject(value) && !isDeeperThan(value, MAX_ARGUMENT_LEVELS)) return mismatchOf(value, schema);
  return `the whole must be a JSON object of at most ${MAX_ARGUMENT_LEVELS} levels, and nothing else`;
}

/** The texts in an answer that is JSON, which may cite sources; empty: it is none, as while it is not whole. */
export function textsInAnswer(text: string): string {
  return textsIn(valueIn(text)).join('\n');
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsIn);
}

/** A note at the end of a prompt, with what the answer is to fit. `schema` null: with nothing more. */
export function noteWithSchema(
  note: string | undefined,
  schema: JsonObject | null,
  language: string,
): string {
  const asked = schema && fill(wordingIn(language).plan.answerInJson, { schema: JSON.stringify(schema) });
  return [note, asked].filter(Boolean).join('\n\n');
}
