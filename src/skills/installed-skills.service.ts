import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { LOGGER, type Logger } from '../common/process/logger.js';
import { Config } from '../config/config.js';
import { callableOf, type CatalogueSkill, instructionsOf } from './catalogue-skill.js';
import { FunctionSkillMark } from './function-skill.decorator.js';
import { InstalledMcpServers } from './mcp/installed/installed-mcp-servers.service.js';
import { InstalledPacks } from './packs/installed-packs.service.js';
import type { RefusedPack } from './packs/pack-listing.js';
import { isReservedSkillKey } from './definitions/reserved-keys.js';
import type { Skill } from './skill.js';

/** The skills of the installation, whatever the company: code, packs in folders, tools of the operator's servers. */
@Injectable()
export class InstalledSkills implements OnModuleInit, OnApplicationBootstrap {
  private readonly functions = new Map<string, CatalogueSkill>();
  private merged = new Map<string, CatalogueSkill>();
  private state = '';

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly packs: InstalledPacks,
    private readonly servers: InstalledMcpServers,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const { instance } of this.discovery.getProviders({ metadataKey: FunctionSkillMark.KEY })) {
      const skill = instance as Skill;
      if (this.functions.has(skill.key) || isReservedSkillKey(skill.key)) {
        throw new Error(`Another skill has the key ${skill.key} already.`);
      }
      this.functions.set(skill.key, callableOf('FUNCTION', skill));
    }
    await this.current();
  }

  /** Says what of SKILLS_OFF no skill is called: a typing error leaves one on. What servers have is not known yet. */
  async onApplicationBootstrap(): Promise<void> {
    const skills = [...(await this.current()).values()];
    const servers = this.servers.servers().map(({ key }) => key.toLowerCase());
    const names = this.config.skills.off.filter(
      (name) =>
        !skills.some((skill) => means(name, skill)) &&
        !servers.some((server) => name === `${server}/*` || name.startsWith(`${server}__`)),
    );
    if (names.length > 0) this.logger.warn({ names }, 'SKILLS_OFF names what is no skill here');
  }

  /** By key, as folders and servers are at this moment. */
  async current(): Promise<ReadonlyMap<string, CatalogueSkill>> {
    const { packs, revision } = await this.packs.current();
    const state = `${revision}.${this.servers.revision}`;
    if (state !== this.state) {
      const found = [
        ...packs.map(instructionsOf),
        ...this.servers.list().map(toolOf),
        ...this.functions.values(),
      ];
      // The last of a key has it: code comes before what stands beside it.
      this.merged = new Map(
        found.filter(({ key }) => !isReservedSkillKey(key)).map((skill) => [skill.key, skill]),
      );
      this.state = state;
    }
    return this.merged;
  }

  /** By key, as they were when somebody last looked; somebody does now, for the next who asks. */
  get known(): ReadonlyMap<string, CatalogueSkill> {
    void this.current();
    return this.merged;
  }

  /** The packs that cannot be used, and why: also those whose keys mean something else. */
  async listRefusedPacks(): Promise<RefusedPack[]> {
    const { packs, refused } = await this.packs.current();
    const merged = await this.current();
    const hidden = packs.filter((pack) => merged.get(pack.key)?.pack !== pack);
    const reason = 'Another skill has this key, or it has a meaning of its own: rename the folder.';
    return [...refused, ...hidden.map(({ key }) => ({ path: key, reason }))];
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
const means = (name: string, { key, category }: CatalogueSkill): boolean =>
  name === '*' ||
  name === key.toLowerCase() ||
  categoriesOf(category).some((folder) => name === `${folder.toLowerCase()}/*`);

/** `a/b` stands in `a` as well. */
const categoriesOf = (category: string | null): string[] => {
  const folders = category?.split('/') ?? [];
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
};

const toolOf = ({ skill, server }: { skill: Skill; server: string }): CatalogueSkill =>
  callableOf('MCP', skill, server);
