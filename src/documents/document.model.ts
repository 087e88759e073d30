import { Field, Float, Int, ObjectType, InputType } from '@nestjs/graphql';

import { enumType, Node, Nullable, DateTime } from '../common/schema/fields.js';
import { connectionOf } from '../common/schema/page.js';
import { UploadAddress } from '../companies/files/upload-address.model.js';
import type { DocumentStatus as StatusName } from './document-content.repository.js';
import type { DocumentScope as ScopeName } from './document.entity.js';
import type { DocumentView } from './document-view.js';

export const DocumentStatus = enumType<StatusName>('DocumentStatus', 'How far a document is.', {
  PENDING: 'Its bytes are waited for, or it waits to be read.',
  PROCESSING: 'It is being read.',
  COMPLETED: 'It can be searched and cited.',
  FAILED: 'It cannot be read: error says why. Nothing of it is found.',
});

export const DocumentScope = enumType<ScopeName>('DocumentScope', 'Who finds a document.', {
  COMPANY: 'All members of the company.',
  CONVERSATION: 'The member who has attached it to a conversation, in that conversation.',
});

@ObjectType('Document', {
  implements: () => [Node],
  description:
    'A file that somebody gave to the company to be searched and cited. All of its members see it, unless it belongs to a conversation.',
})
export class DocumentModel extends Node {
  @Field(() => String, { description: 'As whoever uploaded it called it, with its extension.' })
  name!: string;

  @Field(() => String, { description: 'Its media type: as announced, and once it is read as it really is.' })
  mediaType!: string;

  @Field(() => Int, { description: 'Its size: as announced, and once it has come as it really is.' })
  bytes!: number;

  @Field(() => DocumentStatus, { description: 'How far it is.' })
  status!: StatusName;

  @Nullable(() => Int, 'Pages, slides or sheets; null: it has none, or nobody has come to its end yet.')
  pages!: number | null;

  @Nullable(() => Int, 'Into how many passages it was cut; null until COMPLETED.')
  passages!: number | null;

  @Nullable(
    () => String,
    'What most of it is written in, as a BCP 47 tag; null: unknown, or not COMPLETED yet.',
  )
  language!: string | null;

  @Field(() => Float, {
    description:
      '0 to 1, which is COMPLETED. Where nobody knows how much is still to come it is an estimate.',
  })
  progress!: number;

  @Field(() => DocumentScope, { description: 'Who finds it.' })
  scope!: ScopeName;

  @Field(() => DateTime, { description: 'When its upload was asked for.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of documents, newest first.' })
export class DocumentConnection extends connectionOf(DocumentModel, 'Document') {}

@InputType({ description: 'A file that is going to be sent.' })
export class CreateDocumentUploadInput {
  @Field(() => String, { description: 'Its file name, with its extension: at most 200 characters.' })
  name!: string;

  @Field(() => String, {
    description:
      'Its media type, such as application/pdf; empty: not known. What it really is, its bytes tell later.',
  })
  mediaType!: string;

  @Field(() => Int, { description: 'Its size. No more than this is taken.' })
  bytes!: number;
}

@ObjectType('DocumentUpload', {
  description:
    'Where to send the bytes of a document: once, by the method and with the headers given, as the body. The answer is JSON: `documentId` and `status`.',
})
export class DocumentUploadModel extends UploadAddress {
  @Field(() => DocumentModel, { description: 'The document, which waits for its bytes.' })
  document!: DocumentView;
}
