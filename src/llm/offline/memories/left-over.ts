import { asArray, asObject, asText, parseJson } from '../json-access.js';
import { fold } from '../reading/words/fold.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { isOneName, type KnownMemory, speaksOf } from './known.js';
import { memoryOf } from './recalled.js';

/** Whether a call of the skill that forgets erased anything. */
export const hasForgotten = (result: ToolResult): boolean =>
  Object.keys(asObject(asObject(resultValue(result))['forgotten'])).length > 0;

/** What such a call found instead of what it was to erase. */
const candidatesIn = (result: ToolResult): KnownMemory[] =>
  asArray(asObject(resultValue(result))['candidates']).map((each) => memoryOf(asObject(each)));

/** Of a person or a project whatever tells of it; of anything else what has its name: words of it are everywhere. */
function tellsOf({ kind, subject }: { kind: string; subject: string }, memory: KnownMemory): boolean {
  if (subject === '') return false;
  if (fold(memory.subject) === fold(subject)) return true;
  if (kind !== 'CONTACT' && kind !== 'PROJECT') return false;
  return (
    speaksOf(subject, `${memory.subject}\n${memory.content}`) ||
    (kind === 'CONTACT' && isOneName(memory.subject, subject))
  );
}

/**
 * What still tells of what was forgotten: of `known`, which is what is remembered after the calls, and of what these
 * found instead.
 */
export function leftOver(calls: readonly ToolResult[], known: readonly KnownMemory[]): KnownMemory[] {
  const forgotten = calls.filter(hasForgotten).map((call) => {
    const given = asObject(parseJson(call.arguments));
    return { kind: asText(given['kind']), subject: asText(given['subject']) };
  });
  const told = known.filter((memory) => forgotten.some((each) => tellsOf(each, memory)));
  const found = calls
    .flatMap(candidatesIn)
    .filter(({ content }) => !told.some((memory) => memory.content === content));
  return [...told, ...found];
}
