import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { badInput, DomainError, notFound } from '../common/errors/domain-error.js';
import type { JsonObject } from '../common/json.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Secrets } from '../platform/secrets.js';
import type { CatalogueSkill } from './catalogue-skill.js';
import { InstalledSkills } from './installed-skills.service.js';
import { isReservedSkillKey, changesElsewhere, type Skill, type Pack } from './skill.js';
import { SkillChanges } from './skill-changes.service.js';
import type { SkillDefinition } from './skill-definition.entity.js';
import { SkillDefinitionRepository } from './skill-definition.repository.js';
import { MOST_OWN_SKILLS, SkillRepository } from './skill.repository.js';
import type { SkillKind, SkillRow } from './skill.entity.js';

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

const REMEMBERED = 10_000;
const REMEMBERED_CHARACTERS = 64_000_000;

/** Makes a company's own skill of one kind out of its row. */
export interface SkillMaker {
  readonly kind: SkillKind;
  /** Must not ask anybody anything. What it throws makes the skill unavailable, with the message as the reason. */
  make(key: string, definition: SkillDefinition): Skill | Pack;
}

/** One maker of each kind that companies bring themselves: the module of the kind adds it. */
@Injectable()
export class SkillMakers {
  private readonly makers = new Map<SkillKind, SkillMaker>();

  register(maker: SkillMaker): void {
    if (this.makers.has(maker.kind)) throw new Error(`There are two makers of ${maker.kind} skills.`);
    this.makers.set(maker.kind, maker);
  }

  make(kind: SkillKind, key: string, definition: SkillDefinition): Skill | Pack {
    const maker = this.makers.get(kind);
    if (!maker) throw new Error(`There is no maker of ${kind} skills.`);
    return maker.make(key, definition);
  }
}

/** The skills that companies bring themselves, as they are stored; who may is for the caller to check. */
@Injectable()
export class SkillDefinitions {
  /** By company, skill and revision, so that a change needs no message to be seen. */
  private readonly made = new LRUCache<string, CatalogueSkill>({
    max: REMEMBERED,
    maxSize: REMEMBERED_CHARACTERS,
  });

  constructor(
    private readonly skills: SkillRepository,
    private readonly definitions: SkillDefinitionRepository,
    private readonly makers: SkillMakers,
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
    await this.definitions.put(tx, { ...own, skillId: row.id, secrets });
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
    const found = await this.definitions.findMany(
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
    await this.definitions.put(tx, { ...definition, settings });
    return this.changes.announce(tx);
  }

  /** The same as `makeAll` without a statement; null: it takes one. */
  findMade(rows: readonly SkillRow[]): Map<string, CatalogueSkill> | null {
    const found = new Map<string, CatalogueSkill>();
    for (const row of rows) {
      if (!row.own) continue;
      const made = this.made.get(nameOf(row));
      if (!made) return null;
      found.set(row.id, made);
    }
    return found;
  }

  /** What the company's own among `rows` are, by the rows' ids. */
  async makeAll(tx: Transaction, rows: readonly SkillRow[]): Promise<Map<string, CatalogueSkill>> {
    const own = rows.filter((row) => row.own);
    const missing = own.filter((row) => !this.made.has(nameOf(row))).map(({ id }) => id);
    const found = missing.length > 0 ? await this.definitions.findMany(tx, missing) : [];
    const definitions = new Map(found.map((definition) => [definition.skillId, definition]));
    return new Map(
      own.flatMap((row) => {
        const definition = definitions.get(row.id);
        const made = this.made.get(nameOf(row)) ?? (definition && this.make(row, definition));
        if (!made) return [];
        if (definition) this.made.set(nameOf(row), made, { size: sizeOf(definition) });
        return [[row.id, made] as const];
      }),
    );
  }

  private make(row: SkillRow, definition: SkillDefinition): CatalogueSkill {
    const { key, kind } = row;
    const { name, description, category } = definition;
    const words = { key, kind, name, description, category, assistants: null };
    try {
      const made = this.makers.make(kind, key, definition);
      if (!('run' in made)) return { ...words, assistants: made.assistants, skill: null, pack: made };
      return { ...words, skill: made, pack: null };
    } catch (error) {
      return { ...words, skill: brokenSkill(key, definition, error), pack: null };
    }
  }

  private async add(tx: Transaction, { key, kind }: OwnSkill): Promise<SkillRow> {
    if ((await this.skills.countOwn(tx)) >= MOST_OWN_SKILLS) {
      const message = `A company has at most ${MOST_OWN_SKILLS} skills of its own. Remove some first.`;
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
      await this.definitions.remove(tx, id);
    } else {
      await this.skills.remove(tx, id);
    }
    await this.changes.announce(tx);
  }

  private async definitionOf(tx: Transaction, { id }: SkillRow): Promise<SkillDefinition | null> {
    const [definition] = await this.definitions.findMany(tx, [id]);
    return definition ?? null;
  }
}

/** About so many characters are kept in memory with it. */
function sizeOf({ description, parameters }: SkillDefinition): number {
  return 1_000 + description.length + JSON.stringify(parameters).length;
}

function nameOf({ companyId, id, revision }: SkillRow): string {
  return `${companyId}/${id}/${revision}`;
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

/** One whose row cannot be used, such as after the key that its secrets were encrypted with is gone. */
function brokenSkill(key: string, definition: SkillDefinition, error: unknown): Skill {
  const { name, description, parameters, idempotent, timeoutMs } = definition;
  const reason = error instanceof Error ? error.message : String(error);
  return {
    key,
    name,
    description,
    parameters: parameters ?? {},
    idempotent,
    timeoutMs,
    effect: changesElsewhere,
    unavailableReason: () => reason,
    run: () => Promise.reject(new Error(reason)),
  };
}
