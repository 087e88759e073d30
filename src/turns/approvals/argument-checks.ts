import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../common/json.js';

/** What keeps the skill `key` from being called with `input` in the company; null: nothing. For people. */
export type CheckArguments = (companyId: string, key: string, input: JsonObject) => Promise<string | null>;

/** The way up to those who know the skills, for those who let people edit what a skill is called with. */
@Injectable()
export class ArgumentChecks {
  private check: CheckArguments | null = null;

  register(check: CheckArguments): void {
    this.check = check;
  }

  findFault(companyId: string, key: string, input: JsonObject): Promise<string | null> {
    if (!this.check) throw new Error('Nobody has registered to check the arguments of skills.');
    return this.check(companyId, key, input);
  }
}
