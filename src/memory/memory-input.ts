import { z } from 'zod';
import { line, plainLine } from '@palabre/text';
import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { checkInput } from '../common/check-input.js';
import { badInput } from '../common/errors/domain-error.js';
import { type MemoryKind, memoryKinds, type Memory } from './memory.entity.js';

export const MAX_SUBJECT_CHARACTERS = 200;
export const MAX_CONTENT_CHARACTERS = 2_000;
/** Folding can make one character eighteen, and an index entry must not be longer than a third of a page. */
const MAX_SUBJECT_KEY_CHARACTERS = 2 * MAX_SUBJECT_CHARACTERS;

const Content = line(MAX_CONTENT_CHARACTERS);

const MemorySchema = z.object({
  kind: z.enum(memoryKinds),
  subject: line(MAX_SUBJECT_CHARACTERS)
    .refine((subject) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(subjectKeyOf(subject)), 'This must not be empty.')
    .refine(
      (subject) => subjectKeyOf(subject).length <= MAX_SUBJECT_KEY_CHARACTERS,
      `This must be at most ${MAX_SUBJECT_CHARACTERS} characters long.`,
    ),
  content: Content,
  shared: z.boolean().nullish(),
});

/** Changes to attributes. Null removes one. */
type AttributeChanges = Readonly<Record<string, JsonValue | undefined>>;

interface CheckedMemory {
  kind: MemoryKind;
  subject: string;
  subjectKey: string;
  content: string;
  /** Null: none were given. */
  attributes: AttributeChanges | null;
  shared: boolean;
}

/** Checks and normalizes a new memory. Throws BAD_USER_INPUT. */
export function checkMemory(given: {
  kind: MemoryKind;
  subject: string;
  content: string;
  attributes?: JsonObject | null | undefined;
  shared?: boolean | null | undefined;
}): CheckedMemory {
  const { kind, subject, content, shared } = checkInput(MemorySchema, given);
  if ((kind === 'PROJECT' || kind === 'CONTACT') && !/[\p{L}\p{N}]/u.test(subject))
    throw badInput(['input', 'subject'], 'A name must have a letter or a digit in it, to be recognised by.');
  const attributes = checkAttributes(kind, given.attributes, ['input', 'attributes']);
  return { kind, subject, subjectKey: subjectKeyOf(subject), content, attributes, shared: shared ?? false };
}

/** Checks and normalizes changes to a memory of `kind`. Null: not changed. Throws BAD_USER_INPUT. */
export function checkRevision(
  kind: MemoryKind,
  {
    content,
    attributes,
  }: { content?: string | null | undefined; attributes?: JsonObject | null | undefined },
): { content: string | null; attributes: AttributeChanges | null } {
  if (content == null && attributes == null)
    throw badInput(['content'], 'Give the new content, new attributes, or both.');
  return {
    content: content == null ? null : checkInput(Content, content, ['content']),
    attributes: checkAttributes(kind, attributes, ['attributes']),
  };
}

function checkAttributes(
  kind: MemoryKind,
  attributes: unknown,
  path: readonly string[],
): AttributeChanges | null {
  return attributes == null ? null : checkInput(attributesOf(kind), attributes, path);
}

/** For a memory's attributes. */
export const attributeLimits = {
  keys: 20,
  keyCharacters: 40,
  /** For all attributes as JSON. */
  characters: 4_000,
  items: 10,
  itemCharacters: 100,
  textCharacters: 500,
  nameCharacters: 200,
  statusCharacters: 60,
  emailCharacters: 320,
} as const;

const tooManyKeys = `These must be at most ${attributeLimits.keys} attributes.`;

const domainLabel = '[^\\s@.,;:<>()[\\]"\\\\]{1,63}';
/** Includes non-ASCII, because addresses exist in every script. */
const address = new RegExp(`^[^\\s@,;:<>()[\\]"\\\\]{1,64}@(?:${domainLabel}\\.)+${domainLabel}$`, 'u');

const email = line(attributeLimits.emailCharacters).refine(
  (text) => address.test(text),
  'This must be an e-mail address, such as awa@example.org.',
);

// The length is checked before the items: a list may be as long as a request.
const list = z
  .custom<JsonValue[]>(Array.isArray, { error: 'This must be a list of texts.', abort: true })
  .refine((items) => items.length <= attributeLimits.items, {
    error: `These must be at most ${attributeLimits.items}.`,
    abort: true,
  })
  .pipe(z.array(line(attributeLimits.itemCharacters)));

