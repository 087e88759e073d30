import { Module } from '@nestjs/common';

import { MemberRepository } from '../members/member.repository.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { Downloads, DownloadRoute } from './downloads.service.js';
import { FileResolver } from './file.resolver.js';
import { PublicUrl, SignedLinks } from './signed-links.js';
import { StoredFileRepository } from './stored-file.repository.js';
import { StoredFilesService } from './stored-files.service.js';
import { UploadExpiry, UploadTickets } from './upload-tickets.service.js';
import { UploadReceivers, Uploads } from './uploads.service.js';
import { UploadRepository } from './upload.repository.js';

@Module({
  imports: [NodesModule],
  providers: [
    Downloads,
    DownloadRoute,
    FileResolver,
    MemberRepository,
    PublicUrl,
    SignedLinks,
    StoredFileRepository,
    StoredFilesService,
    UploadExpiry,
    UploadReceivers,
    UploadRepository,
    Uploads,
    UploadTickets,
  ],
  exports: [Downloads, PublicUrl, StoredFilesService, UploadReceivers, UploadTickets],
})
export class FilesModule {
  constructor(nodes: NodeFinders, downloads: Downloads, files: StoredFilesService) {
    downloads.register((companyId, id) => files.findLinked(companyId, id));
    nodes.register('File', (viewer, id) => files.find(viewer, id));
  }
}
