import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import type { Viewer } from '../companies/auth/viewer.js';
import { badInput, existing } from '../common/errors/domain-error.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InstalledSkills, SkillMakers, SkillChanges } from './skill-sources.service.js';
import {
  approvalSettingOf,
  type CatalogueSkill,
  isApprovalRequired,
  readsOwn,
  unavailabilityOf,
} from './skill.js';
import { type SkillKind, type SkillRow, SkillRepository, type SkillSwitches } from './skill.repository.js';
import type { SkillModel } from './skill.model.js';

/** A skill of a company: its definition and the row's switches. */
export interface CompanySkill extends SkillModel, Omit<SkillRow, keyof SkillModel> {
  /** Its definition, with translated texts. Null: the skill is gone, and only its key is known. */
  found: CatalogueSkill | null;
}

/** The skills and switches of a company, for admins. */
@Injectable()
export class SkillsService {
  constructor(
    private readonly database: Database,
    private readonly skills: SkillRepository,
    private readonly makers: SkillMakers,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
    private readonly audit: AuditService,
  ) {}

  async list({ companyId }: Pick<Viewer, 'companyId'>): Promise<CompanySkill[]> {
    const installed = await this.installed.current();
    return this.database.transaction(companyId, async (tx) => {
      const rows = await this.listAll(tx, installed);
      const own = await this.makers.makeAll(tx, rows);
      return rows.map((row) => describe(row, (row.own ? own.get(row.id) : installed.get(row.key)) ?? null));
    });
  }

  /** Rejects with NOT_FOUND. */
  async get({ companyId }: Pick<Viewer, 'companyId'>, key: string): Promise<CompanySkill> {
    const installed = await this.installed.current();
    return this.database.transaction(companyId, async (tx) => {
      const row = await this.findOrAdd(tx, installed.get(key), () => this.skills.findByKey(tx, key));
      const own = await this.makers.makeAll(tx, [row]);
      return describe(row, (row.own ? own.get(row.id) : installed.get(key)) ?? null);
    });
  }

  /** Switches a skill for the viewer's company, from the next model call on. Rejects with NOT_FOUND. */
  setActive(viewer: Viewer, key: string, active: boolean): Promise<CompanySkill> {
    return this.change(viewer, key, active ? 'skill.activated' : 'skill.deactivated', () => ({ active }));
  }

  /**
   * Requires approval for the skill's calls, or none, from the next model call on. Without `askerMayApprove` that
   * setting stays. Rejects with NOT_FOUND, or with BAD_USER_INPUT for instructions.
   */
  setApproval(
    viewer: Viewer,
    key: string,
    { required, askerMayApprove }: { required: boolean; askerMayApprove: boolean | null },
  ): Promise<CompanySkill> {
    return this.change(viewer, key, 'skill.approval-set', (before, kind) => {
      if (required && kind === 'INSTRUCTIONS')
        throw badInput(['required'], 'Instructions are only read: they cannot require approval.');
      const requiresApproval = kind === 'INSTRUCTIONS' ? before.requiresApproval : required;
      return { requiresApproval, askerMayApprove: askerMayApprove ?? before.askerMayApprove };
    });
  }

  /**
   * Offers the skill to MCP clients, or stops doing so. Rejects with NOT_FOUND, and with BAD_USER_INPUT for one that
   * may change something, needs approval or cannot be called.
   */
  async setExposed(viewer: Viewer, key: string, exposed: boolean): Promise<CompanySkill> {
    const { changes, requiresApproval } = await this.get(viewer, key);
    if (exposed && (changes !== 'NOTHING' || requiresApproval)) {
      const message =
        'Only a skill that changes nothing and needs no approval can be offered: outside of a turn nobody could be asked.';
      throw badInput(['exposed'], message);
    }
    return this.change(viewer, key, 'skill.exposure-set', () => ({ exposed }));
  }

  /** Changes the company's settings of a skill, with an audit entry. Rejects with NOT_FOUND. */
  async change(
    viewer: Viewer,
    key: string,
    action: string,
    changesOf: (before: SkillRow, kind: SkillKind) => Partial<SkillSwitches>,
  ): Promise<CompanySkill> {
    const installed = await this.installed.current();
    await this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.findOrAdd(tx, installed.get(key), () => this.skills.lock(tx, key));
      const found = before.own ? undefined : installed.get(key);
      const changes = changesOf(before, found?.kind ?? before.kind);
      if (isDeepStrictEqual({ ...before, ...changes }, { ...before })) return;
      await this.skills.update(tx, key, changes);
      // The action's name says on or off.
      if ('active' in changes) await this.audit.record(tx, viewer.id, action, key);
      else await this.audit.recordChange(tx, viewer.id, action, key, changes, before);
      await this.changes.announce(tx);
    });
    return this.get(viewer, key);
  }

  /** The company's rows, including one for each skill of the installation. */
  async listAll(tx: Transaction, installed: ReadonlyMap<string, CatalogueSkill>): Promise<SkillRow[]> {
    const rows = await this.skills.list(tx);
    const known = new Set(rows.map(({ key }) => key));
    const missing = [...installed.values()].filter(({ key }) => !known.has(key));
    if (missing.length === 0) return rows;
    await this.addMissing(tx, missing);
    return this.skills.list(tx);
  }

  /** The company's row of a skill. Rejects with NOT_FOUND if there is none and no such skill is installed. */
  private async findOrAdd(
    tx: Transaction,
    skill: CatalogueSkill | undefined,
    find: () => Promise<SkillRow | null>,
  ): Promise<SkillRow> {
    const found = await find();
    if (found) return found;
    if (skill) await this.addMissing(tx, [skill]);
    return existing(skill ? await find() : null, 'skill');
  }

  private addMissing(tx: Transaction, skills: readonly CatalogueSkill[]): Promise<void> {
    return this.skills.addMissing(
      tx,
      skills.map((skill) => ({ ...skill, active: this.installed.isOnByDefault(skill) })),
    );
  }
}

function describe(row: SkillRow, found: CatalogueSkill | null): CompanySkill {
  const skill = found?.skill ?? null;
  return {
    ...row,
    kind: found?.kind ?? row.kind,
    assistants: row.assistants ?? (found?.assistants ? [...found.assistants] : null),
    found,
    category: found?.category ?? null,
    available: unavailabilityOf(found, 'en') === null,
    inputSchema: skill?.parameters ?? null,
    idempotent: skill?.idempotent ?? null,
    timeoutSeconds: skill ? skill.timeoutMs / 1000 : null,
    changes: skill?.effect.changes ?? null,
    isApprovalSet: row.requiresApproval !== null,
    requiresApproval: isApprovalRequired(row.requiresApproval, skill?.effect ?? readsOwn),
    askerMayApprove: approvalSettingOf(row).askerMayApprove,
  };
}
