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

/** On whose behalf skills are used. */
export interface SkillUser {
  companyId: string;
  role: Role;
  /** Null: whichever. */
  assistantKey: string | null;
  /** The keys of the only skills that the assistant may use; null, or left out: all that are for it. */
  skills?: readonly string[] | null;
}

/** A skill that a model may call. */
export interface CallableSkill {
  skill: Skill;
  /** Who is to be asked before it is carried out. */
  approval: ApprovalSetting;
  /** Every call offers it: an admin has named the assistant among those that may use it. */
  isAlwaysOffered: boolean;
}

/** A skill that the company has switched off. */
type SwitchedOffSkill = Pick<CatalogueSkill, 'key' | 'name'>;

/** What a model may use: skills that it calls, and packs that it loads; each by key. */
export interface UsableSkills {
  callable: CallableSkill[];
  packs: Pack[];
  /** Skills that would be usable if the company had not switched them off. */
  off: SwitchedOffSkill[];
  /** The data that the lists were made from. */
  company: CompanySkills;
}

/** A company's switches, and what its own skills are, as they were read. */
export interface CompanySkills {
  rows: SkillRow[];
  own: ReadonlyMap<string, CatalogueSkill>;
  /** The state counter when the skills were read. Another value means that they are outdated. */
  state: number;
}

/** Which skills a model may use at this moment. */
@Injectable()
export class SkillsInUse {
  constructor(
    private readonly database: Database,
    private readonly skills: SkillRepository,
    private readonly makers: SkillMakers,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
  ) {}

  /** Reads the company's rows as part of a transaction. */
  async read(tx: Transaction): Promise<CompanySkills> {
    const state = this.changes.stateOf(tx.companyId);
    const rows = await this.skills.list(tx);
    return { rows, own: await this.makers.makeAll(tx, rows), state };
  }

  /** `known` is what was read before. It is read again if it may have changed. */
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
      return { row, company: { rows, own: await this.makers.makeAll(tx, rows), state: 0 } };
    });
    const { callable } = await this.usableOf(user, company);
    return { row, callable: callable.find(({ skill }) => skill.key === key) ?? null };
  }

  /** What people call these skills of the company, by key. One that is gone has none. */
  async listNames(
    tx: Transaction,
    keys: readonly string[],
    language: string,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = (await this.skills.list(tx)).filter(({ own, key }) => own && keys.includes(key));
    const own = [...(await this.makers.makeAll(tx, rows)).values()];
    // Without a wait for folders and servers inside of the transaction.
    const installed = keys.flatMap((key) => this.installed.known.get(key) ?? []);
    return new Map([...installed, ...own].map((skill) => [skill.key, nameIn(skill, language)]));
  }

  /** Of these keys, those that skills have which the company could use, switched on or off. */
  async listTaken(companyId: string, keys: readonly string[]): Promise<string[]> {
    const { rows } = await this.look(companyId);
    const installed = await this.installed.current();
    return keys.filter((key) => installed.has(key) || rows.some((row) => row.key === key));
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
    const off: SwitchedOffSkill[] = [];
    const known = new Set<string>();
    const add = (skill: CatalogueSkill | null, row: SkillSwitches): void => {
      if (!skill || !isFor(user, skill, row) || unavailabilityOf(skill) !== null) return;
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
    // These have no row until an admin looks at them.
    for (const skill of installed.values()) {
      if (!known.has(skill.key)) add(skill, { ...untouched, active: this.installed.isOnByDefault(skill) });
    }
    // The same order from call to call: a provider's prefix cache would miss otherwise.
    callable.sort((one, other) => byKey(one.skill, other.skill));
    return { callable, packs: packs.toSorted(byKey), off, company };
  }

  /** As `read`, in one statement unless the company has own skills that this process has not made yet. */
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
