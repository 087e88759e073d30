import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { TurnContext } from './turn-context.service.js';
import { TurnRunner } from './turn-runner.service.js';
import { TurnRuns } from './turn-runs.service.js';
import { TurnWork } from './turn-work.service.js';

@Module({
  imports: [AssistantsModule, CompaniesModule, ConversationsModule, SkillsModule, TurnsModule],
  providers: [TurnContext, TurnRunner, TurnRuns, TurnWork],
})
export class AgentModule {}
