import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { Downloads } from '../files/downloads/downloads.service.js';
import { FilesModule } from '../files/files.module.js';
import { UploadReceivers } from '../files/uploads/upload-receivers.js';
import { SearchModule } from '../search/search.module.js';
import { AnalysisHooks } from './analysis/analysis-hooks.js';
import { AnalysisRequestRepository } from './analysis/analysis-request.repository.js';
import { AnalysisWork } from './analysis/analysis-work.service.js';
import { AnalysisRepository } from './analysis/analysis.repository.js';
import { DocumentAnalyses } from './analysis/document-analyses.service.js';
import { NamedDocumentRepository } from './analysis/naming/named-document.repository.js';
import { NamedDocuments } from './analysis/naming/named-documents.service.js';
import { DocumentContentRepository } from './document-content.repository.js';
import { DocumentHints } from './progress/document-hints.service.js';
import { DocumentReader } from './document-reader.service.js';
import { DocumentRepository } from './document.repository.js';
import { DocumentResolver } from './document.resolver.js';
import { DocumentsService } from './documents.service.js';
import { MemberDocuments } from './member-documents.service.js';
import { DocumentParser } from './parsing/document-parser.js';
import { ParserProcess } from './parsing/parser-process.js';
import { PassageCutters } from './passages/passage-cutters.service.js';
import { PassageIndex } from './passages/passage-index.service.js';
import { PassageRepository } from './passages/passage.repository.js';
import { AttemptRepository } from './processing/attempt.repository.js';
import { Attempts } from './processing/attempts.service.js';
import { DocumentProcessing } from './processing/document-processing.service.js';
import { DocumentWork } from './processing/document-work.service.js';
import { ContentRemoval } from './removal/content-removal.service.js';
import { DocumentRemoval } from './removal/document-removal.service.js';
import { DocumentSearchResolver } from './search/document-search.resolver.js';
import { DocumentSearch } from './search/document-search.service.js';
import { FoundPassageRepository } from './search/found-passage.repository.js';
import { Searches } from './search/searches.service.js';
import { AwaitedDocuments } from './upload/awaited-documents.service.js';
import { DocumentBytes } from './upload/document-bytes.service.js';
import { DocumentReceiver } from './upload/document-receiver.service.js';
import { DocumentUploads } from './upload/document-uploads.service.js';
import { ReceivedContents } from './upload/received-contents.service.js';
import { UploadUpkeep } from './upload/upload-upkeep.service.js';

const upload = [
  AwaitedDocuments,
  DocumentBytes,
  DocumentReceiver,
  DocumentUploads,
  ReceivedContents,
  UploadUpkeep,
];

const processing = [
  AttemptRepository,
  Attempts,
  DocumentProcessing,
  DocumentWork,
  { provide: DocumentParser, useClass: ParserProcess },
];

const analysis = [
  AnalysisHooks,
  AnalysisRepository,
  AnalysisRequestRepository,
  AnalysisWork,
  DocumentAnalyses,
  NamedDocumentRepository,
  NamedDocuments,
];

const passages = [PassageCutters, PassageIndex, PassageRepository];

const removal = [ContentRemoval, DocumentRemoval];

const search = [DocumentSearch, DocumentSearchResolver, FoundPassageRepository, Searches];

@Module({
  imports: [CompaniesModule, FilesModule, NodesModule, SearchModule],
  providers: [
    DocumentContentRepository,
    DocumentHints,
    DocumentReader,
    DocumentRepository,
    DocumentResolver,
    DocumentsService,
    MemberDocuments,
    ...analysis,
    ...passages,
    ...processing,
    ...removal,
    ...search,
    ...upload,
  ],
  exports: [
    DocumentSearch,
    DocumentReader,
    AnalysisHooks,
    AnalysisWork,
    DocumentAnalyses,
    NamedDocuments,
    PassageIndex,
  ],
})
export class DocumentsModule {
  constructor(
    nodes: NodeFinders,
    documents: DocumentsService,
    downloads: Downloads,
    receivers: UploadReceivers,
    receiver: DocumentReceiver,
  ) {
    nodes.register('Document', (viewer, id) => documents.find(viewer, id));
    downloads.register((companyId, id) => documents.findDownload(companyId, id));
    receivers.register('DOCUMENT', (...upload) => receiver.receive(...upload));
  }
}
