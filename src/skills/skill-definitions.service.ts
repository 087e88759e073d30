import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { badInput, DomainError, existing, notFound } from '../common/errors/domain-error.js';
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

/** A company's own skill. Its parameters were checked. */
export interface OwnSkill extends Omit<SkillDefinition, 'companyId' | 'skillId' | 'secrets' | 'updatedAt'> {
  key: string;
  kind: SkillKind;
  secrets: Record<string, string> | null;
  /** For an MCP server's tool. */
  serverId?: string | null;
  /** Whether it may replace a skill of the company with the same key and kind. */
  replace: boolean;
}

/** Stores companies' own skills. The caller has checked the role. */
@Injectable()
export class SkillDefinitions {
  constructor(
    private readonly skills: SkillRepository,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Adds or replaces a company's own skill. A new one is switched on. Returns the replaced definition, or null.
   * Rejects with BAD_USER_INPUT for a reserved key, and with CONFLICT for another skill's key.
   */
  async put(tx: Transaction, own: OwnSkill): Promise<SkillDefinition | null> {
    const { key, kind, serverId = null, replace: _, secrets: given, ...words } = own;
    if (isReservedSkillKey(key))
      throw badInput(['input', 'key'], `The key ${key} is reserved: choose another one.`);
    const installed = this.installed.known.get(key) ?? null;
    // Checked before a row is added: a caller that handles the refusal would leave a row without a skill.
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
   * Removes a company's own skill and returns its definition. A replaced skill of the installation reappears. Rejects
   * with NOT_FOUND.
   */
  async remove(tx: Transaction, key: string, kind: SkillKind): Promise<SkillDefinition> {
    const { row, definition } = await this.lockOwn(tx, key, kind);
    await this.clear(tx, row);
    return definition;
  }

  /**
   * Removes a skill that may return. If an admin changed its switches, it stays with `settings`, so that they
   * survive. Rejects with NOT_FOUND.
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
      throw new DomainError('CONFLICT', message, { limit: MAX_OWN_SKILLS });
    }
    await this.skills.addMissing(tx, [{ key, kind, active: true }]);
    return existing(await this.skills.lock(tx, key), 'skill');
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
 * Why `put` refused a skill, for callers that can continue without it. Null: it was stored. Nothing was written
 * otherwise: the key is taken, or there are too many.
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
