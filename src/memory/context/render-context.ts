import { singleLine, withoutEndOf, withoutHidden } from '@palabre/text';
import type { JsonValue } from '@palabre/json';

import type { Calendar } from '../../common/calendar.js';
import { compareIds } from '../../common/ids.js';
import { fill, type Wording } from '../../common/wording/wording.js';
import type { Memory, MemoryKind } from '../memory.entity.js';
import { type ContextItem, contextSections } from './memory-context.js';

export type PlacedItem = Pick<ContextItem, 'section' | 'memory' | 'messages' | 'text'>;

/** The text before and after the items. */
export function frameOf({ introduction }: Wording['memoryContext']): readonly [begin: string, end: string] {
  return [`<${MEMORY_ELEMENT}>\n${introduction}`, `</${MEMORY_ELEMENT}>`];
}

export function safeExcerpt(text: string): string {
  return withoutEndOf(MEMORY_ELEMENT, withoutHidden(text.toWellFormed()));
}

/** Newer memories come last in a section, so that a provider's prompt cache stays valid for as long as possible. */
export function renderContext(
  items: readonly PlacedItem[],
  labels: Wording['memoryContext'],
  calendar: Calendar,
): string {
  if (items.length === 0) return '';
  const [begin, end] = frameOf(labels);
  const begun = new Set<string>();
  const lines = inOrder(items).flatMap((item) => [...headingsFor(item, begun, labels, calendar), item.text]);
  return [begin, ...lines, end].join('\n');
}

/** Without those in `begun`, to which it adds the new ones: a day is written once for all its facts. */
export function headingsFor(
  { section, memory }: PlacedItem,
  begun: Set<string>,
  labels: Wording['memoryContext'],
  calendar: Calendar,
): string[] {
  const heading = labels.headings[section];
  const isDated = section === 'FACT' && memory !== null;
  const all = isDated ? [heading, calendar.dayOf(memory.validFrom) + labels.colon.trimEnd()] : [heading];
  const missing = all.filter((line) => !begun.has(line));
  for (const line of missing) begun.add(line);
  return missing;
}

/** By section, and within each the oldest first. */
export function inOrder<Item extends PlacedItem>(items: readonly Item[]): Item[] {
  return contextSections.flatMap((section) =>
    items.filter((item) => item.section === section).toSorted(byAge),
  );
}

function byAge(a: PlacedItem, b: PlacedItem): number {
  // Ids of memories are in the order in which they were stored.
  return timeOf(a) - timeOf(b) || compareIds(a.memory?.id ?? '', b.memory?.id ?? '');
}

/** Since when a memory holds, or when the first message of an excerpt was said. */
function timeOf({ memory, messages }: PlacedItem): number {
  return (memory?.validFrom ?? messages[0]?.createdAt)?.getTime() ?? 0;
}

/** The element that encloses a context. */
const MEMORY_ELEMENT = 'memory';

const MAX_TEXT_CHARACTERS = 2_000;
const MAX_DETAIL_CHARACTERS = 500;

/** The attributes with a label, in the order in which they are shown. Others follow under their own keys. */
const labelledAttributes: Record<MemoryKind, readonly string[]> = {
  PREFERENCE: [],
  PROJECT: ['status', 'description', 'client'],
  CONTACT: ['company', 'email', 'notes', 'aliases'],
  FACT: [],
};

/** A memory as one line of a context: its subject, content and details. `day`: since when it holds; null: not told. */
export function memoryLine(memory: Memory, labels: Wording['memoryContext'], day: string | null): string {
  const details = detailsOf(memory, labels, day);
  const line = `- ${wordsOf(memory, labels)}${details.length === 0 ? '' : fill(labels.details, { text: details.join(labels.separator) })}`;
  return withoutEndOf(MEMORY_ELEMENT, line);
}

function wordsOf({ subject, content }: Memory, { colon }: Wording['memoryContext']): string {
  const about = singleLine(subject, MAX_TEXT_CHARACTERS);
  const said = singleLine(content, MAX_TEXT_CHARACTERS);
  return beginsWith(said, about) ? said : `${about}${colon}${said}`;
}

/** Saves tokens: without it, a line could read "Awa's birthday: Awa's birthday is …". */
function beginsWith(text: string, words: string): boolean {
  return (
    text.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(text.slice(words.length))
  );
}

function detailsOf(memory: Memory, labels: Wording['memoryContext'], day: string | null): string[] {
  return [
    ...attributeTexts(memory, labels),
    ...(memory.ownerId === null ? [labels.shared] : []),
    ...(day === null ? [] : [day]),
  ];
}

function attributeTexts({ kind, attributes }: Memory, labels: Wording['memoryContext']): string[] {
  const known = labelledAttributes[kind];
  const named: Readonly<Record<string, string>> = labels.attributes;
  const others = Object.keys(attributes).filter((key) => !known.includes(key));
  return [...known, ...others].flatMap((key) => {
    const text = singleLine(valueText(attributes[key] ?? null, labels), MAX_DETAIL_CHARACTERS);
    const label = known.includes(key) ? named[key] : singleLine(key, MAX_DETAIL_CHARACTERS);
    return text === '' || !label ? [] : [`${label}${labels.colon}${text}`];
  });
}

function valueText(value: JsonValue, labels: Wording['memoryContext']): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (Array.isArray(value)) return value.map((one) => valueText(one, labels)).join(labels.listSeparator);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
