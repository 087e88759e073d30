import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import type { Viewer } from '../companies/auth/viewer.js';
import { badInput, notFound } from '../common/errors/domain-error.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InstalledSkills, SkillMakers, SkillChanges } from './skill-sources.service.js';
import {
  approvalSettingOf,
  type CatalogueSkill,
  isApprovalRequired,
  type NamedSkill,
  readsOwn,
  unavailabilityOf,
} from './skill.js';
import { type SkillKind, type SkillRow, SkillRepository, type SkillSwitches } from './skill.repository.js';
import type { SkillModel } from './skill.model.js';

/** A skill as a company has it: the row's switches, and what it is. */
export interface CompanySkill extends SkillModel, Omit<SkillRow, keyof SkillModel> {
  /** What `nameIn` calls it by; null: it is gone, and has its key alone. */
  named: NamedSkill | null;
}

/** The skills of a company as admins see them, and the switches that they have. */
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
   * Has people asked before the skill is carried out, or before no call of it, from the next model call on. Left out,
   * `askerMayApprove` stays as it is. Rejects with NOT_FOUND, or with BAD_USER_INPUT for instructions.
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
   * Offers the skill to hosts of MCP, or no more. Rejects with NOT_FOUND, and with BAD_USER_INPUT for one that may change
   * something, needs approval or is not called.
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

  /** Changes what the viewer’s company has decided of one skill, audited. Rejects with NOT_FOUND. */
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
      // On or off says the action itself.
      if ('active' in changes) await this.audit.record(tx, viewer.id, action, key);
      else await this.audit.recordChange(tx, viewer.id, action, key, changes, before);
      await this.changes.announce(tx);
    });
    return this.get(viewer, key);
  }

  /** The company's rows, one for each skill of the installation among them. */
  async listAll(tx: Transaction, installed: ReadonlyMap<string, CatalogueSkill>): Promise<SkillRow[]> {
    const rows = await this.skills.list(tx);
    const known = new Set(rows.map(({ key }) => key));
    const missing = [...installed.values()].filter(({ key }) => !known.has(key));
    if (missing.length === 0) return rows;
    await this.addMissing(tx, missing);
    return this.skills.list(tx);
  }

  /** The company's row of one skill. Rejects with NOT_FOUND when there is none and the installation has no such skill. */
  private async findOrAdd(
    tx: Transaction,
    skill: CatalogueSkill | undefined,
    find: () => Promise<SkillRow | null>,
  ): Promise<SkillRow> {
    const found = await find();
    if (found) return found;
    if (skill) await this.addMissing(tx, [skill]);
    const added = skill ? await find() : null;
    if (!added) throw notFound('skill');
    return added;
  }

  private addMissing(tx: Transaction, skills: readonly CatalogueSkill[]): Promise<void> {
    return this.skills.addMissing(
      tx,
      skills.map((skill) => ({ ...skill, active: this.installed.isOnByDefault(skill) })),
    );
  }
}

function namedOf({ key, kind, name, skill }: CatalogueSkill): NamedSkill {
  return { key, kind, name, skill: skill?.names ? { names: skill.names } : null };
}

function describe(row: SkillRow, found: CatalogueSkill | null): CompanySkill {
  const unavailableReason = unavailabilityOf(found);
  const skill = found?.skill ?? null;
  return {
    ...row,
    kind: found?.kind ?? row.kind,
    assistants: row.assistants ?? (found?.assistants ? [...found.assistants] : null),
    named: found && namedOf(found),
    description: found?.description ?? '',
    category: found?.category ?? null,
    available: unavailableReason === null,
    unavailableReason,
    inputSchema: skill?.parameters ?? null,
    idempotent: skill?.idempotent ?? null,
    timeoutSeconds: skill ? skill.timeoutMs / 1000 : null,
    warnings: found?.pack?.warnings ?? [],
    changes: skill?.effect.changes ?? null,
    isApprovalSet: row.requiresApproval !== null,
    requiresApproval: isApprovalRequired(row.requiresApproval, skill?.effect ?? readsOwn),
    askerMayApprove: approvalSettingOf(row).askerMayApprove,
  };
}
