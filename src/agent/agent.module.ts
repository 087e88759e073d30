import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AgentModels } from './agent-models.service.js';
import { CompanyContext } from './company-context.service.js';
import { TurnContext } from './turn-context.service.js';
import { TurnModels } from './turn-models.service.js';
import { TurnRunner } from './turn-runner.service.js';
import { TurnRuns } from './turn-runs.service.js';
import { TurnSkills } from './turn-skills.service.js';
import { TurnWork } from './turn-work.service.js';
import { ConversationUpkeep } from './upkeep/conversation-upkeep.service.js';
import { KeptConversations } from './upkeep/kept-conversations.service.js';
import { TaskModel } from './upkeep/task-model.service.js';

@Module({
  imports: [AssistantsModule, CompaniesModule, ConversationsModule, SkillsModule, TurnsModule, UsageModule],
  providers: [
    AgentModels,
    CompanyContext,
    ConversationUpkeep,
    KeptConversations,
    TaskModel,
    TurnContext,
    TurnModels,
    TurnRunner,
    TurnRuns,
    TurnSkills,
    TurnWork,
  ],
})
export class AgentModule {}
