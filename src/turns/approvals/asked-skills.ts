import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../common/json.js';
import type { Approval } from './approval.entity.js';

/** A skill that people are asked about, as it stands when they answer. Its texts are for people. */
export interface AskedSkill {
  /** Whether whoever asked the question may answer as well; null: the company has no such skill any more. */
  askerMayApprove: boolean | null;
  /** Why the turn cannot call it any more; null: it can. */
  refusal: string | null;
  /** What keeps it from being called with `input`; null: nothing. */
  faultOf: (input: JsonObject) => string | null;
}

export type AskedCall = Pick<Approval, 'companyId' | 'turnId' | 'skill'>;
type FindAskedSkill = (call: AskedCall) => Promise<AskedSkill>;

/** The way up to those who know the skills, for those who have people asked about them. */
@Injectable()
export class AskedSkills {
  private look: FindAskedSkill | null = null;

  register(look: FindAskedSkill): void {
    this.look = look;
  }

  find(call: AskedCall): Promise<AskedSkill> {
    if (!this.look) throw new Error('Nobody has registered to tell how skills stand.');
    return this.look(call);
  }
}
