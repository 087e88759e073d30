import type { Calendar } from '../../common/calendar.js';
import { singleLine, withoutEndOf } from '../../common/text/data-text.js';
import type { JsonValue } from '../../common/json.js';
import type { Memory, MemoryKind } from '../../memory/memory.entity.js';
import type { ContextLabels } from './context-labels.js';

/** The element that a context stands in. */
export const MEMORY_ELEMENT = 'memory';

const MOST_TEXT = 2_000;
const MOST_DETAIL = 500;

/** In the order in which they are told; what else a memory says of itself comes after them. */
const attributesOf: Record<MemoryKind, readonly string[]> = {
  PREFERENCE: [],
  PROJECT: ['status', 'description', 'client'],
  CONTACT: ['company', 'email', 'notes', 'aliases'],
  FACT: [],
};

/** A memory as one line of a context: what it is about, what it says, and since when. */
export const memoryLine = (memory: Memory, labels: ContextLabels, calendar: Calendar): string => {
  const details = detailsOf(memory, labels, calendar);
  const line = `- ${wordsOf(memory, labels)}${details.length === 0 ? '' : labels.details(details.join(labels.separator))}`;
  return withoutEndOf(MEMORY_ELEMENT, line);
};

const wordsOf = ({ subject, content }: Memory, { colon }: ContextLabels): string => {
  const about = singleLine(subject, MOST_TEXT);
  const says = singleLine(content, MOST_TEXT);
  return beginsWith(says, about) ? says : `${about}${colon}${says}`;
};

/** "Awa's birthday: Awa's birthday is …" would take room and tell nothing. */
const beginsWith = (text: string, words: string): boolean =>
  text.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(text.slice(words.length));

const detailsOf = (memory: Memory, labels: ContextLabels, calendar: Calendar): string[] => [
  ...attributeTexts(memory, labels),
  ...(memory.ownerId === null ? [labels.shared] : []),
  // Preferences hold until they change: their order tells which is newer.
  ...(memory.kind === 'PREFERENCE' ? [] : [calendar.dayOf(memory.validFrom)]),
];

const attributeTexts = ({ kind, attributes }: Memory, labels: ContextLabels): string[] => {
  const known = attributesOf[kind];
  const others = Object.keys(attributes).filter((key) => !known.includes(key));
  return [...known, ...others].flatMap((key) => {
    const text = singleLine(valueText(attributes[key] ?? null, labels), MOST_DETAIL);
    const label = known.includes(key) ? labels.attributes[key] : singleLine(key, MOST_DETAIL);
    return text === '' || !label ? [] : [`${label}${labels.colon}${text}`];
  });
};

const valueText = (value: JsonValue, labels: ContextLabels): string => {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (Array.isArray(value)) return value.map((one) => valueText(one, labels)).join(labels.listSeparator);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
