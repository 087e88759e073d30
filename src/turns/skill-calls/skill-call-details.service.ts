import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import type { JsonValue } from '../../common/json.js';
import { Database } from '../../database/database.js';
import { SkillCallRepository } from './skill-call.repository.js';

/** The whole results of skill calls, which are read only where somebody asks for them. */
@Injectable()
export class SkillCallDetails {
  constructor(
    private readonly database: Database,
    private readonly calls: SkillCallRepository,
  ) {}

  /** By the calls' ids, in their order; null where the model had all of it. */
  async findMany(viewer: Pick<Viewer, 'companyId'>, ids: readonly string[]): Promise<(JsonValue | null)[]> {
    const rows = await this.database.read(viewer.companyId, (tx) => this.calls.listDetails(tx, ids));
    const byId = new Map(rows.map(({ id, details }) => [id, details]));
    return ids.map((id) => byId.get(id) ?? null);
  }
}
