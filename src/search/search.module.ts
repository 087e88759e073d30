import { Module } from '@nestjs/common';

import { LexicalLeg } from './lexical-leg/lexical-leg.service.js';
import { LexicalRepository } from './lexical-leg/lexical.repository.js';
import { OwnChanges } from './lexical-leg/own-changes.js';
import { Tails } from './lexical-leg/tails.service.js';
import { TermVectors } from './lexical-leg/term-vectors.service.js';
import { Compaction } from './lists/compaction.service.js';
import { Indexing } from './lists/indexing.service.js';
import { ListThread } from './lists/list-thread.js';
import { ListWorkers } from './lists/list-workers.service.js';
import { ListRepository } from './lists/list.repository.js';
import { ListUpkeep } from './lists/list-upkeep.service.js';
import { SearchIndex } from './search-index.service.js';
import { SearchItemRepository } from './search-item.repository.js';
import { SearchTexts } from './search-texts.js';
import { CompanyEmbedding } from './semantic/embedding/company-embedding.service.js';
import { EmbeddingJobs } from './semantic/embedding/embedding-jobs.service.js';
import { EmbeddingRepository } from './semantic/embedding/embedding.repository.js';
import { SemanticLeg } from './semantic/semantic-leg.service.js';
import { SpaceRepository } from './semantic/spaces/space.repository.js';
import { Spaces } from './semantic/spaces/spaces.service.js';
import { VectorIndexes } from './semantic/vector-indexes.service.js';
import { VectorRepository } from './semantic/vector.repository.js';
import { VectorSchemaRepository } from './semantic/vector-schema.repository.js';

@Module({
  providers: [
    CompanyEmbedding,
    EmbeddingJobs,
    EmbeddingRepository,
    Compaction,
    Indexing,
    LexicalLeg,
    LexicalRepository,
    ListRepository,
    ListThread,
    ListUpkeep,
    ListWorkers,
    OwnChanges,
    SearchIndex,
    SearchItemRepository,
    SearchTexts,
    SemanticLeg,
    SpaceRepository,
    Spaces,
    Tails,
    TermVectors,
    VectorIndexes,
    VectorRepository,
    VectorSchemaRepository,
  ],
  exports: [SearchIndex, SearchTexts, SemanticLeg],
})
export class SearchModule {}
