import { Module } from '@nestjs/common';

import { NodeFinders } from '../companies/auth/node-finders.js';
import { NodesModule } from '../companies/auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { SearchTexts } from '../documents/search-index/search-texts.js';
import { SearchModule } from '../documents/search-index/search.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { ContextBuilder, ContextMaterial } from './context/context-builder.service.js';
import { ContextCache, LineTokens } from './context/context-cache.service.js';
import { MemoryContextResolver, PinnedProjectResolver } from './context/memory-context.resolver.js';
import { ContextPreviews, MemoryContexts } from './context/memory-contexts.service.js';
import { ProjectPins } from './context/project-pins.service.js';
import { RelevantMemories } from './context/relevant-memories.service.js';
import { ForgottenMemories } from './forgotten-memories.service.js';
import { MemberMemories, MemoriesService } from './memories.service.js';
import { MemoryRepository } from './memory.repository.js';
import { MemoryIndex } from './memory-index.service.js';
import { MemoryWriter } from './memory-writer.service.js';
import { MemoryResolver } from './memory.resolver.js';
import { MemoryMentions } from './mentions/mentions.service.js';
import { NameRepository } from './mentions/name.repository.js';
import { SeenMemoryRepository } from './seen-memory.repository.js';

@Module({
  imports: [AssistantsModule, CompaniesModule, ConversationsModule, NodesModule, SearchModule, TurnsModule],
  providers: [
    ContextBuilder,
    ContextCache,
    ContextMaterial,
    ContextPreviews,
    ForgottenMemories,
    LineTokens,
    MemberMemories,
    MemoriesService,
    MemoryContextResolver,
    MemoryContexts,
    MemoryIndex,
    MemoryMentions,
    MemoryRepository,
    MemoryResolver,
    MemoryWriter,
    NameRepository,
    PinnedProjectResolver,
    ProjectPins,
    RelevantMemories,
    SeenMemoryRepository,
  ],
  exports: [MemoryContexts, MemoryMentions, MemoryWriter, RelevantMemories, SeenMemoryRepository],
})
export class MemoryModule {
  constructor(nodes: NodeFinders, texts: SearchTexts, memories: MemoriesService, index: MemoryIndex) {
    nodes.register('Memory', (viewer, id) => memories.find(viewer, id));
    texts.register('MEMORY', (tx, ids) => index.readTexts(tx, ids));
  }
}
