import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { FunctionSkillMark } from './function-skill.decorator.js';
import type { Skill } from './skill.js';

/** The skills that are code, by key. */
@Injectable()
export class SkillCatalogue implements OnModuleInit {
  private readonly functions = new Map<string, Skill>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders({ metadataKey: FunctionSkillMark.KEY })) {
      const skill = instance as Skill;
      if (this.functions.has(skill.key)) throw new Error(`Two function skills have the key ${skill.key}.`);
      this.functions.set(skill.key, skill);
    }
  }

  find(key: string): Skill | null {
    return this.functions.get(key) ?? null;
  }

  get keys(): string[] {
    return [...this.functions.keys()].toSorted();
  }
}
