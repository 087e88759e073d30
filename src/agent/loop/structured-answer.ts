import { isDeeperThan, isJsonObject, type JsonObject, MAX_ARGUMENT_LEVELS, textsIn } from '@palabre/json';

import { fill, wordingIn } from '../../common/wording/wording.js';
import { valueIn } from '../../conversations/message-part.js';
import { mismatchOf } from '../../skills/skill-arguments.js';

/** Describes, for the model, how an answer violates the schema. Null: it fits. */
export function faultInAnswer(text: string, schema: JsonObject): string | null {
  const value = valueIn(text);
  if (isJsonObject(value) && !isDeeperThan(value, MAX_ARGUMENT_LEVELS)) return mismatchOf(value, schema);
  return `the whole must be a JSON object of at most ${MAX_ARGUMENT_LEVELS} levels, and nothing else`;
}

/** The texts in a JSON answer, which may cite sources. Empty: not JSON, or not complete yet. */
export function textsInAnswer(text: string): string {
  return textsIn(valueIn(text)).join('\n');
}

/** A note at the end of a prompt with the answer's schema. `schema` null: without it. */
export function noteWithSchema(
  note: string | undefined,
  schema: JsonObject | null,
  language: string,
): string {
  const asked = schema && fill(wordingIn(language).plan.answerInJson, { schema: JSON.stringify(schema) });
  return [note, asked].filter(Boolean).join('\n\n');
}
