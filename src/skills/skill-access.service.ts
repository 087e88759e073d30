import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../common/check-input.js';
import { notFound } from '../common/errors/domain-error.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import type { Role, Viewer } from '../companies/auth/viewer.js';
import { assistantCopied, skillsChosen } from '../companies/companies.events.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { InstalledSkills, SkillChanges, SkillMakers } from './skill-sources.service.js';
import { SkillRepository } from './skill.repository.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

const AssistantKeys = z
  .array(z.string().regex(/^[\w-]{1,100}$/, 'This is not the key of an assistant.'))
  .max(100, 'These are more than 100 assistants.')
  .nullable();

/** Which assistants may use which skills, and the required roles. */
@Injectable()
export class SkillAccess {
  constructor(
    private readonly companySkills: SkillsService,
    private readonly skills: SkillRepository,
    private readonly makers: SkillMakers,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
    private readonly assistants: AssistantsService,
    events: DomainEvents,
  ) {
    events.on(skillsChosen, (tx, { keys, path }) => this.requireKeys(tx, keys, path));
    events.on(assistantCopied, (tx, { from, to }) => this.admit(tx, from, to));
  }

  /**
   * Sets who may use the skill and by which assistants. Null: as defined by the skill. Rejects with BAD_USER_INPUT,
   * and with NOT_FOUND for an unknown skill or assistant.
   */
  async set(
    viewer: Viewer,
    key: string,
    { leastRole, assistants }: { leastRole: Role; assistants: string[] | null },
  ): Promise<CompanySkill> {
    const keys = checkInput(AssistantKeys, assistants, ['assistants']);
    // Assistants are never removed, so these still exist when the skill is changed.
    if (keys) await this.assistants.requireKeys(viewer, keys, ['assistants']);
    const access = { leastRole, assistants: keys && [...new Set(keys)].toSorted() };
    return this.companySkills.change(viewer, key, 'skill.access-set', () => access);
  }

  /** Rejects with NOT_FOUND for the first unknown key, with its index appended to `path`. */
  private async requireKeys(
    tx: Transaction,
    keys: readonly string[],
    path: readonly string[],
  ): Promise<void> {
    const rows = await this.companySkills.listAll(tx, this.installed.known);
    const known = new Set(rows.map(({ key }) => key));
    const unknown = keys.findIndex((key) => !known.has(key));
    if (unknown >= 0) throw notFound('skill', [...path, String(unknown)]);
  }

  /** Allows the assistant `to` all skills that are for certain assistants including `from`. */
  private async admit(tx: Transaction, from: string, to: string): Promise<void> {
    const rows = await this.companySkills.listAll(tx, this.installed.known);
    const own = await this.makers.makeAll(tx, rows);
    for (const row of rows) {
      const skill = row.own ? own.get(row.id) : this.installed.known.get(row.key);
      const assistants = row.assistants ?? skill?.assistants ?? [];
      if (!assistants.includes(from)) continue;
      await this.skills.update(tx, row.key, { assistants: [...assistants, to].toSorted() });
    }
    await this.changes.announce(tx);
  }
}
