import type { JsonObject } from '@palabre/json';
import { faultOfSchema } from '@palabre/json-schema';
import { lines } from '@palabre/text';
import { z } from 'zod';

import { badInput } from '../../../common/errors/domain-error.js';

export const MAX_CLIENT_SKILLS = 20;
export const MAX_DESCRIPTION_CHARACTERS = 2_000;
export const MAX_CLIENT_SKILLS_CHARACTERS = 64_000;
export const DEFAULT_CLIENT_SKILL_SECONDS = 300;
export const MAX_CLIENT_SKILL_SECONDS = 86_400;

export interface ClientSkill {
  key: string;
  description: string;
  /** JSON Schema of type object. */
  parameters: JsonObject;
  timeoutSeconds: number;
}

const seconds = `This must be a whole number of seconds, 1 to ${MAX_CLIENT_SKILL_SECONDS}.`;

const ClientSkillInput = z.object({
  key: z.string().regex(/^[\w-]{1,64}$/, 'A key has 1 to 64 letters, digits, underscores and hyphens.'),
  description: lines(MAX_DESCRIPTION_CHARACTERS),
  parameters: z.custom<JsonObject>(),
  timeoutSeconds: z
    .number()
    .int(seconds)
    .min(1, seconds)
    .max(MAX_CLIENT_SKILL_SECONDS, seconds)
    .nullish()
    .transform((given) => given ?? DEFAULT_CLIENT_SKILL_SECONDS),
}) satisfies z.ZodType<ClientSkill>;

/** Absent if empty, so that the payload's hash of stored turns stays the same. */
export const clientSkillsInput = z
  .array(ClientSkillInput)
  .max(MAX_CLIENT_SKILLS, { error: `At most ${MAX_CLIENT_SKILLS} skills.`, abort: true })
  .refine((skills) => JSON.stringify(skills).length <= MAX_CLIENT_SKILLS_CHARACTERS, {
    error: `Together they have at most ${MAX_CLIENT_SKILLS_CHARACTERS} characters of JSON.`,
    abort: true,
  })
  .superRefine((skills, context) => {
    const keys = skills.map(({ key }) => key);
    const repeated = keys.findIndex((key, index) => keys.indexOf(key) < index);
    if (repeated >= 0)
      context.addIssue({ code: 'custom', path: [repeated, 'key'], message: 'Two skills have this key.' });
    // A check may take a tenth of a second, so only the allowed number is checked.
    for (const [index, { parameters }] of skills.entries()) {
      const message = faultOfSchema(parameters);
      if (message !== null) return context.addIssue({ code: 'custom', path: [index, 'parameters'], message });
    }
  })
  .nullish()
  .transform((skills) => (skills && skills.length > 0 ? skills : undefined));

/** Rejects with BAD_USER_INPUT for keys of the company's skills, which `listTaken` gives. */
export async function requireFreeKeys(
  skills: readonly ClientSkill[],
  listTaken: (keys: readonly string[]) => Promise<string[]>,
): Promise<void> {
  const keys = skills.map(({ key }) => key);
  const [taken] = await listTaken(keys);
  if (taken === undefined) return;
  const path = ['input', 'clientSkills', String(keys.indexOf(taken)), 'key'];
  throw badInput(path, `There is a skill ${taken} already: choose another key.`);
}
