import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type CatalogueSkill, isReservedSkillKey, type Skill, changesElsewhere, type Pack } from './skill.js';
import { fill, wordingIn } from '../common/wording/wording.js';
import type { Transaction } from '../platform/database/transaction.js';
import { type SkillDefinition, type SkillKind, type SkillRow, SkillRepository } from './skill.repository.js';
import { CompanyChanges, PubSub } from '../platform/pubsub/pub-sub.js';

/** A source of the installation's skills: code, folders of packs, the operator's MCP servers. */
export interface SkillSource {
  /** Its current skills. `revision` changes with the list. */
  current(): Promise<{ revision: number; list(): CatalogueSkill[] }>;
  /** Whether a skill of this name (lower case) may still appear, because its server is not connected yet. */
  mayHaveLater?(name: string): boolean;
}

/** In order of precedence: the last kind with a key wins. */
const sourceKinds = ['INSTRUCTIONS', 'MCP', 'FUNCTION'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** The installation's skills for all companies. Sources register here. */
export class InstalledSkills {
  private readonly sources = new Map<SourceKind, SkillSource>();
  private merged = new Map<string, CatalogueSkill>();
  private state = '';

  /** `off`: the names in SKILLS_OFF: keys, `folder/*` or `*`, in lower case. */
  constructor(private readonly off: readonly string[]) {}

  /** Call it before the application has started. */
  register(kind: SourceKind, source: SkillSource): void {
    this.sources.set(kind, source);
  }

  /** By key, with the current folders and servers. */
  async current(): Promise<ReadonlyMap<string, CatalogueSkill>> {
    const sources = sourceKinds.flatMap((kind) => this.sources.get(kind) ?? []);
    const found = await Promise.all(sources.map((source) => source.current()));
    const state = found.map(({ revision }) => revision).join(' ');
    if (state !== this.state) {
      const skills = found.flatMap((source) => source.list()).filter(({ key }) => !isReservedSkillKey(key));
      this.merged = new Map(skills.map((skill) => [skill.key, skill]));
      this.state = state;
    }
    return this.merged;
  }

  /** By key, as of the last search. Starts another search in the background. */
  get known(): ReadonlyMap<string, CatalogueSkill> {
    void this.current();
    return this.merged;
  }

  /** A function skill, as of the last search. */
  findFunction(key: string): Skill | null {
    const found = this.merged.get(key);
    return found?.kind === 'FUNCTION' ? found.skill : null;
  }

  /** Whether it is switched on by default. */
  isOnByDefault(skill: CatalogueSkill): boolean {
    return !this.off.some((name) => isNameOf(name, skill));
  }

  /** Names in SKILLS_OFF that match no skill, such as a typing error. */
  async listUnknownNames(): Promise<string[]> {
    const skills = [...(await this.current()).values()];
    return this.off.filter(
      (name) =>
        !skills.some((skill) => isNameOf(name, skill)) &&
        ![...this.sources.values()].some((source) => source.mayHaveLater?.(name)),
    );
  }
}

/** Whether a name in SKILLS_OFF is the skill's key or a folder around it. */
function isNameOf(name: string, { key, category }: CatalogueSkill): boolean {
  return (
    name === '*' ||
    name === key.toLowerCase() ||
    foldersOf(category).some((folder) => name === `${folder.toLowerCase()}/*`)
  );
}

/** `a` and `a/b` for `a/b`. */
function foldersOf(category: string | null): string[] {
  const folders = category?.split('/') ?? [];
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}

const MAX_MADE = 10_000;
const MAX_MADE_CHARACTERS = 64_000_000;

/** Creates a company's own skill of one kind from its definition. */
export interface SkillMaker {
  readonly kind: SkillKind;
  /** Must not call anything outside. An exception makes the skill unavailable, with the message as the reason. */
  make(key: string, definition: SkillDefinition): Skill | Pack;
}

/** Creates companies' own skills from their rows, once for each version. */
@Injectable()
export class SkillMakers {
  private readonly makers = new Map<SkillKind, SkillMaker>();
  /** By company, skill and revision, so that a changed skill has another key. */
  private readonly made = new LRUCache<string, CatalogueSkill>({
    max: MAX_MADE,
    maxSize: MAX_MADE_CHARACTERS,
  });

  constructor(private readonly skills: SkillRepository) {}

  /** Called by the maker of each kind. */
  register(maker: SkillMaker): void {
    if (this.makers.has(maker.kind)) throw new Error(`There are two makers of ${maker.kind} skills.`);
    this.makers.set(maker.kind, maker);
  }

  /** Like `makeAll`, but without a query. Null: a query is needed. */
  findMade(rows: readonly SkillRow[]): Map<string, CatalogueSkill> | null {
    const found = new Map<string, CatalogueSkill>();
    for (const row of rows) {
      if (!row.own) continue;
      const made = this.made.get(cacheKeyOf(row));
      if (!made) return null;
      found.set(row.id, made);
    }
    return found;
  }

  /** The company's own skills among `rows`, by the rows' ids. */
  async makeAll(tx: Transaction, rows: readonly SkillRow[]): Promise<Map<string, CatalogueSkill>> {
    const own = rows.filter((row) => row.own);
    const missing = own.filter((row) => !this.made.has(cacheKeyOf(row))).map(({ id }) => id);
    const definitions =
      missing.length > 0
        ? await this.skills.findDefinitions(tx, missing)
        : new Map<string, SkillDefinition>();
    return new Map(
      own.flatMap((row) => {
        const definition = definitions.get(row.id);
        const made = this.made.get(cacheKeyOf(row)) ?? (definition && this.make(row, definition));
        if (!made) return [];
        if (definition) this.made.set(cacheKeyOf(row), made, { size: sizeOf(definition) });
        return [[row.id, made] as const];
      }),
    );
  }

  private make({ key, kind }: SkillRow, definition: SkillDefinition): CatalogueSkill {
    const { name, description, category } = definition;
    const words = { key, kind, name, description, category, assistants: null };
    try {
      const maker = this.makers.get(kind);
      if (!maker) throw new Error(`There is no maker of ${kind} skills.`);
      const made = maker.make(key, definition);
      if (!('run' in made)) return { ...words, assistants: made.assistants, skill: null, pack: made };
      return { ...words, skill: made, pack: null };
    } catch (error) {
      return { ...words, skill: brokenSkill(key, definition, error), pack: null };
    }
  }
}

function cacheKeyOf({ companyId, id, revision }: SkillRow): string {
  return `${companyId}/${id}/${revision}`;
}

/** The approximate number of characters in memory. */
function sizeOf({ description, parameters }: SkillDefinition): number {
  return 1_000 + description.length + JSON.stringify(parameters).length;
}

/** Replaces a skill with an unusable definition, for example after its encryption key is lost. */
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
    unavailableReason: (language) => fill(wordingIn(language).skillUnavailable.unreadable, { reason }),
    run: () => Promise.reject(new Error(reason)),
  };
}

@Injectable()
export class SkillChanges extends CompanyChanges {
  constructor(pubSub: PubSub) {
    super(pubSub, 'skills');
  }
}
