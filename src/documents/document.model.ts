import { Field, Float, Int, ObjectType, InputType } from '@nestjs/graphql';

import { MAX_FILE_NAME_CHARACTERS } from '../companies/files/file-input.js';
import { enumType, Node, Nullable, DateTime } from '../common/schema/fields.js';
import { connectionOf } from '../common/schema/page.js';
import { UploadAddress } from '../companies/files/upload-address.model.js';
import type { DocumentStatus as StatusName } from './document-content.repository.js';
import type { DocumentScope as ScopeName } from './document.entity.js';
import type { DocumentView } from './document-view.js';

export const DocumentStatus = enumType<StatusName>('DocumentStatus', 'The status of a document.', {
  PENDING: 'It waits for its bytes, or to be processed.',
  PROCESSING: 'It is being processed.',
  COMPLETED: 'It can be searched and cited.',
  FAILED: 'It could not be processed: see error. Nothing of it can be found.',
});

export const DocumentScope = enumType<ScopeName>('DocumentScope', 'Who can find a document.', {
  COMPANY: 'All members of the company.',
  CONVERSATION: 'The member who attached it to a conversation, in that conversation.',
});

@ObjectType('Document', {
  implements: () => [Node],
  description:
    'A file that was uploaded to the company, to be searched and cited. All members see it, unless it belongs to a conversation.',
})
export class DocumentModel extends Node {
  @Field(() => String, { description: 'The uploader’s file name, with extension.' })
  name!: string;

  @Field(() => String, { description: 'The media type: as announced, then as detected during processing.' })
  mediaType!: string;

  @Field(() => Int, { description: 'The size in bytes: as announced, then as measured after the upload.' })
  bytes!: number;

  @Field(() => DocumentStatus, { description: 'The status.' })
  status!: StatusName;

  @Nullable(() => Int, 'Pages, slides or sheets. Null if it has none, or if its end is not reached yet.')
  pages!: number | null;

  @Nullable(() => Int, 'The number of passages. Null until COMPLETED.')
  passages!: number | null;

  @Nullable(() => String, 'The main language, as a BCP 47 tag. Null if unknown, or until COMPLETED.')
  language!: string | null;

  @Field(() => Float, {
    description: '0 to 1. 1 means COMPLETED. An estimate if the remaining work is unknown.',
  })
  progress!: number;

  @Field(() => DocumentScope, { description: 'Who can find it.' })
  scope!: ScopeName;

  @Field(() => DateTime, { description: 'When the upload was requested.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of documents, newest first.' })
export class DocumentConnection extends connectionOf(DocumentModel, 'Document') {}

@InputType({ description: 'A file to upload.' })
export class CreateDocumentUploadInput {
  @Field(() => String, {
    description: `The file name, with extension: at most ${MAX_FILE_NAME_CHARACTERS} characters.`,
  })
  name!: string;

  @Field(() => String, {
    description:
      'The media type, such as application/pdf. Empty if unknown. The actual type is detected from the bytes.',
  })
  mediaType!: string;

  @Field(() => Int, { description: 'The size in bytes. The upload cannot exceed it.' })
  bytes!: number;
}

@ObjectType('DocumentUpload', {
  description:
    'Where to upload the bytes of a document. Send them once, as the body, with the given method and headers. The response is JSON: `documentId` and `status`.',
})
export class DocumentUploadModel extends UploadAddress {
  @Field(() => DocumentModel, { description: 'The document, which is waiting for its bytes.' })
  document!: DocumentView;
}
