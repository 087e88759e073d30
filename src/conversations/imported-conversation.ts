import { z } from 'zod';
import { isSeen, withoutHidden } from '@palabre/text';

import { DomainError } from '../common/errors/domain-error.js';
import { messageRoles } from './message.repository.js';
import { MAX_TITLE_CHARACTERS } from './title.js';
import { wellFormed } from '../common/well-formed.js';

export const MAX_IMPORTED_MESSAGES = 5_000;
export const MAX_IMPORTED_CHARACTERS = 100_000;
export const MAX_AUTHOR_CHARACTERS = 100;

/** The total size of an import's texts, in UTF-8. */
export const MAX_IMPORTED_BYTES = 10_000_000;

/** Tolerance for the clock of the system that the history comes from. */
const CLOCKS_APART_MS = 60_000;

/** PostgreSQL has no year 0. */
const FIRST_DAY = new Date('0001-01-01T00:00:00Z');

/** The visible text on one line. Null: nothing is visible. */
function shownLine(text: string): string | null {
  const line = withoutHidden(wellFormed(text))
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return isSeen(line) ? line : null;
}

/** On one line, as it precedes the message in prompts. */
const author = z
  .string()
  .max(MAX_AUTHOR_CHARACTERS, `A name has at most ${MAX_AUTHOR_CHARACTERS} characters.`)
  .transform(shownLine)
  .nullish()
  .transform((name) => name ?? null);

const title = z
  .string()
  .max(MAX_TITLE_CHARACTERS, `A title has at most ${MAX_TITLE_CHARACTERS} characters.`)
  .transform(shownLine)
  .nullish()
  .transform((text) => text ?? null);

const message = z.object({
  role: z.enum(messageRoles),
  text: z
    .string()
    .max(MAX_IMPORTED_CHARACTERS, `A message has at most ${MAX_IMPORTED_CHARACTERS} characters.`)
    .transform(wellFormed)
    .refine(isSeen, 'A message must not be empty.'),
  author,
  createdAt: z.date('This is no date.').min(FIRST_DAY, 'This is before the year 1.'),
});

/** The input of importConversation. GraphQL clients may send null for fields that they leave out. */
const ImportedConversation = z.object({
  assistantKey: z.string().max(100, 'This is no assistant’s key.'),
  title,
  messages: z
    .array(message)
    .min(1, 'A conversation has at least one message.')
    .max(
      MAX_IMPORTED_MESSAGES,
      `A conversation has at most ${MAX_IMPORTED_MESSAGES} messages; import more in parts.`,
    ),
});
export type ImportedConversation = z.output<typeof ImportedConversation>;
export type ImportedMessage = ImportedConversation['messages'][number];

/** The schema with checked times: messages come oldest first, and none is in the future. */
export function importedAt(now: Date): z.ZodType<ImportedConversation> {
  return ImportedConversation.superRefine(({ messages }, context) => {
    const latest = now.getTime() + CLOCKS_APART_MS;
    const wrong = messages.findIndex(({ createdAt }, index) => {
      const earlier = messages[index - 1]?.createdAt ?? createdAt;
      return createdAt < earlier || createdAt.getTime() > latest;
    });
    if (wrong < 0) return;
    const isFuture = (messages[wrong]?.createdAt.getTime() ?? 0) > latest;
    context.addIssue({
      code: 'custom',
      path: ['messages', wrong, 'createdAt'],
      message: isFuture
        ? 'This is in the future.'
        : 'This is before the message before it: give the oldest first.',
    });
  });
}

/** Rejects with PAYLOAD_TOO_LARGE. */
export function checkSize({ messages }: ImportedConversation): void {
  const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_IMPORTED_BYTES) return;
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The messages have ${bytes} bytes of text, and an import has at most ${MAX_IMPORTED_BYTES}: import them in parts.`,
    { path: ['input', 'messages'], argument: 'input.messages', bytes, limit: MAX_IMPORTED_BYTES },
  );
}
