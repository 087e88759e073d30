import { Module } from '@nestjs/common';

import { AssistantsModule } from '../../companies/assistants/assistants.module.js';
import { ConversationsModule } from '../../conversations/conversations.module.js';
import { MemoryModule } from '../memory.module.js';
import { SearchModule } from '../../documents/search-index/search.module.js';
import { ContextCache, LineTokens } from './context-cache.service.js';
import { ContextBuilder, ContextMaterial } from './context-builder.service.js';
import { ContextPreviews, MemoryContexts } from './memory-contexts.service.js';
import { MemoryContextResolver, PinnedProjectResolver } from './memory-context.resolver.js';
import { ProjectPins } from './project-pins.service.js';
import { RelevantMemories } from './relevant-memories.service.js';

@Module({
  imports: [AssistantsModule, ConversationsModule, MemoryModule, SearchModule],
  providers: [
    ContextCache,
    ContextBuilder,
    ContextMaterial,
    ContextPreviews,
    LineTokens,
    MemoryContextResolver,
    MemoryContexts,
    PinnedProjectResolver,
    ProjectPins,
    RelevantMemories,
  ],
  exports: [MemoryContexts, RelevantMemories],
})
export class MemoryContextModule {}
