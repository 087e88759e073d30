import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Platform } from '@palabre/plugin';
import { z } from 'zod';
import { argumentSchemas } from '@palabre/json-schema';
import { byKey } from '@palabre/text';

import { ConfigError } from '../common/config/environment.js';
import { Plugins } from '../common/plugins.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { FunctionSkillMark } from './function-skill.decorator.js';
import { InstalledSkills } from './skill-sources.service.js';
import { PluginPlatform } from './plugin-platform.service.js';
import { callableOf, reservedSkillKeys, type Skill } from './skill.js';

/** Function skills: the product's, and those of plugins. */
@Injectable()
export class FunctionSkills implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly plugins: Plugins,
    private readonly platform: PluginPlatform,
    private readonly installed: InstalledSkills,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const own = this.discovery
      .getProviders({ metadataKey: FunctionSkillMark.KEY })
      .map(({ instance }) => instance as Skill);
    const taken = new Set<string>(reservedSkillKeys);
    for (const { key } of own) {
      if (taken.has(key)) throw new Error(`Another skill has the key ${key} already.`);
      taken.add(key);
    }
    const skills = [...own, ...pluginSkills(this.plugins, this.platform, taken)]
      .toSorted(byKey)
      .map((skill) => callableOf('FUNCTION', skill));
    this.installed.register('FUNCTION', { current: async () => ({ revision: 1, list: () => skills }) });
  }

  async onApplicationBootstrap(): Promise<void> {
    const names = await this.installed.listUnknownNames();
    if (names.length > 0) this.logger.warn({ names }, 'SKILLS_OFF names what is no skill here');
  }
}

const text = z.string().min(1);

/** Checks what TypeScript would: packages may be written in JavaScript. */
const SkillShape = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lowercase letters, digits and underscores, 64 at most'),
  name: text.max(200),
  names: z.record(z.string(), text.max(200)).optional(),
  description: text.max(10_000),
  descriptions: z.record(z.string(), text.max(1_000)).optional(),
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

/** The skills of all packages. Throws ConfigError for an invalid skill or a taken key. */
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
