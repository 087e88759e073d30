import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AssistantsService } from '../../assistants/assistants.service.js';
import { notFound } from '../../common/errors/domain-error.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { Database } from '../../database/database.js';
import { type AskedCall, type AskedSkill, AskedSkills } from '../../turns/approvals/asked-skills.js';
import { TurnClaims } from '../../turns/claims/turn-claims.service.js';
import { faultOf } from './skill-arguments.js';
import type { SkillRow } from '../skill.entity.js';
import { SkillsInUse, type SkillUser } from './skills-in-use.service.js';

/** Tells how skills stand that people are asked about: their switches hold while a question waits as well. */
@Injectable()
export class SkillsAskedAbout implements OnModuleInit {
  constructor(
    private readonly asked: AskedSkills,
    private readonly database: Database,
    private readonly turns: TurnClaims,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly skills: SkillsInUse,
  ) {}

  onModuleInit(): void {
    this.asked.register((call) => this.look(call));
  }

  private async look(call: AskedCall): Promise<AskedSkill> {
    const { row, callable } = await this.skills.findOne(await this.userOf(call), call.skill);
    return {
      // Where people need not be asked any more, nobody has to be found who may answer.
      askerMayApprove: row && (row.askerMayApprove || !row.requiresApproval),
      refusal: callable ? null : refusalOf(row),
      faultOf: (input) => callable && faultOf(input, callable.skill.parameters),
    };
  }

  /** On whose behalf the turn would call it: whoever allows it, its own role and its assistant decide. */
  private userOf({ companyId, turnId }: AskedCall): Promise<SkillUser> {
    return this.database.read(companyId, async (tx) => {
      const turn = await this.turns.find(tx, turnId);
      if (!turn) throw notFound('approval');
      const { assistantId } = await this.conversations.get(tx, turn.memberId, turn.conversationId);
      const assistant = await this.assistants.get(tx, assistantId);
      return { companyId, role: turn.role, assistantKey: assistant.key };
    });
  }
}

const refusalOf = (row: SkillRow | null): string => {
  if (!row) return 'The skill is not there any more: this can only be denied.';
  if (!row.active) return 'The skill has been switched off: this can only be denied.';
  return 'The skill is not available, or no longer for this question or this assistant: this can only be denied.';
};
