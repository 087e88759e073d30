import { z } from 'zod';

import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { line, plainLine } from '../../common/text/plain-line.js';
import type { MemoryKind } from '../memory.entity.js';

const MOST_KEYS = 20;
const MOST_KEY_CHARACTERS = 40;
const MOST_CHARACTERS = 4_000;
const MOST_ITEMS = 10;
const MOST_ITEM_CHARACTERS = 100;
const MOST_TEXT_CHARACTERS = 500;

const tooManyKeys = `These must be at most ${MOST_KEYS} attributes.`;

const domainLabel = '[^\\s@.,;:<>()[\\]"\\\\]{1,63}';
/** Not only ASCII: there are addresses in every script. */
const address = new RegExp(`^[^\\s@,;:<>()[\\]"\\\\]{1,64}@(?:${domainLabel}\\.)+${domainLabel}$`, 'u');

const email = line(320).refine(
  (text) => address.test(text),
  'This must be an e-mail address, such as awa@example.org.',
);

// Counted before it is looked through: it may be as long as a request.
const list = z
  .custom<JsonValue[]>(Array.isArray, { error: 'This must be a list of texts.', abort: true })
  .refine((items) => items.length <= MOST_ITEMS, {
    error: `These must be at most ${MOST_ITEMS}.`,
    abort: true,
  })
  .pipe(z.array(line(MOST_ITEM_CHARACTERS)));

/** What a key that is not known by name may hold. */
const anything = z.union(
  [line(MOST_TEXT_CHARACTERS), z.number(), z.boolean(), z.null(), list],
  `This must be text of 1 to ${MOST_TEXT_CHARACTERS} characters, a number, true, false, null, or a list of at most ${MOST_ITEMS} texts of 1 to ${MOST_ITEM_CHARACTERS} characters.`,
);

const known = {
  PROJECT: z.object({
    status: line(60).nullish(),
    description: line(MOST_TEXT_CHARACTERS).nullish(),
    client: line(200).nullish(),
  }),
  CONTACT: z.object({
    company: line(200).nullish(),
    email: email.nullish(),
    notes: line(MOST_TEXT_CHARACTERS).nullish(),
    aliases: list.nullish(),
  }),
  PREFERENCE: z.object({}),
  FACT: z.object({}),
} satisfies Record<MemoryKind, z.ZodType>;

/** Checks the attributes of a kind. A null among them says: no longer known. */
export const attributesOf = (kind: MemoryKind) =>
  z
    .custom<JsonObject>(isJsonObject, { error: 'This must be a JSON object.', abort: true })
    .refine(hasFewKeys, { error: tooManyKeys, abort: true })
    .refine((attributes) => Object.keys(attributes).every(isKey), {
      error: `A key must be 1 to ${MOST_KEY_CHARACTERS} characters of text, without blanks around it.`,
      abort: true,
    })
    .pipe(known[kind].catchall(anything));

/** What is wrong with attributes as a whole, each of which has been checked; null: nothing. */
export const faultOf = (attributes: JsonObject): string | null => {
  if (!hasFewKeys(attributes)) return tooManyKeys;
  return JSON.stringify(attributes).length > MOST_CHARACTERS
    ? `This must be at most ${MOST_CHARACTERS} characters of JSON.`
    : null;
};

/** Attributes of which some are changed, and those that are null are taken out. */
export const merged = (
  before: JsonObject,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject => {
  const after = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) after.delete(key);
    else if (value !== undefined) after.set(key, value);
  }
  return Object.fromEntries(after);
};

/** Whether they say the same, in whatever order: the database keeps an order of its own. */
export const sameAttributes = (one: JsonObject, other: JsonObject): boolean =>
  inOrder(one) === inOrder(other);

const inOrder = (attributes: JsonObject): string =>
  JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function hasFewKeys(attributes: JsonObject): boolean {
  return Object.keys(attributes).length <= MOST_KEYS;
}

function isKey(key: string): boolean {
  return (
    key.length >= 1 &&
    key.length <= MOST_KEY_CHARACTERS &&
    key !== '__proto__' &&
    key.isWellFormed() &&
    plainLine(key) === key
  );
}
