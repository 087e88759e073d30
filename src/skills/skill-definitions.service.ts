import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { badInput, DomainError, notFound } from '../common/errors/domain-error.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Secrets } from '../platform/secrets.js';
import { InstalledSkills, SkillChanges } from './skill-sources.service.js';
import { type CatalogueSkill, isReservedSkillKey } from './skill.js';
import {
  type SkillDefinition,
  type SkillKind,
  type SkillRow,
  MAX_OWN_SKILLS,
  SkillRepository,
} from './skill.repository.js';

/** A skill that a company brings itself. Its parameters were checked. */
export interface OwnSkill extends Omit<SkillDefinition, 'companyId' | 'skillId' | 'secrets' | 'updatedAt'> {
  key: string;
  kind: SkillKind;
  secrets: Record<string, string> | null;
  /** Of an MCP server's tool. */
  serverId?: string | null;
  /** Whether it may replace a skill of the company with the same key and kind. */
  replace: boolean;
}

/** Stores the skills that companies bring themselves. The caller has checked the role. */
@Injectable()
export class SkillDefinitions {
  constructor(
    private readonly skills: SkillRepository,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Adds or replaces a company's own skill; a new one is switched on. Gives the replaced definition, or null. Rejects
   * with BAD_USER_INPUT for a reserved key, and with CONFLICT for a key of another skill.
   */
  async put(tx: Transaction, own: OwnSkill): Promise<SkillDefinition | null> {
    const { key, kind, serverId = null, replace: _, secrets: given, ...words } = own;
    if (isReservedSkillKey(key))
      throw badInput(['input', 'key'], `The key ${key} is reserved: choose another one.`);
    const installed = this.installed.known.get(key) ?? null;
    // Before a row is added: a caller that goes on after the refusal would leave a row without a skill.
    if (!mayStandInFor(installed, own)) throw taken(key);
    const row = (await this.skills.lock(tx, key)) ?? (await this.add(tx, own));
    if (row.own && !mayReplace(row, own)) throw taken(key);
    const earlier = row.own ? await this.definitionOf(tx, row) : null;
    const isNew = !row.own && installed === null;
    await this.skills.makeOwn(tx, { id: row.id, kind, serverId, active: isNew || row.active });
    const secrets = given && this.secrets.encrypt(JSON.stringify(given), skillSecretPurpose(row));
    await this.skills.putDefinition(tx, { ...words, skillId: row.id, secrets });
    await this.changes.announce(tx);
    return earlier;
  }

  /** A company's own skill of this key; null when there is none. */
  async find(tx: Transaction, key: string): Promise<{ row: SkillRow; definition: SkillDefinition } | null> {
    const row = await this.skills.findByKey(tx, key);
    const definition = row?.own ? await this.definitionOf(tx, row) : null;
    return row && definition ? { row, definition } : null;
  }

  async listOfServer(
    tx: Transaction,
    serverId: string,
  ): Promise<{ row: SkillRow; definition: SkillDefinition }[]> {
    const rows = await this.skills.listOfServer(tx, serverId);
    const definitions = await this.skills.findDefinitions(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const definition = definitions.get(row.id);
      return definition ? [{ row, definition }] : [];
    });
  }

  /** Throws UnreadableSecret. */
  secretsOf({ companyId, skillId, secrets }: SkillDefinition): Record<string, string> {
    if (secrets === null) return {};
    return JSON.parse(
      this.secrets.decrypt(secrets, skillSecretPurpose({ companyId, id: skillId })),
    ) as Record<string, string>;
  }

  /**
   * Removes a company's own skill and gives its definition. A skill of the installation that it replaced is back.
   * Rejects with NOT_FOUND.
   */
  async remove(tx: Transaction, key: string, kind: SkillKind): Promise<SkillDefinition> {
    const { row, definition } = await this.lockOwn(tx, key, kind);
    await this.clear(tx, row);
    return definition;
  }

