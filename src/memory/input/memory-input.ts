import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { badInput } from '../../common/errors/domain-error.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { line } from '../../common/text/plain-line.js';
import { type MemoryKind, memoryKinds } from '../memory.entity.js';
import { attributesOf } from './attributes.js';
import { subjectKeyOf } from './subject-key.js';

const MOST_SUBJECT_CHARACTERS = 200;
/** A single character may be eighteen when it is folded, and a key in an index must not be longer than a third of a page. */
const MOST_KEY_CHARACTERS = 2 * MOST_SUBJECT_CHARACTERS;

const Content = line(2_000);

const Memory = z.object({
  kind: z.enum(memoryKinds),
  subject: line(MOST_SUBJECT_CHARACTERS)
    .refine((subject) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(subjectKeyOf(subject)), 'This must not be empty.')
    .refine(
      (subject) => subjectKeyOf(subject).length <= MOST_KEY_CHARACTERS,
      `This must be at most ${MOST_SUBJECT_CHARACTERS} characters long.`,
    ),
  content: Content,
  shared: z.boolean().nullish(),
});

/** Changes of attributes: null takes one out. */
export type AttributeChanges = Readonly<Record<string, JsonValue | undefined>>;

export interface CheckedMemory {
  kind: MemoryKind;
  subject: string;
  subjectKey: string;
  content: string;
  /** Null: none were given. */
  attributes: AttributeChanges | null;
  shared: boolean;
}

/** What is to be remembered, made fit to be stored. Rejects with BAD_USER_INPUT. */
export const checkMemory = (given: {
  kind: MemoryKind;
  subject: string;
  content: string;
  attributes?: JsonObject | null | undefined;
  shared?: boolean | null | undefined;
}): CheckedMemory => {
  const { kind, subject, content, shared } = checkInput(Memory, given);
  if ((kind === 'PROJECT' || kind === 'CONTACT') && !/[\p{L}\p{N}]/u.test(subject)) {
    throw badInput(['input', 'subject'], 'A name must have a letter or a digit in it, to be recognised by.');
  }
  const attributes = checkAttributes(kind, given.attributes, ['input', 'attributes']);
  return { kind, subject, subjectKey: subjectKeyOf(subject), content, attributes, shared: shared ?? false };
};

/** The same for changes of a memory of `kind`; null: nothing is said of it. Rejects with BAD_USER_INPUT. */
export const checkRevision = (
  kind: MemoryKind,
  {
    content,
    attributes,
  }: { content?: string | null | undefined; attributes?: JsonObject | null | undefined },
): { content: string | null; attributes: AttributeChanges | null } => {
  if (content == null && attributes == null) {
    throw badInput(['content'], 'Give the new content, new attributes, or both.');
  }
  return {
    content: content == null ? null : checkInput(Content, content, ['content']),
    attributes: checkAttributes(kind, attributes, ['attributes']),
  };
};

const checkAttributes = (
  kind: MemoryKind,
  attributes: unknown,
  path: readonly string[],
): AttributeChanges | null => (attributes == null ? null : checkInput(attributesOf(kind), attributes, path));
