import { Module } from '@nestjs/common';

import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { ProvidersModule } from '../companies/providers/providers.module.js';
import { UsageModule } from '../companies/usage/usage.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { AgentModels } from './agent-models.service.js';
import { AsideCalls } from './aside-calls.service.js';
import { ImageRefusal } from './image-refusal.service.js';
import { PlainCalls } from './plain-calls.service.js';

/** The models of assistants, for processes that answer turns and others. */
@Module({
  imports: [AssistantsModule, ProvidersModule, TurnsModule, UsageModule],
  providers: [AgentModels, AsideCalls, ImageRefusal, PlainCalls],
  exports: [AgentModels, AsideCalls, PlainCalls],
})
export class AgentModelsModule {}
