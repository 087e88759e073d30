import { Injectable } from '@nestjs/common';

import type { JsonValue } from '../../common/json.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { SkillCallRepository } from './skill-call.repository.js';

@Injectable()
export class SkillCallResults {
  constructor(
    private readonly database: Database,
    private readonly calls: SkillCallRepository,
  ) {}

  /** The details of these calls, in the order of `ids`; null where the model was given the whole result. */
  async findDetails(
    viewer: Pick<Viewer, 'companyId'>,
    ids: readonly string[],
  ): Promise<(JsonValue | null)[]> {
    const rows = await this.database.read(viewer.companyId, (tx) => this.calls.listDetails(tx, ids));
    const byId = new Map(rows.map(({ id, details }) => [id, details]));
    return ids.map((id) => byId.get(id) ?? null);
  }
}
