import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@palabre/json';

import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { SkillCallRepository, type SkillUse } from './skill-call.repository.js';

const MAX_COUNTED = 10_000;

@Injectable()
export class SkillCallResults {
  constructor(
    private readonly database: Database,
    private readonly calls: SkillCallRepository,
  ) {}

  /** The details of these calls, in the order of `ids`. Null: the model got the complete result. */
  async findDetails(
    viewer: Pick<Viewer, 'companyId'>,
    ids: readonly string[],
  ): Promise<(JsonValue | null)[]> {
    const rows = await this.database.read(viewer.companyId, (tx) => this.calls.listDetails(tx, ids));
    const byId = new Map(rows.map(({ id, details }) => [id, details]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** How often the company has called these skills since `from`, in their order, among its last 10,000 calls. */
  async countSince(
    viewer: Pick<Viewer, 'companyId'>,
    skills: readonly string[],
    from: Date,
  ): Promise<SkillUse[]> {
    const rows = await this.database.read(viewer.companyId, (tx) =>
      this.calls.countSince(tx, from, MAX_COUNTED),
    );
    const bySkill = new Map(rows.map(({ skill, calls, failures }) => [skill, { calls, failures }]));
    return skills.map((skill) => bySkill.get(skill) ?? { calls: 0, failures: 0 });
  }
}
