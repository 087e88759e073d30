import { Module } from '@nestjs/common';

import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { ProvidersModule } from '../companies/providers/providers.module.js';
import { SearchModule } from '../documents/search-index/search.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { UsageModule } from '../companies/usage/usage.module.js';
import { AnalysisAttempts } from './analysis/analysis-attempts.service.js';
import { AnalysisPlans } from './analysis/analysis-plans.service.js';
import { DocumentAnalyst } from './analysis/document-analyst.service.js';
import { PieceReader } from './analysis/piece-reader.service.js';
import { AgentModelsModule } from './agent-models.module.js';
import { CompanyContext } from './company-context.service.js';
import { TurnContext } from './turn-context.service.js';
import { TurnFiles } from './turn-files.service.js';
import { TurnMemory } from './turn-memory.service.js';
import { TurnModels } from './turn-models.service.js';
import { TurnPorts } from './turn-ports.service.js';
import { TurnRunner } from './runs/turn-runner.service.js';
import { RunStarter } from './runs/run-starter.service.js';
import { TurnSkills } from './turn-skills.service.js';
import { TurnWork } from './runs/turn-work.service.js';
import { ConversationUpkeep } from './upkeep/conversation-upkeep.service.js';
import { KeptConversations } from './upkeep/kept-conversations.service.js';
import { ExtractionMaterial } from './upkeep/extraction-material.service.js';
import { KnownMemories } from './upkeep/known-memories.service.js';
import { MemoryExtraction } from './upkeep/memory-extraction.service.js';
import { TaskModel } from './upkeep/task-model.service.js';

@Module({
  imports: [
    AgentModelsModule,
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DocumentsModule,
    MemoryModule,
    ProvidersModule,
    SearchModule,
    SkillsModule,
    TurnsModule,
    UsageModule,
  ],
  providers: [
    AnalysisPlans,
    CompanyContext,
    ConversationUpkeep,
    AnalysisAttempts,
    DocumentAnalyst,
    ExtractionMaterial,
    KeptConversations,
    KnownMemories,
    MemoryExtraction,
    PieceReader,
    TaskModel,
    TurnContext,
    TurnFiles,
    TurnMemory,
    TurnModels,
    TurnPorts,
    TurnRunner,
    RunStarter,
    TurnSkills,
    TurnWork,
  ],
})
export class AgentModule {}
