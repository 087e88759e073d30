import { z } from 'zod';

import type { JsonObject } from '../../common/json.js';
import { SkillError } from '../skill.js';

/** The arguments of a function skill as JSON Schema. Descriptions in `input` are for the model. */
export function parametersOf(input: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema as JsonObject;
}

/** The arguments, checked. Throws SkillError. */
export function readInput<Input extends z.ZodType>(input: Input, given: JsonObject): z.output<Input> {
  const { success, data, error } = input.safeParse(given);
  if (success) return data;
  throw new SkillError(`The arguments do not fit:\n${z.prettifyError(error)}`);
}
