import { Module } from '@nestjs/common';

import { CompaniesModule } from '../../companies/companies.module.js';
import { LexicalLeg } from './lexical-leg/lexical-leg.service.js';
import { LexicalRepository } from './lexical-leg/lexical.repository.js';
import { PendingItems } from './lexical-leg/pending-items.service.js';
import { ChangedTransactions, TermVectors } from './lexical-leg/term-vectors.service.js';
import { ListCompaction } from './lists/list-compaction.service.js';
import { ListIndexing } from './lists/list-indexing.service.js';
import { ListThread } from './lists/list-thread.js';
import { ListUpkeep } from './lists/list-upkeep.service.js';
import { ListWorkers } from './lists/list-workers.service.js';
import { ListRepository } from './lists/list.repository.js';
import { SearchIndex, SearchChanges } from './search-index.service.js';
import { SearchItemRepository } from './search-item.repository.js';
import { SearchTexts } from './search-texts.js';
import { CompanyEmbedding } from './semantic/company-embedding.service.js';
import { EmbeddingJobs } from './semantic/embedding-jobs.service.js';
import { EmbeddingRepository } from './semantic/embedding.repository.js';
import { SemanticLeg } from './semantic/semantic-leg.service.js';
import { VectorSpaces } from './semantic/spaces.service.js';
import { VectorIndexes } from './semantic/vector-indexes.service.js';
import { VectorSchemaRepository } from './semantic/vector-schema.repository.js';
import { VectorRepository } from './semantic/vector.repository.js';

@Module({
  imports: [CompaniesModule],
  providers: [
    CompanyEmbedding,
    EmbeddingJobs,
    EmbeddingRepository,
    ListCompaction,
    ListIndexing,
    LexicalLeg,
    LexicalRepository,
    ListRepository,
    ListThread,
    ListUpkeep,
    ListWorkers,
    ChangedTransactions,
    SearchChanges,
    SearchIndex,
    SearchItemRepository,
    SearchTexts,
    SemanticLeg,
    VectorSpaces,
    PendingItems,
    TermVectors,
    VectorIndexes,
    VectorRepository,
    VectorSchemaRepository,
  ],
  exports: [SearchIndex, SearchTexts, SemanticLeg],
})
export class SearchModule {}
