import { Injectable } from '@nestjs/common';
import { byKey } from '@palabre/text';

import { type Role, roles } from '../companies/auth/viewer.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { InstalledSkills, SkillMakers, SkillChanges } from './skill-sources.service.js';
import { SkillRepository, type SkillSwitches, type SkillRow } from './skill.repository.js';
import { nameIn } from './skill-names.js';
import {
  type ApprovalSetting,
  approvalSettingOf,
  type CatalogueSkill,
  isForAssistant,
  type Pack,
  type Skill,
  unavailabilityOf,
} from './skill.js';

export interface SkillUser {
  companyId: string;
  role: Role;
  /** Null: any assistant. */
  assistantKey: string | null;
  /** The only skills that the assistant may use, by key. Null or absent: all for it. */
  skills?: readonly string[] | null;
}

export interface CallableSkill {
  skill: Skill;
  approval: ApprovalSetting;
  /** Offered in every call, because an admin named the assistant for it. */
  isAlwaysOffered: boolean;
}

type SwitchedOffSkill = Pick<CatalogueSkill, 'key' | 'name'>;

/** The skills of a model: those that it calls, and packs that it loads, by key. */
export interface UsableSkills {
  callable: CallableSkill[];
  packs: Pack[];
  /** Skills that the company switched off, and that would be usable otherwise. */
  off: SwitchedOffSkill[];
  /** The data behind the lists. */
  company: CompanySkills;
}

/** A company's switches and own skills, as read. */
export interface CompanySkills {
  rows: SkillRow[];
  own: ReadonlyMap<string, CatalogueSkill>;
  /** The state counter when the skills were read. Another value means that they are outdated. */
  state: number;
}

/** Determines the skills that a model may use now. */
@Injectable()
export class SkillsInUse {
  constructor(
    private readonly database: Database,
    private readonly skills: SkillRepository,
    private readonly makers: SkillMakers,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
  ) {}

  async read(tx: Transaction): Promise<CompanySkills> {
    const state = this.changes.stateOf(tx.companyId);
    const rows = await this.skills.list(tx);
    return { rows, own: await this.makers.makeAll(tx, rows), state };
  }

  /** `known`: the result of an earlier read. It is read again if it may have changed. */
  async listUsable(user: SkillUser, known?: CompanySkills): Promise<UsableSkills> {
    const isUpToDate = known !== undefined && known.state === this.changes.stateOf(user.companyId);
    return this.usableOf(user, isUpToDate ? known : await this.look(user.companyId));
  }

  /** The company's row of the skill, and the skill if a model may call it now for the user. */
  async findOne(
    user: SkillUser,
    key: string,
  ): Promise<{ row: SkillRow | null; callable: CallableSkill | null }> {
    const { row, company } = await this.database.read(user.companyId, async (tx) => {
      const row = await this.skills.findByKey(tx, key);
      const rows = row ? [row] : [];
      return { row, company: { rows, own: await this.makers.makeAll(tx, rows), state: 0 } };
    });
    const { callable } = await this.usableOf(user, company);
    return { row, callable: callable.find(({ skill }) => skill.key === key) ?? null };
  }

  /** The names of these skills of the company, by key. Deleted ones have none. */
  async listNames(
    tx: Transaction,
    keys: readonly string[],
    language: string,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = (await this.skills.list(tx)).filter(({ own, key }) => own && keys.includes(key));
    const own = [...(await this.makers.makeAll(tx, rows)).values()];
    // Without waiting for folders and servers inside the transaction.
    const installed = keys.flatMap((key) => this.installed.known.get(key) ?? []);
    return new Map([...installed, ...own].map((skill) => [skill.key, nameIn(skill, language)]));
  }

  /** The keys that belong to a skill of the company, switched on or off. */
  async listTaken(companyId: string, keys: readonly string[]): Promise<string[]> {
    const { rows } = await this.look(companyId);
    const installed = await this.installed.current();
    return keys.filter((key) => installed.has(key) || rows.some((row) => row.key === key));
  }

  private async usableOf(user: SkillUser, company: CompanySkills): Promise<UsableSkills> {
    const { rows, own } = company;
    const installed = await this.installed.current();
    const callable: CallableSkill[] = [];
    const packs: Pack[] = [];
    const off: SwitchedOffSkill[] = [];
    const known = new Set<string>();
    const add = (skill: CatalogueSkill | null, row: SkillSwitches): void => {
      if (!skill || !isFor(user, skill, row) || unavailabilityOf(skill, 'en') !== null) return;
      if (!row.active) off.push({ key: skill.key, name: skill.name });
      else if (skill.pack) packs.push(skill.pack);
      else {
        const { assistantKey } = user;
        const isAlwaysOffered = assistantKey !== null && (row.assistants?.includes(assistantKey) ?? false);
        callable.push({ skill: skill.skill, approval: approvalSettingOf(row), isAlwaysOffered });
      }
    };
    for (const row of rows) {
      known.add(row.key);
      add((row.own ? own.get(row.id) : installed.get(row.key)) ?? null, row);
    }
    // Skills without a row, until an admin looks at them.
    for (const skill of installed.values()) {
      if (!known.has(skill.key)) add(skill, { ...untouched, active: this.installed.isOnByDefault(skill) });
    }
    // In a fixed order, for providers' prefix caches.
    callable.sort((one, other) => byKey(one.skill, other.skill));
    return { callable, packs: packs.toSorted(byKey), off, company };
  }

  /** Like `read`, in one statement unless the company has own skills that this process has not created yet. */
  private async look(companyId: string): Promise<CompanySkills> {
    const state = this.changes.stateOf(companyId);
    const rows = await this.database.readAtOnce(companyId, (tx) => this.skills.list(tx));
    const own = this.makers.findMade(rows);
    return own ? { rows, own, state } : this.database.read(companyId, (tx) => this.read(tx));
  }
}

const untouched: Omit<SkillSwitches, 'active'> = {
  requiresApproval: null,
  askerMayApprove: false,
  leastRole: 'MEMBER',
  assistants: null,
  exposed: false,
};

/** Users who may not use the skill do not learn that it exists. */
function isFor(
  { role, assistantKey, skills }: SkillUser,
  skill: CatalogueSkill,
  { leastRole, assistants }: SkillSwitches,
): boolean {
  if (roles.indexOf(role) < roles.indexOf(leastRole)) return false;
  const wanted = { key: skill.key, assistants: assistants ?? skill.assistants };
  return isForAssistant(wanted, { key: assistantKey, skills });
}
