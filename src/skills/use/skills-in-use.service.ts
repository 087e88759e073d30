import { Injectable } from '@nestjs/common';

import { type Role, roles } from '../../auth/viewer.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { type CatalogueSkill, missingFor } from '../catalogue-skill.js';
import { InstalledSkills } from '../installed-skills.service.js';
import { SkillChanges } from '../skill-changes.service.js';
import { SkillDefinitions } from '../definitions/skill-definitions.service.js';
import { SkillRepository } from '../skill.repository.js';
import type { SkillRow } from '../skill.entity.js';
import type { Pack, Skill } from '../skill.js';

/** On whose behalf skills are used. */
export interface SkillUser {
  companyId: string;
  role: Role;
  /** Null: whichever. */
  assistantKey: string | null;
}

/** A skill that a model may call. */
export interface CallableSkill {
  skill: Skill;
  /** Who is to allow a call before it is carried out; null: nobody need be asked. */
  approval: { askerMayApprove: boolean } | null;
}

/** What a model may use: skills that it calls, and packs that it loads; each by key. */
export interface UsableSkills {
  callable: CallableSkill[];
  packs: Pack[];
  /** What it was made of. */
  company: CompanySkills;
}

/** A company's switches, and what its own skills are, as they were read. */
export interface CompanySkills {
  rows: SkillRow[];
  own: ReadonlyMap<string, CatalogueSkill>;
  /** Of the company's skills when they were read: another one means to look again. */
  state: number;
}

/** Which skills a model may use at this moment. */
@Injectable()
export class SkillsInUse {
  constructor(
    private readonly database: Database,
    private readonly skills: SkillRepository,
    private readonly definitions: SkillDefinitions,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
  ) {}

  /** What of it stands in the database, as part of a transaction. */
  async read(tx: Transaction): Promise<CompanySkills> {
    const state = this.changes.stateOf(tx.companyId);
    const rows = await this.skills.list(tx);
    return { rows, own: await this.definitions.makeAll(tx, rows), state };
  }

  /** `known`: what was read before; where it is left out, or may have changed since, it is read now. */
  async listUsable(user: SkillUser, known?: CompanySkills): Promise<UsableSkills> {
    const isUpToDate = known !== undefined && !this.isOutdated(known, user.companyId);
    return this.usableOf(user, isUpToDate ? known : await this.look(user.companyId));
  }

  /** The company's row of the skill; and the skill, when a model may call it on the user's behalf at this moment. */
  async findOne(
    user: SkillUser,
    key: string,
  ): Promise<{ row: SkillRow | null; callable: CallableSkill | null }> {
    const { row, company } = await this.database.read(user.companyId, async (tx) => {
      const row = await this.skills.findByKey(tx, key);
      const rows = row ? [row] : [];
      return { row, company: { rows, own: await this.definitions.makeAll(tx, rows), state: 0 } };
    });
    const { callable } = await this.usableOf(user, company);
    return { row, callable: callable.find(({ skill }) => skill.key === key) ?? null };
  }

  /** Whether the company's skills may have changed since they were read. */
  private isOutdated({ state }: CompanySkills, companyId: string): boolean {
    return state !== this.changes.stateOf(companyId);
  }

  private async usableOf(user: SkillUser, company: CompanySkills): Promise<UsableSkills> {
    const { rows, own } = company;
    const installed = await this.installed.current();
    const callable: CallableSkill[] = [];
    const packs: Pack[] = [];
    const known = new Set<string>();
    const add = (skill: CatalogueSkill | null, row: SkillSwitchesOf): void => {
      if (!skill || !isFor(user, skill, row) || missingFor(skill) !== null) return;
      if (skill.pack) packs.push(skill.pack);
      else callable.push({ skill: skill.skill, approval: approvalOf(row) });
    };
    for (const row of rows) {
      known.add(row.key);
      add((row.own ? own.get(row.id) : installed.get(row.key)) ?? null, row);
    }
    // Nobody has looked at these yet, so that there is no row.
    for (const skill of installed.values()) {
      if (!known.has(skill.key)) add(skill, { ...untouched, active: this.installed.isOnAtFirst(skill) });
    }
    return { callable: callable.toSorted(byKey), packs: packs.toSorted(byName), company };
  }

  /** As `read`, by itself: one statement does unless the company has skills of its own that are not known here yet. */
  private async look(companyId: string): Promise<CompanySkills> {
    const state = this.changes.stateOf(companyId);
    const rows = await this.database.readAtOnce(companyId, (tx) => this.skills.list(tx));
    const own = this.definitions.findMade(rows);
    return own ? { rows, own, state } : this.database.read(companyId, (tx) => this.read(tx));
  }
}

type SkillSwitchesOf = Pick<
  SkillRow,
  'active' | 'requiresApproval' | 'askerMayApprove' | 'leastRole' | 'assistants'
>;

const untouched: Omit<SkillSwitchesOf, 'active'> = {
  requiresApproval: false,
  askerMayApprove: false,
  leastRole: 'MEMBER',
  assistants: null,
};

const isFor = (
  { role, assistantKey }: SkillUser,
  skill: CatalogueSkill,
  { active, leastRole, assistants }: SkillSwitchesOf,
): boolean => {
  if (!active || roles.indexOf(role) < roles.indexOf(leastRole)) return false;
  const meant = assistants ?? skill.assistants;
  return assistantKey === null || meant === null || meant.includes(assistantKey);
};

const approvalOf = ({ requiresApproval, askerMayApprove }: SkillSwitchesOf): CallableSkill['approval'] =>
  requiresApproval ? { askerMayApprove } : null;

// The same order from call to call: a provider's prefix cache would miss otherwise.
const byKey = (a: CallableSkill, b: CallableSkill): number => compare(a.skill.key, b.skill.key);
const byName = (a: Pack, b: Pack): number => compare(a.key, b.key);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
