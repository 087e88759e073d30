import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { Transaction } from '../../../platform/database/transaction.js';
import type { PendingInput } from './pending-input.entity.js';

/** A skill that needs a person's input, as configured when they answer. Its texts are for people. */
export interface AskedSkill {
  /** Whether the asking member may approve. Null: the company no longer has the skill. */
  askerMayApprove: boolean | null;
  /** Why the turn can no longer call it. Null: it can. */
  refusal: string | null;
  /** Why it cannot be called with `input`. Null: it can. */
  faultOf: (input: JsonObject) => string | null;
}

export type AskedCall = Pick<PendingInput, 'companyId' | 'turnId' | 'skill'>;

/** Facts of skills and JSON Schemas that inputs need. */
interface SkillLookup {
  find(call: AskedCall): Promise<AskedSkill>;
  /** Those of the keys that belong to a skill of the company or the product. */
  listTaken(companyId: string, keys: readonly string[]): Promise<string[]>;
  /** The names of these skills in a language (BCP 47), by key. Deleted skills have none. */
  listNames(tx: Transaction, keys: readonly string[], language: string): Promise<ReadonlyMap<string, string>>;
  /** Why a value does not fit. Null: it fits. */
  misfitOf(value: JsonValue, schema: JsonObject): string | null;
}

/** Holds the lookup of the skills room, which is above this one. */
@Injectable()
export class AskedSkills {
  private registered: SkillLookup | null = null;

  register(lookup: SkillLookup): void {
    this.registered = lookup;
  }

  get lookup(): SkillLookup {
    if (!this.registered) throw new Error('Nobody has registered to tell how skills stand.');
    return this.registered;
  }
}
