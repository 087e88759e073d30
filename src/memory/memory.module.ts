import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { SearchTexts } from '../search/search-texts.js';
import { SearchModule } from '../search/search.module.js';
import { MemberMemories } from './member-memories.service.js';
import { MemberMemoryRepository } from './member-memory.repository.js';
import { MemoriesService } from './memories.service.js';
import { MemoryHooks } from './memory-hooks.js';
import { MemoryIndex } from './index/memory-index.service.js';
import { MemoryReader } from './memory-reader.service.js';
import { MemoryWriter } from './memory-writer.service.js';
import { MemoryRepository } from './memory.repository.js';
import { MemoryResolver } from './memory.resolver.js';
import { MemoryMentions } from './mentions/mentions.service.js';
import { NameRepository } from './mentions/name.repository.js';

@Module({
  imports: [CompaniesModule, NodesModule, SearchModule],
  providers: [
    MemberMemories,
    MemberMemoryRepository,
    MemoriesService,
    MemoryHooks,
    MemoryIndex,
    MemoryMentions,
    MemoryReader,
    MemoryRepository,
    MemoryResolver,
    MemoryWriter,
    NameRepository,
  ],
  exports: [MemoryHooks, MemoryMentions, MemoryReader, MemoryWriter],
})
export class MemoryModule {
  constructor(nodes: NodeFinders, texts: SearchTexts, memories: MemoriesService, index: MemoryIndex) {
    nodes.register('Memory', (viewer, id) => memories.find(viewer, id));
    texts.register('MEMORY', (tx, ids) => index.readTexts(tx, ids));
  }
}
