import { z } from 'zod';

import { withoutHidden } from '../../common/text/data-text.js';
import { badInput } from '../../common/errors/domain-error.js';
import { checkTemplate, type TemplateProblem } from './prompt-template.js';

const MAX_NOTE_CHARACTERS = 500;

/** A template may hold thousands of wrong variables; nobody mends more at once. */
const MOST_PROBLEMS = 50;

/** PostgreSQL stores no NUL and no half of a character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What publishPrompt is given. A note of nothing that can be seen is none. */
export const PromptPublication = z.object({
  template: z
    .string()
    .refine((template) => withoutHidden(template).trim() !== '', {
      error: 'A prompt must not be empty.',
      abort: true,
    })
    .refine(isStorable, 'This holds characters that are not text.'),
  note: z
    .string()
    .trim()
    .max(MAX_NOTE_CHARACTERS, `A note has at most ${MAX_NOTE_CHARACTERS} characters.`)
    .refine(isStorable, 'This holds characters that are not text.')
    .nullish()
    .transform((note) => withoutHidden(note ?? '').trim() || null),
});
export type PromptPublication = z.output<typeof PromptPublication>;

/** Rejects what no turn could be asked with, by BAD_USER_INPUT that says all that is wrong and where. */
export const requireUsable = (template: string): void => {
  const problems = checkTemplate(template);
  if (problems.length === 0) return;
  const named = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - named.length;
  const words = named.map(({ message }) => message);
  if (more > 0) words.push(`And ${more} more.`);
  throw badInput(['template'], words.join(' '), { problems: named satisfies TemplateProblem[] });
};
