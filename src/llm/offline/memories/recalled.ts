import type { JsonObject } from '../../../common/json.js';
import { asArray, asObject, asText } from '../json-access.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import type { Known, KnownMemory, SaidBefore } from './known.js';
import { saidIn } from './memory-section.js';
import { RECALL } from './memory-tools.js';
import { type NoteKind, noteKinds } from './notes/note.js';

const kindOf = (value: string): NoteKind => noteKinds.find((kind) => kind === value) ?? 'FACT';

const dayOf = (value: string): string | null => /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? null;

/** A memory as the skills give it. */
export function memoryOf(value: JsonObject): KnownMemory {
  const attributes = Object.entries(asObject(value['attributes'])).flatMap(([key, each]) => {
    const text = Array.isArray(each) ? each.map(asText).join(', ') : asText(each);
    return text === '' ? [] : [[key, text] as const];
  });
  return {
    kind: kindOf(asText(value['kind'])),
    subject: asText(value['subject']),
    content: asText(value['content']),
    attributes: Object.fromEntries(attributes),
    since: dayOf(asText(value['since'])),
  };
}

function saidOf(value: JsonObject): SaidBefore[] {
  const date = dayOf(asText(value['date']));
  return saidIn(asText(value['text']).split('\n')).map((each) => ({ ...each, date: each.date ?? date }));
}

/** What was recalled since the question; null: nothing was tried to. */
export function recalledIn(results: readonly ToolResult[]): Known | null {
  const recalls = results
    .filter(({ name }) => name === RECALL)
    .map((result) => asObject(resultValue(result)));
  if (recalls.length === 0) return null;
  const listed = (key: string): JsonObject[] => recalls.flatMap((value) => asArray(value[key]).map(asObject));
  return {
    memories: listed('memories').map(memoryOf),
    said: listed('conversations').flatMap(saidOf),
    hasMore: recalls.some((value) => value['moreMemories'] === true),
  };
}
