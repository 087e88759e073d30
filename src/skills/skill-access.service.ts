import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { AssistantsService } from '../companies/assistants/assistants.service.js';
import type { Role, Viewer } from '../companies/auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

const AssistantKeys = z
  .array(z.string().regex(/^[\w-]{1,100}$/, 'This is not the key of an assistant.'))
  .max(100, 'These are more than 100 assistants.')
  .nullable();

/** Says whose questions may have a skill used, and by which assistants. */
@Injectable()
export class SkillAccess {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly skills: SkillsService,
  ) {}

  /**
   * In force from the next model call on. No `assistants`: as the skill itself says. Rejects with BAD_USER_INPUT, and
   * with NOT_FOUND for a skill or an assistant that is not there.
   */
  async set(
    viewer: Viewer,
    key: string,
    { leastRole, assistants }: { leastRole: Role; assistants: string[] | null },
  ): Promise<CompanySkill> {
    const keys = checkInput(AssistantKeys, assistants, ['assistants']);
    // None is ever removed: those that are there now are there when the skill is changed.
    if (keys) await this.assistants.requireKeys(viewer, keys, ['assistants']);
    return this.skills.setAccess(viewer, key, {
      leastRole,
      assistants: keys && [...new Set(keys)].toSorted(),
    });
  }
}
