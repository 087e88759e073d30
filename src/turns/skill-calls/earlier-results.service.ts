import { Injectable } from '@nestjs/common';

import type { JsonValue } from '../../common/json.js';
import { Database } from '../../database/database.js';
import { SkillCallRepository } from './skill-call.repository.js';

/** Whose results they are. */
export interface ResultOwner {
  companyId: string;
  memberId: string;
  conversationId: string;
}

/** What skills gave earlier in a conversation, for skills that work on with it. */
@Injectable()
export class EarlierResults {
  constructor(
    private readonly database: Database,
    private readonly calls: SkillCallRepository,
  ) {}

  /** The details of the newest call of the skill that succeeded and has any; null when there is none. */
  findLatest(owner: ResultOwner, skill: string): Promise<{ details: JsonValue; at: Date } | null> {
    return this.database.read(owner.companyId, (tx) => this.calls.findLatestDetails(tx, owner, skill));
  }
}
