import { Injectable, type OnModuleInit } from '@nestjs/common';

import { ArgumentChecks } from '../turns/approvals/argument-checks.js';
import { faultOf } from './skill-arguments.js';
import { SkillsInUse } from './skills-in-use.service.js';

/** Checks what people make of a skill's arguments before they allow it to be called. */
@Injectable()
export class SkillArgumentChecks implements OnModuleInit {
  constructor(
    private readonly checks: ArgumentChecks,
    private readonly skills: SkillsInUse,
  ) {}

  onModuleInit(): void {
    this.checks.register(async (companyId, key, input) => {
      // Whoever asked was offered it: here it only counts whether it is still there.
      const user = { companyId, role: 'OPERATOR', assistantKey: null } as const;
      const found = await this.skills.findCallable(user, key);
      return found ? faultOf(input, found.skill.parameters) : 'The skill can no longer be called.';
    });
  }
}
