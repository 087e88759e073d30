import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { Downloads } from './downloads/downloads.service.js';
import { FileDownloads } from './downloads/file-downloads.service.js';
import { FileResolver } from './file.resolver.js';
import { PublicUrl } from './public-url.js';
import { SignedLinks } from './downloads/signed-links.js';
import { StoredFileRepository } from './stored-file.repository.js';
import { StoredFilesService } from './stored-files.service.js';
import { UploadExpiry } from './uploads/upload-expiry.service.js';
import { UploadReceivers } from './uploads/upload-receivers.js';
import { UploadTickets } from './uploads/upload-tickets.service.js';
import { UploadRepository } from './uploads/upload.repository.js';
import { Uploads } from './uploads/uploads.service.js';

@Module({
  imports: [NodesModule],
  providers: [
    Downloads,
    FileDownloads,
    FileResolver,
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
  exports: [Downloads, StoredFilesService, UploadReceivers, UploadTickets],
})
export class FilesModule {
  constructor(nodes: NodeFinders, downloads: Downloads, files: StoredFilesService) {
    downloads.register((companyId, id) => files.findLinked(companyId, id));
    nodes.register('File', (viewer, id) => files.find(viewer, id));
  }
}
