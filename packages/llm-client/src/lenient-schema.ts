import { z } from 'zod';

/** A field that is null if it is missing or malformed. Providers send anything. */
export function orNull<T extends z.ZodType>(type: T) {
  return type.nullish().catch(null);
}