  /**
   * Removes a skill that may come back. If an admin has changed its switches, it stays with `settings`, so that they
   * are not lost. Rejects with NOT_FOUND.
   */
  async withdraw(tx: Transaction, key: string, kind: SkillKind, settings: JsonObject): Promise<void> {
    const { row, definition } = await this.lockOwn(tx, key, kind);
    // A skill of the installation with this key keeps the row, and so the switches.
    if (isUntouched(row) || this.installed.known.has(key)) return this.clear(tx, row);
    if (isDeepStrictEqual(definition.settings, settings)) return undefined;
    await this.skills.makeOwn(tx, row);
    const { companyId: _, updatedAt: __, ...words } = definition;
    await this.skills.putDefinition(tx, { ...words, settings });
    return this.changes.announce(tx);
  }

  private async add(tx: Transaction, { key, kind }: OwnSkill): Promise<SkillRow> {
    if ((await this.skills.countOwn(tx)) >= MAX_OWN_SKILLS) {
      const message = `A company has at most ${MAX_OWN_SKILLS} skills of its own. Remove some first.`;
      throw new DomainError('CONFLICT', message);
    }
    await this.skills.addMissing(tx, [{ key, kind, active: true }]);
    const row = await this.skills.lock(tx, key);
    if (!row) throw notFound('skill');
    return row;
  }

  private async lockOwn(
    tx: Transaction,
    key: string,
    kind: SkillKind,
  ): Promise<{ row: SkillRow; definition: SkillDefinition }> {
    const row = await this.skills.lock(tx, key);
    const definition = row?.own && row.kind === kind ? await this.definitionOf(tx, row) : null;
    if (!row || !definition) throw notFound('skill');
    return { row, definition };
  }

  private async clear(tx: Transaction, { id, key }: SkillRow): Promise<void> {
    const installed = this.installed.known.get(key);
    if (installed) {
      await this.skills.disown(tx, id, installed.kind);
      await this.skills.removeDefinition(tx, id);
    } else {
      await this.skills.remove(tx, id);
    }
    await this.changes.announce(tx);
  }

  private async definitionOf(tx: Transaction, { id }: SkillRow): Promise<SkillDefinition | null> {
    return (await this.skills.findDefinitions(tx, [id])).get(id) ?? null;
  }
}

/**
 * For a caller that can do without a skill: why `put` has refused it, in words for people; null: it has not. Nothing was
 * written then: its key is another skill's, or there are too many.
 */
export async function refusalOf(putting: Promise<unknown>): Promise<string | null> {
  try {
    await putting;
    return null;
  } catch (error) {
    if (error instanceof DomainError && ['BAD_USER_INPUT', 'CONFLICT'].includes(error.code))
      return error.message;
    throw error;
  }
}

/** Binds a skill's encrypted secrets to its row. */
export function skillSecretPurpose({ companyId, id }: { companyId: string; id: string }): string {
  return `${companyId}/skill/${id}`;
}

/** Whether no admin has changed its switches. */
function isUntouched({
  active,
  requiresApproval,
  askerMayApprove,
  leastRole,
  assistants,
  exposed,
}: SkillRow): boolean {
  const isForAll = leastRole === 'MEMBER' && assistants === null;
  return active && requiresApproval === null && !askerMayApprove && isForAll && !exposed;
}

function mayReplace(row: SkillRow, { replace, kind, serverId = null }: OwnSkill): boolean {
  return replace && row.kind === kind && row.serverId === serverId;
}

/** A company's pack may replace one of the installation. */
function mayStandInFor(installed: CatalogueSkill | null, { replace, kind }: OwnSkill): boolean {
  return installed === null || (replace && kind === 'INSTRUCTIONS' && installed.kind === 'INSTRUCTIONS');
}

function taken(key: string): DomainError {
  return new DomainError(
    'CONFLICT',
    `There is another skill with the key ${key}. Remove or replace it, or choose another key.`,
  );
}
