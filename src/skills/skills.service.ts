import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { notFound } from '../common/domain-error.js';
import type { JsonObject } from '../common/json.js';
import { AuditService } from '../companies/audit.service.js';
import { Database } from '../database/database.js';
import { OncePerCompany } from '../database/once-per-company.js';
import type { Transaction } from '../database/transaction.js';
import type { Skill } from './skill.js';
import { SkillCatalogue } from './skill-catalogue.js';
import type { SkillRow } from './skill.entity.js';
import { SkillRepository } from './skill.repository.js';

/** A skill as a company has it: the row's switches and the code's words. */
export interface CompanySkill extends SkillRow {
  name: string;
  description: string;
  category: string | null;
  available: boolean;
  unavailableReason: string | null;
  inputSchema: JsonObject | null;
}

/** A skill that a model may call. */
export interface CallableSkill {
  skill: Skill;
  /** Who is to allow a call before it is carried out; null: nobody need be asked. */
  approval: { askerMayApprove: boolean } | null;
}

/** Which skills a company has, and which of them its assistants may use. */
@Injectable()
export class SkillsService {
  private readonly shipped = new OncePerCompany((tx) =>
    this.skills.addMissingFunctions(tx, this.catalogue.keys),
  );

  constructor(
    private readonly database: Database,
    private readonly skills: SkillRepository,
    private readonly catalogue: SkillCatalogue,
    private readonly audit: AuditService,
  ) {}

  list(viewer: Pick<Viewer, 'companyId'>): Promise<CompanySkill[]> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.shipped.ensure(tx);
      return (await this.skills.list(tx)).map((row) => this.describe(row));
    });
  }

  /** What a model may call in the company at this moment, by key. */
  listCallable(companyId: string): Promise<CallableSkill[]> {
    const list = (tx: Transaction): Promise<CallableSkill[]> => this.listCallableIn(tx);
    return this.shipped.isDone(companyId)
      ? this.database.read(companyId, list)
      : this.database.transaction(companyId, list);
  }

  /** The same as part of a transaction that may write. */
  async listCallableIn(tx: Transaction): Promise<CallableSkill[]> {
    await this.shipped.ensure(tx);
    const rows = await this.skills.list(tx);
    return rows.flatMap((row) => this.callable(row) ?? []);
  }

  /** The skill, when a model may call it in the company at this moment. */
  findCallable(companyId: string, key: string): Promise<CallableSkill | null> {
    return this.database.read(companyId, async (tx) => {
      const row = await this.skills.findByKey(tx, key);
      return row && this.callable(row);
    });
  }

  /** Whether calling the skill again after a crash does no harm. */
  isRepeatable(key: string): boolean {
    return this.catalogue.find(key)?.idempotent ?? true; // what does not exist does nothing
  }

  /** Switches a skill for the viewer's company, from the next model call on. Rejects with NOT_FOUND. */
  setActive(viewer: Viewer, key: string, active: boolean): Promise<CompanySkill> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.shipped.ensure(tx);
      const before = await this.get(tx, key);
      if (before.active !== active) {
        await this.skills.setActive(tx, key, active);
        await this.audit.record(tx, viewer.id, active ? 'skill.activated' : 'skill.deactivated', key);
      }
      return this.describe({ ...before, active });
    });
  }

  /**
   * Has people asked before the skill is carried out, or no longer, from the next model call on. Left out,
   * `askerMayApprove` stays as it is. Rejects with NOT_FOUND.
   */
  setApproval(
    viewer: Viewer,
    key: string,
    { required, askerMayApprove }: { required: boolean; askerMayApprove: boolean | null },
  ): Promise<CompanySkill> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.shipped.ensure(tx);
      const before = await this.get(tx, key);
      const after = {
        requiresApproval: required,
        askerMayApprove: askerMayApprove ?? before.askerMayApprove,
      };
      if (before.requiresApproval !== required || before.askerMayApprove !== after.askerMayApprove) {
        await this.skills.setApproval(tx, key, after);
        await this.audit.record(tx, viewer.id, 'skill.approval-set', key, after);
      }
      return this.describe({ ...before, ...after });
    });
  }

  private callable({ key, active, requiresApproval, askerMayApprove }: SkillRow): CallableSkill | null {
    const skill = active ? this.catalogue.find(key) : null;
    if (!skill || missingFor(skill) !== null) return null;
    return { skill, approval: requiresApproval ? { askerMayApprove } : null };
  }

  private async get(tx: Transaction, key: string): Promise<SkillRow> {
    const row = await this.skills.findByKey(tx, key);
    if (!row) throw notFound('skill');
    return row;
  }

  private describe(row: SkillRow): CompanySkill {
    const skill = this.catalogue.find(row.key);
    const unavailableReason = missingFor(skill);
    return {
      ...row,
      name: skill?.name ?? row.key,
      description: skill?.description ?? '',
      category: null,
      available: unavailableReason === null,
      unavailableReason,
      inputSchema: skill?.parameters ?? null,
    };
  }
}

/** What keeps everybody from using a skill, in words for people; null: nothing. */
const missingFor = (skill: Skill | null): string | null =>
  skill ? (skill.unavailableReason?.() ?? null) : 'This version of Palabre has no skill of this key.';
