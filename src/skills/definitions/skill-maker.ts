import { Injectable } from '@nestjs/common';

import type { SkillDefinition } from './skill-definition.entity.js';
import type { SkillKind } from '../skill.entity.js';
import type { Pack, Skill } from '../skill.js';

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
