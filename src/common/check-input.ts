import type { z } from 'zod';

import { badInput } from './errors/domain-error.js';

/** Checks an argument. Rejects with BAD_USER_INPUT that names the first bad field below `path`. */
export const checkInput = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly string[] = ['input'],
): z.output<Schema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw badInput([...path, ...(issue?.path ?? []).map(String)], issue?.message ?? 'This is not valid.');
};
