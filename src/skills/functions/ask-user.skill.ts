import type { JsonObject } from '@palabre/json';
import { wordingIn } from '../../common/wording/wording.js';

import { FunctionSkill } from '../function-skill.decorator.js';
import { readsOwn, type Skill, SkillError } from '../skill.js';

export const ASK_USER = 'ask_user';

/** Makes the turn wait for the member's answer: see PendingInput. The loop asks the question; nothing runs here. */
@FunctionSkill()
export class AskUserSkill implements Skill {
  readonly key = ASK_USER;
  readonly name = wordingIn('en').skillNames.ask_user;
  readonly description = 'Asks the user back and waits, only if you cannot go on without.';
  // Short, because every model call pays for it.
  readonly parameters: JsonObject = {
    type: 'object',
    properties: {
      prompt: { type: 'string', maxLength: 1_000 },
      schema: { type: 'object', description: 'Flat JSON Schema of the answer; left out: a text' },
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