/** The values of an attribute with an unknown key. */
const anything = z.union(
  [line(attributeLimits.textCharacters), z.number(), z.boolean(), z.null(), list],
  `This must be text of 1 to ${attributeLimits.textCharacters} characters, a number, true, false, null, or a list of at most ${attributeLimits.items} texts of 1 to ${attributeLimits.itemCharacters} characters.`,
);

const known = {
  PROJECT: z.object({
    status: line(attributeLimits.statusCharacters).nullish(),
    description: line(attributeLimits.textCharacters).nullish(),
    client: line(attributeLimits.nameCharacters).nullish(),
  }),
  CONTACT: z.object({
    company: line(attributeLimits.nameCharacters).nullish(),
    email: email.nullish(),
    notes: line(attributeLimits.textCharacters).nullish(),
    aliases: list.nullish(),
  }),
  PREFERENCE: z.object({}),
  FACT: z.object({}),
} satisfies Record<MemoryKind, z.ZodType>;

/** The schema of attributes of a kind. Null removes an attribute. */
export function attributesOf(kind: MemoryKind) {
  return z
    .custom<JsonObject>(isJsonObject, { error: 'This must be a JSON object.', abort: true })
    .refine(hasFewKeys, { error: tooManyKeys, abort: true })
    .refine((attributes) => Object.keys(attributes).every(isKey), {
      error: `A key must be 1 to ${attributeLimits.keyCharacters} characters of text, without blanks around it.`,
      abort: true,
    })
    .pipe(known[kind].catchall(anything));
}

/** Checks the number and size of attributes whose values were checked. Null: they are fine. */
export function findProblem(attributes: JsonObject): string | null {
  if (!hasFewKeys(attributes)) return tooManyKeys;
  return JSON.stringify(attributes).length > attributeLimits.characters
    ? `This must be at most ${attributeLimits.characters} characters of JSON.`
    : null;
}

export function mergeAttributes(
  before: JsonObject,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject {
  const after = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) after.delete(key);
    else if (value !== undefined) after.set(key, value);
  }
  return Object.fromEntries(after);
}

/** Compares attributes in any order: jsonb does not keep the order of keys. */
export function sameAttributes(one: JsonObject, other: JsonObject): boolean {
  return toSortedJson(one) === toSortedJson(other);
}

function toSortedJson(attributes: JsonObject): string {
  return JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function hasFewKeys(attributes: JsonObject): boolean {
  return Object.keys(attributes).length <= attributeLimits.keys;
}

function isKey(key: string): boolean {
  return (
    key.length >= 1 &&
    key.length <= attributeLimits.keyCharacters &&
    key !== '__proto__' &&
    key.isWellFormed() &&
    plainLine(key) === key
  );
}

type Said = Pick<Memory, 'kind' | 'content'> & { attributes: AttributeChanges | null };

/** A new e-mail address leaves a contact's notes as they are. Throws BAD_USER_INPUT when they are too many. */
export function attributesAfter(
  before: Memory | null,
  { kind, content, attributes }: Said,
  path: readonly string[],
): JsonObject {
  const isNamed = kind === 'PROJECT' || kind === 'CONTACT';
  const keeps = isNamed || (attributes === null && before?.content === content);
  const after = mergeAttributes(keeps && before ? before.attributes : {}, attributes ?? {});
  const problem = findProblem(after);
  if (problem !== null) throw badInput(path, problem);
  return after;
}

/** Whether a new version would be the same as the one before. Another spelling of the subject is a change. */
export function saysTheSame(
  before: Pick<Memory, 'subject' | 'content' | 'attributes'>,
  said: Pick<Memory, 'subject' | 'content' | 'attributes'>,
): boolean {
  return (
    before.subject === said.subject &&
    before.content === said.content &&
    sameAttributes(before.attributes, said.attributes)
  );
}

/** Unicode does not decompose letters with a stroke. */
const strokes = new Map(Object.entries({ ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't' }));
const struck = /[øđłħŧ]/g;
const accents = /[\u0300-\u036F]/g;
const apostrophes = /[‘’ʼ´`]/g;

/** Only accents of alphabets are removed: Indic vowel signs are letters. It is stored, so this must not change. */
export function subjectKeyOf(subject: string): string {
  return (
    subject
      .normalize('NFKC')
      // Before the case: the neighbours of a sigma decide which form it takes, and \uFEFF is a blank only here.
      .replace(/\s+/g, ' ')
      // Lower, upper and lower again unifies ẞ, ß and ss, ı and i, ς and σ.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize('NFD')
      .replace(accents, '')
      .normalize('NFC')
      .replace(struck, (letter) => strokes.get(letter) ?? letter)
      .replace(apostrophes, "'")
      .replace(/\s+/g, ' ')
      .trim()
  );
}
