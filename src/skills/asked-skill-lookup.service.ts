import { Injectable, type OnModuleInit } from '@nestjs/common';
import { wholeSchema } from '@palabre/json-schema';

import { AssistantsService } from '../companies/assistants/assistants.service.js';
import { existing } from '../common/errors/domain-error.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Database } from '../platform/database/database.js';
import {
  type AskedCall,
  type AskedSkill,
  AskedSkills,
} from '../conversations/turns/inputs/asked-skills.service.js';
import { TurnClaims } from '../conversations/turns/claims/turn-claims.service.js';
import { answererOf } from '../conversations/turns/turn.entity.js';
import { isReservedSkillKey } from './skill.js';
import { faultOf, misfitOf } from './skill-arguments.js';
import type { SkillRow } from './skill.repository.js';
import { SkillsInUse, type SkillUser } from './skills-in-use.service.js';

/**
 * Checks whether a call that waits for approval may still run, because switches apply meanwhile, and whether values
 * fit the schemas of inputs.
 */
@Injectable()
export class AskedSkillLookup implements OnModuleInit {
  constructor(
    private readonly asked: AskedSkills,
    private readonly database: Database,
    private readonly turns: TurnClaims,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly skills: SkillsInUse,
  ) {}

  onModuleInit(): void {
    this.asked.register({
      find: (call) => this.look(call),
      listTaken: async (companyId, keys) => [
        ...keys.filter(isReservedSkillKey),
        ...(await this.skills.listTaken(companyId, keys)),
      ],
      listNames: (tx, keys, language) => this.skills.listNames(tx, keys, language),
      // The schema is as the model or server wrote it.
      misfitOf: (value, schema) => misfitOf(value, wholeSchema(schema)),
    });
  }

  private async look(call: AskedCall): Promise<AskedSkill> {
    const { row, callable } = await this.skills.findOne(await this.userOf(call), call.skill);
    return {
      // Once an admin no longer requires approval, the asking member may answer open requests.
      askerMayApprove: row && (row.askerMayApprove || row.requiresApproval !== true),
      refusal: callable ? null : refusalOf(row),
      faultOf: (input) => callable && faultOf(input, callable.skill.parameters),
    };
  }

  /** The turn's member. Their role and assistant decide, not the approver's. */
  private userOf({ companyId, turnId }: AskedCall): Promise<SkillUser> {
    return this.database.read(companyId, async (tx) => {
      const turn = existing(await this.turns.find(tx, turnId), 'approval');
      const conversation = await this.conversations.get(tx, turn.memberId, turn.conversationId);
      const assistant = await this.assistants.get(tx, answererOf(turn, conversation));
      return { companyId, role: turn.role, assistantKey: assistant.key, skills: assistant.skills };
    });
  }
}

function refusalOf(row: SkillRow | null): string {
  if (!row) return 'The skill is not there any more: this can only be denied.';
  if (!row.active) return 'The skill has been switched off: this can only be denied.';
  return 'The skill is not available, or no longer for this question or this assistant: this can only be denied.';
}
