import { z } from 'zod';

import { badInput } from './errors/domain-error.js';
import { onThread } from './process/thread-time.js';

/** Checks an argument. Throws BAD_USER_INPUT that names the first bad field below `path`. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly string[] = ['input'],
): z.output<Schema> {
  const parsed = onThread(() => schema.safeParse(value));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw badInput([...path, ...(issue?.path ?? []).map(String)], issue?.message ?? 'This is not valid.');
}

/** In the years that PostgreSQL and ids support. */
export const moment = z
  .date()
  .min(new Date(0), 'This is before 1970.')
  .max(new Date('9999-12-31'), 'This is too late.');

/** A field of a change: it may be left out but not be null, because its column is NOT NULL. */
export function optionalNotNull<Schema extends z.ZodType>(schema: Schema) {
  return z
    .custom<unknown>((value) => value !== null, 'This must not be null.')
    .pipe(schema.optional())
    .optional();
}

/** Whether it is an http or https URL without a user name or password. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
