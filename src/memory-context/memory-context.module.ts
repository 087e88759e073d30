import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { SearchModule } from '../search/search.module.js';
import { ContextCache } from './context-cache.service.js';
import { ContextMaker } from './context-maker.service.js';
import { ContextMaterial } from './material/context-material.service.js';
import { ContextPreviews } from './context-previews.service.js';
import { LineTokens } from './line-tokens.service.js';
import { MemoryContextResolver } from './memory-context.resolver.js';
import { MemoryContexts } from './memory-contexts.service.js';
import { ProjectPins } from './pins/project-pins.service.js';
import { PinnedProjectResolver } from './pins/pinned-project.resolver.js';
import { RelevantMemories } from './material/relevant-memories.service.js';

@Module({
  imports: [AssistantsModule, ConversationsModule, MemoryModule, SearchModule],
  providers: [
    ContextCache,
    ContextMaker,
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
