import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Platform } from '@palabre/plugin';
import { z } from 'zod';

import { LOGGER, type Logger } from '../common/process/logger.js';
import { Config } from '../common/config/config.js';
import { Plugins } from '../common/plugins.js';
import { callableOf, type CatalogueSkill } from './catalogue-skill.js';
import { FunctionSkillMark } from './function-skill.decorator.js';
import { isReservedSkillKey, reservedSkillKeys, type Skill } from './skill.js';
import { PluginPlatform } from './plugin-platform.service.js';
import { ConfigError } from '../common/config/environment.js';
import { argumentSchemas } from './schema/compiled-schema.js';

/** Where the installation's skills come from besides its code. */
export interface SkillSource {
  /** What it has at this moment; `revision` is another one as soon as that has changed. */
  current(): Promise<{ revision: number; list(): CatalogueSkill[] }>;
  /** Whether a skill of this name, in lower case, may still come from it. */
  mayBring(name: string): boolean;
}

/** In order of precedence: of several skills with one key the last kind wins, and code wins over all. */
const sourceKinds = ['INSTRUCTIONS', 'MCP'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** The skills of the installation, whatever the company: code, ours and that of packages, packs in folders, tools of the operator's servers. */
@Injectable()
export class InstalledSkills implements OnModuleInit, OnApplicationBootstrap {
  private readonly functions = new Map<string, CatalogueSkill>();
  private readonly sources = new Map<SourceKind, SkillSource>();
  private merged = new Map<string, CatalogueSkill>();
  private state = '';

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly plugins: Plugins,
    private readonly platform: PluginPlatform,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** To be called in constructors, before the module is initialised. */
  register(kind: SourceKind, source: SkillSource): void {
    this.sources.set(kind, source);
  }

  onModuleInit(): void {
    const own = this.discovery
      .getProviders({ metadataKey: FunctionSkillMark.KEY })
      .map(({ instance }) => instance as Skill);
    const taken = new Set<string>(reservedSkillKeys);
    for (const { key } of own) {
      if (taken.has(key)) throw new Error(`Another skill has the key ${key} already.`);
      taken.add(key);
    }
    const all = [...own, ...pluginSkills(this.plugins, this.platform, taken)];
    for (const skill of all.toSorted((one, other) => (one.key < other.key ? -1 : 1)))
      this.functions.set(skill.key, callableOf('FUNCTION', skill));
  }

  /** Warns of names in SKILLS_OFF that match no skill, such as a typing error. Tools of servers are not known yet. */
  async onApplicationBootstrap(): Promise<void> {
    const skills = [...(await this.current()).values()];
    const names = this.config.skills.off.filter(
      (name) =>
        !skills.some((skill) => means(name, skill)) &&
        ![...this.sources.values()].some((source) => source.mayBring(name)),
    );
    if (names.length > 0) this.logger.warn({ names }, 'SKILLS_OFF names what is no skill here');
  }

  /** By key, as folders and servers are at this moment. */
  async current(): Promise<ReadonlyMap<string, CatalogueSkill>> {
    const sources = sourceKinds.flatMap((kind) => this.sources.get(kind) ?? []);
    const found = await Promise.all(sources.map((source) => source.current()));
    const state = `${this.functions.size} ${found.map(({ revision }) => revision).join(' ')}`;
    if (state !== this.state) {
      const skills = [...found.flatMap((source) => source.list()), ...this.functions.values()];
      this.merged = new Map(
        skills.filter(({ key }) => !isReservedSkillKey(key)).map((skill) => [skill.key, skill]),
      );
      this.state = state;
    }
    return this.merged;
  }

  /** By key, as of the last look. Starts another look in the background. */
  get known(): ReadonlyMap<string, CatalogueSkill> {
    void this.current();
    return this.merged;
  }

  /** A skill that is code. */
  findFunction(key: string): Skill | null {
    return this.functions.get(key)?.skill ?? null;
  }

  /** Whether companies have it switched on until they decide otherwise. */
  isOnAtFirst(skill: CatalogueSkill): boolean {
    return !this.config.skills.off.some((name) => means(name, skill));
  }
}

/** Whether `name`, as SKILLS_OFF has it, is the skill's or that of a folder around it. */
function means(name: string, { key, category }: CatalogueSkill): boolean {
  return (
    name === '*' ||
    name === key.toLowerCase() ||
    categoriesOf(category).some((folder) => name === `${folder.toLowerCase()}/*`)
  );
}

/** `a/b` stands in `a` as well. */
function categoriesOf(category: string | null): string[] {
  const folders = category?.split('/') ?? [];
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}

const text = z.string().min(1);

/** Checks what TypeScript would: packages may be written in JavaScript. */
const SkillShape = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lowercase letters, digits and underscores, 64 at most'),
  name: text.max(200),
  description: text.max(10_000),
  parameters: z.looseObject({ type: z.literal('object') }).superRefine((schema, context) => {
    try {
      argumentSchemas.validatorOf(schema as Skill['parameters']);
    } catch (error) {
      context.addIssue(`no JSON Schema: ${error instanceof Error ? error.message : String(error)}`);
    }
  }),
  idempotent: z.boolean(),
  timeoutMs: z.number().positive(),
  effect: z.object({ changes: z.enum(['NOTHING', 'HERE', 'ELSEWHERE']), isForeign: z.boolean() }),
  assistants: z.array(z.string()).optional(),
  run: z.custom<Skill['run']>((value) => typeof value === 'function', 'a function'),
});

/** The skills of all packages. Throws ConfigError for what is no skill, and for a key that is taken. */
function pluginSkills(plugins: Plugins, platform: Platform, taken: ReadonlySet<string>): Skill[] {
  const keys = new Set(taken);
  const made = plugins.skills(platform);
  for (const { plugin, skills } of made) {
    for (const skill of skills) {
      const problem = problemOf(skill, keys);
      if (problem !== null)
        throw new ConfigError([
          `PLUGINS must name packages whose skills can be used. ${plugin}: ${problem}.`,
        ]);
      keys.add(skill.key);
    }
  }
  return made.flatMap(({ skills }) => skills);
}

function problemOf(skill: Skill, taken: ReadonlySet<string>): string | null {
  const { error } = SkillShape.safeParse(skill);
  if (error) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return taken.has(skill.key) ? `another skill has the key ${skill.key} already` : null;
}
