import type { JsonObject } from '@palabre/json';
import { wordingIn } from '../../common/wording/wording.js';

import { FunctionSkill } from '../function-skill.decorator.js';
import { readsOwn, type Skill, SkillError } from '../skill.js';

export const ASK_USER = 'ask_user';

/** Has the turn wait for an answer of the member: see PendingInput. The loop puts the question; nothing is run. */
@FunctionSkill()
export class AskUserSkill implements Skill {
  readonly key = ASK_USER;
  readonly name = wordingIn('en').skillNames.ask_user;
  readonly description = 'Asks the user back and waits, only if you cannot go on without.';
  // Every call of a model pays for it: its words are few.
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
