import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { Transaction } from '../../../platform/database/transaction.js';
import type { PendingInput } from './pending-input.entity.js';

/** A skill that people are asked about, as it stands when they answer. Its texts are shown to people. */
export interface AskedSkill {
  /** Whether whoever asked the question may answer as well; null: the company has no such skill any more. */
  askerMayApprove: boolean | null;
  /** Why the turn cannot call it any more; null: it can. */
  refusal: string | null;
  /** Why it cannot be called with `input`; null: it can. */
  faultOf: (input: JsonObject) => string | null;
}

export type AskedCall = Pick<PendingInput, 'companyId' | 'turnId' | 'skill'>;

/** What is to be known of skills and of JSON Schemas where people are asked. */
export interface SkillLookup {
  find(call: AskedCall): Promise<AskedSkill>;
  /** Of these keys, those that skills of the company have, or the product itself. */
  listTaken(companyId: string, keys: readonly string[]): Promise<string[]>;
  /** What people call these skills in a language, BCP 47, by key. One that is gone has no name. */
  listNames(tx: Transaction, keys: readonly string[], language: string): Promise<ReadonlyMap<string, string>>;
  /** Why a value does not fit; null: it does. */
  misfitOf(value: JsonValue, schema: JsonObject): string | null;
}

/** Holds the lookup of the skills room, which lies above this one. */
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
