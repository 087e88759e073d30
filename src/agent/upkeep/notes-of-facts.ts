import { rankMentions, readMessage } from '@palabre/names';
import type { JsonObject } from '@palabre/json';

import type { Memory } from '../../memory/memory.entity.js';
import type { NewMemory } from '../../memory/memory-writer.service.js';
import { subjectKeyOf } from '../../memory/memory-input.js';
import { type RefusedContent, refusedUnasked } from '../../memory/refused-content.js';
import type { Fact } from './memory-task.js';

/** Why a fact is not noted. */
type LeftOut = 'NOT_THE_MEMBER' | 'NOT_SAID' | 'KNOWN' | 'TWICE' | RefusedContent;

/** A new memory, and the one that it replaces. */
export interface Note {
  memory: Pick<NewMemory, 'kind' | 'subject' | 'content'> & { attributes: JsonObject };
  replaces: Memory | null;
}

interface Notes {
  notes: Note[];
  /** How many facts were left out, by reason. */
  leftOut: Partial<Record<LeftOut, number>>;
}

export interface Surroundings {
  /** The member's memories, in the order of the facts' numbers. */
  known: readonly Memory[];
  shared: readonly Memory[];
  /** What the member saw and said: the question, and the messages before it. */
  said: readonly string[];
}

/** The notes to keep of a model's facts, without invented, forbidden and known ones. */
export function notesOf(facts: readonly Fact[], surroundings: Surroundings): Notes {
  const notes = new Map<string, Note>();
  const leftOut: Notes['leftOut'] = {};
  const leave = (reason: LeftOut): void => void (leftOut[reason] = (leftOut[reason] ?? 0) + 1);
  for (const fact of facts) {
    const note = noteOf(fact, surroundings.known);
    const reason = reasonToLeave(fact, note, surroundings);
    if (reason) {
      leave(reason);
      continue;
    }
    const key = `${note.memory.kind} ${subjectKeyOf(note.memory.subject)}`;
    // The last statement on a subject wins.
    if (notes.has(key)) leave('TWICE');
    notes.set(key, note);
  }
  return { notes: [...notes.values()], leftOut };
}

/** A correction takes the subject of the memory that it corrects. */
function noteOf(fact: Fact, known: readonly Memory[]): Note {
  const { kind, subject, content, attributes } = fact;
  const sameSubject = known.find(
    (memory) => memory.kind === kind && memory.subjectKey === subjectKeyOf(subject),
  );
  const replaced = correctedBy(fact, known) ?? sameSubject ?? null;
  const of = replaced ?? { kind, subject };
  return { memory: { kind: of.kind, subject: of.subject, content, attributes }, replaces: replaced };
}

/** Corrects contacts and projects by name only: otherwise somebody else would get their e-mail address and notes. */
function correctedBy({ subject, replaces }: Fact, known: readonly Memory[]): Memory | undefined {
  const memory = replaces === null ? undefined : known[replaces - 1];
  if (memory?.kind !== 'CONTACT' && memory?.kind !== 'PROJECT') return memory;
  const called = { ...memory, subject, attributes: {} };
  const isSame = names(subject, memory) || names(memory.subject, called);
  return isSame ? memory : undefined;
}

function names(text: string, memory: Memory): boolean {
  return rankMentions(readMessage(text), [memory], memory.kind).length > 0;
}

function reasonToLeave(
  fact: Fact,
  { memory, replaces }: Note,
  { known, shared, said }: Surroundings,
): LeftOut | null {
  if (fact.message !== 'question') return 'NOT_THE_MEMBER';
  const refused = refusedUnasked(fact) ?? refusedUnasked(memory);
  if (refused) return refused;
  const before = replaces ? [JSON.stringify([replaces.content, replaces.attributes])] : [];
  if (!addressesIn(memory).every((address) => isIn(address, [...said, ...before]))) return 'NOT_SAID';
  const content = contentKey(memory.content);
  const same = [...known, ...shared].find((other) => contentKey(other.content) === content);
  return same && saysNothingMore(memory.attributes, same) ? 'KNOWN' : null;
}

/** The same note may differ in capitals, accents and the full stop. */
function contentKey(content: string): string {
  return subjectKeyOf(content).replace(/[\s.。!！]+$/u, '');
}

function saysNothingMore(attributes: JsonObject, { attributes: before }: Memory): boolean {
  return Object.entries(attributes).every(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(before[key] ?? null),
  );
}

const address = /[^\s@<>"'(),:;[\]\\]{1,64}@[^\s@<>"'(),:;[\]\\]{1,255}/g;

/** E-mail addresses, because models like to invent them. */
function addressesIn({ content, attributes }: Note['memory']): string[] {
  return JSON.stringify([content, attributes]).match(address) ?? [];
}

function isIn(text: string, texts: readonly string[]): boolean {
  const wanted = text.toLowerCase().replace(/\.$/, '');
  return texts.some((one) => one.toLowerCase().includes(wanted));
}
