import type { JsonObject } from '../../common/json.js';
import { FunctionSkill } from '../function-skill.decorator.js';
import { readsOwn, type Skill, SkillError } from '../skill.js';

export const ASK_USER = 'ask_user';

/** Has the turn wait for an answer of the member: see PendingInput. The loop puts the question; nothing is run. */
@FunctionSkill()
export class AskUserSkill implements Skill {
  readonly key = ASK_USER;
  readonly name = 'Ask the user';
  readonly description =
    'Asks the user what you cannot go on without, and waits for the answer. Not for what you can find out or assume.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: 1_000, description: "In the user's language." },
      schema: {
        type: 'object',
        description: 'Flat JSON Schema of the answer: scalars, enums. Left out: one text.',
      },
    },
    required: ['prompt'],
  };
  readonly idempotent = true;
  readonly timeoutMs = 1_000;
  readonly effect = readsOwn;

  run(): Promise<never> {
    return Promise.reject(new SkillError('Nobody can be asked here.'));
  }
}
