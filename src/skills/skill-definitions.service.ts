import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';

import { badInput, DomainError, notFound } from '../common/errors/domain-error.js';
import type { JsonObject } from '../common/json.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Secrets } from '../platform/secrets.js';
import { InstalledSkills } from './installed-skills.service.js';
import { type CatalogueSkill, isReservedSkillKey } from './skill.js';
import { SkillChanges } from './skill-changes.service.js';
import type { SkillDefinition, SkillKind, SkillRow } from './skill.entity.js';
import { MAX_OWN_SKILLS, SkillRepository } from './skill.repository.js';

/** A skill that a company brings itself. */
export interface OwnSkill {
  key: string;
  kind: SkillKind;
  name: string;
  description: string;
  category: string | null;
  /** JSON Schema, checked; null for instructions. */
  parameters: JsonObject | null;
  idempotent: boolean;
  timeoutMs: number;
  settings: JsonObject;
  secrets: Record<string, string> | null;
  /** Of an MCP server's tool. */
  serverId?: string | null;
  /** Whether it may take the place of one that the company already has under this key, of the same kind. */
  replace: boolean;
}

/** The skills that companies bring themselves, as they are stored; who may is for the caller to check. */
@Injectable()
export class SkillDefinitions {
  constructor(
    private readonly skills: SkillRepository,
    private readonly installed: InstalledSkills,
    private readonly changes: SkillChanges,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Adds or changes a company's own skill; a new one is switched on. Gives the definition in whose place it comes; null:
   * there was none. Rejects with BAD_USER_INPUT for a key that cannot be had, with CONFLICT when it is another skill's.
   */
  async put(tx: Transaction, own: OwnSkill): Promise<SkillDefinition | null> {
    if (isReservedSkillKey(own.key))
      throw badInput(['input', 'key'], `The name ${own.key} has a meaning of its own.`);
    const installed = this.installed.known.get(own.key) ?? null;
    // Before a row is added: who goes on after the refusal would leave one without a skill.
    if (!mayStandInFor(installed, own)) throw taken(own.key);
    const row = (await this.skills.lock(tx, own.key)) ?? (await this.add(tx, own));
    if (row.own && !mayReplace(row, own)) throw taken(own.key);
    const earlier = row.own ? await this.definitionOf(tx, row) : null;
    const { serverId = null } = own;
    const isNew = !row.own && installed === null;
    await this.skills.makeOwn(tx, { id: row.id, kind: own.kind, serverId, active: isNew || row.active });
    const secrets =
      own.secrets && this.secrets.encrypt(JSON.stringify(own.secrets), aboutSkill(tx.companyId, row.id));
    await this.skills.putDefinition(tx, { ...own, skillId: row.id, secrets });
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
    const found = await this.skills.findDefinitions(
      tx,
      rows.map(({ id }) => id),
    );
    const byId = new Map(found.map((definition) => [definition.skillId, definition]));
    return rows.flatMap((row) => {
      const definition = byId.get(row.id);
      return definition ? [{ row, definition }] : [];
    });
  }

  /** Throws UnreadableSecret. */
  secretsOf({ companyId, skillId, secrets }: SkillDefinition): Record<string, string> {
    if (secrets === null) return {};
    return JSON.parse(this.secrets.decrypt(secrets, aboutSkill(companyId, skillId))) as Record<
      string,
      string
    >;
  }

  /**
   * Removes a company's own skill of this kind, and gives what it was; where it stood in for one of the installation's,
   * that one is back. Rejects with NOT_FOUND.
   */
  async remove(tx: Transaction, key: string, kind: SkillKind): Promise<SkillDefinition> {
    const { row, definition } = await this.lockOwn(tx, key, kind);
    await this.clear(tx, row);
    return definition;
  }

  /**
   * Removes one that may be back, unless that would lose what an admin has decided of it: then it stays, as what its
   * kind makes of `settings`. Rejects with NOT_FOUND.
   */
  async withdraw(tx: Transaction, key: string, kind: SkillKind, settings: JsonObject): Promise<void> {
    const { row, definition } = await this.lockOwn(tx, key, kind);
    // Where the installation has one of this key, the row stays with it.
    if (isUntouched(row) || this.installed.known.has(key)) return this.clear(tx, row);
    if (isDeepStrictEqual(definition.settings, settings)) return undefined;
    await this.skills.makeOwn(tx, row);
    await this.skills.putDefinition(tx, { ...definition, settings });
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
    const [definition] = await this.skills.findDefinitions(tx, [id]);
    return definition ?? null;
  }
}

/** What a skill's secrets are encrypted for. */
export function aboutSkill(companyId: string, skillId: string): string {
  return `${companyId}/skill/${skillId}`;
}

/** Its switches are those of a new one. */
function isUntouched({
  active,
  requiresApproval,
  askerMayApprove,
  leastRole,
  assistants,
}: SkillRow): boolean {
  return (
    active && requiresApproval === null && !askerMayApprove && leastRole === 'MEMBER' && assistants === null
  );
}

function mayReplace(row: SkillRow, { replace, kind, serverId = null }: OwnSkill): boolean {
  return replace && row.kind === kind && row.serverId === serverId;
}

/** A company's pack may come in the place of one that the installation has. */
function mayStandInFor(installed: CatalogueSkill | null, { replace, kind }: OwnSkill): boolean {
  return installed === null || (replace && kind === 'INSTRUCTIONS' && installed.kind === 'INSTRUCTIONS');
}

function taken(key: string): DomainError {
  return new DomainError(
    'CONFLICT',
    `There is another skill of the key ${key}. Remove or replace it, or choose another key.`,
  );
}
