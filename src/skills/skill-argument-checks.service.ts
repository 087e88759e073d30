import { Injectable, type OnModuleInit } from '@nestjs/common';

import { ArgumentChecks } from '../turns/approvals/argument-checks.js';
import { faultOf } from './skill-arguments.js';
import { SkillsService } from './skills.service.js';

/** Checks what people make of a skill's arguments before they allow it to be called. */
@Injectable()
export class SkillArgumentChecks implements OnModuleInit {
  constructor(
    private readonly checks: ArgumentChecks,
    private readonly skills: SkillsService,
  ) {}

  onModuleInit(): void {
    this.checks.register(async (companyId, key, input) => {
      const found = await this.skills.findCallable(companyId, key);
      return found ? faultOf(input, found.skill.parameters) : 'The skill can no longer be called.';
    });
  }
}
