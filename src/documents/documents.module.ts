import { Module } from '@nestjs/common';

import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { NodeFinders } from '../companies/auth/node-finders.js';
import { NodesModule } from '../companies/auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { Downloads } from '../companies/files/downloads.service.js';
import { FilesModule } from '../companies/files/files.module.js';
import { UploadReceivers } from '../companies/files/uploads.service.js';
import { NotificationsModule } from '../companies/notifications/notifications.module.js';
import { AnalysisWork } from './analysis/analysis-work.service.js';
import { AnalysisRequestRepository, AnalysisRepository } from './analysis/analysis.repository.js';
import { DocumentAnalyses } from './analysis/document-analyses.service.js';
import { NamedDocuments } from './analysis/named-documents.service.js';
import { AttachmentRepository } from './attachments/attachment.repository.js';
import { AttachmentResolver } from './attachments/attachment.resolver.js';
import { AttachmentContents } from './attachments/attachment-contents.service.js';
import { Attachments } from './attachments/attachments.service.js';
import { DocumentSharing } from './attachments/document-sharing.service.js';
import { QuestionFiles } from './attachments/question-files.service.js';
import { DocumentContentRepository } from './document-content.repository.js';
import { DocumentContents } from './document-contents.service.js';
import { DocumentProgress } from './document-progress.service.js';
import { DocumentRemoval } from './document-removal.service.js';
import { DocumentStorageResolver } from './document-storage.resolver.js';
import { DocumentStorage } from './document-storage.service.js';
import { DocumentRepository } from './document.repository.js';
import { DocumentResolver } from './document.resolver.js';
import { DocumentsService } from './documents.service.js';
import { MemberDocuments } from './member-documents.service.js';
import { PassageIndex } from './passages/passage-index.service.js';
import { PassageRepository } from './passages/passage.repository.js';
import { DocumentParser, ParserProcess } from './processing/document-parser.js';
import { DocumentProcessing } from './processing/document-processing.service.js';
import { PassageExtraction } from './processing/passage-extraction.service.js';
import { ProcessingAttempts } from './processing/processing-attempts.service.js';
import { SearchModule } from './search-index/search.module.js';
import { DocumentSearchResolver } from './search/document-search.resolver.js';
import { DocumentSearch } from './search/document-search.service.js';
import { FoundPassageRepository } from './search/found-passage.repository.js';
import { Searches } from './search/searches.service.js';
import { DocumentBytes } from './upload/document-bytes.service.js';
import { DocumentReceiver } from './upload/document-receiver.service.js';
import { DocumentUploads } from './upload/document-uploads.service.js';
import { PendingUploads } from './upload/pending-uploads.service.js';

const attachments = [
  AttachmentContents,
  AttachmentRepository,
  AttachmentResolver,
  Attachments,
  DocumentSharing,
  QuestionFiles,
];

const upload = [PendingUploads, DocumentBytes, DocumentReceiver, DocumentUploads];

const processing = [
  ProcessingAttempts,
  DocumentProcessing,
  PassageExtraction,
  { provide: DocumentParser, useClass: ParserProcess },
];

const analysis = [
  AnalysisRepository,
  AnalysisRequestRepository,
  AnalysisWork,
  DocumentAnalyses,
  NamedDocuments,
];

const passages = [PassageIndex, PassageRepository];

const removal = [DocumentRemoval];

const storage = [DocumentStorage, DocumentStorageResolver];

const search = [DocumentSearch, DocumentSearchResolver, FoundPassageRepository, Searches];

@Module({
  imports: [AssistantsModule, NotificationsModule, CompaniesModule, FilesModule, NodesModule, SearchModule],
  providers: [
    DocumentContentRepository,
    DocumentContents,
    DocumentProgress,
    DocumentRepository,
    DocumentResolver,
    DocumentsService,
    MemberDocuments,
    ...analysis,
    ...attachments,
    ...passages,
    ...processing,
    ...removal,
    ...search,
    ...storage,
    ...upload,
  ],
  exports: [
    AnalysisWork,
    AttachmentContents,
    Attachments,
    DocumentAnalyses,
    DocumentContents,
    DocumentRemoval,
    DocumentSearch,
    DocumentUploads,
    DocumentsService,
    NamedDocuments,
    PassageIndex,
    QuestionFiles,
    Searches,
  ],
})
export class DocumentsModule {
  constructor(
    nodes: NodeFinders,
    documents: DocumentsService,
    contents: DocumentContents,
    downloads: Downloads,
    receivers: UploadReceivers,
    receiver: DocumentReceiver,
    files: Attachments,
  ) {
    nodes.register('Document', (viewer, id) => documents.find(viewer, id));
    nodes.register('Attachment', (viewer, id) => files.find(viewer, id));
    downloads.register((...link) => contents.findDownload(...link));
    receivers.register('DOCUMENT', (...upload) => receiver.receive(...upload));
  }
}
