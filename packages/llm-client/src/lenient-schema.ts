import { z } from 'zod';

/** A field that is null where it is not there, or is not as it has to be: providers put in what they like. */
export function orNull<T extends z.ZodType>(type: T) {
  return type.nullish().catch(null);
}
