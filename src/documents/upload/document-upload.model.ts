import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

import type { JsonObject } from '../../common/json.js';
import { DateTime, Json } from '../../common/schema/scalars.js';
import type { DocumentView } from '../document-view.js';
import { DocumentModel } from '../document.model.js';

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
export class DocumentUploadModel {
  @Field(() => DocumentModel, { description: 'The document, which waits for its bytes.' })
  document!: DocumentView;

  @Field(() => String, { description: 'The address; it is the right to send, so keep it to yourself.' })
  url!: string;

  @Field(() => String, { description: 'PUT.' })
  method!: string;

  @Field(() => Json, { description: 'A JSON object of names and values.' })
  headers!: JsonObject;

  @Field(() => DateTime, { description: 'Until when the sending may begin.' })
  expiresAt!: Date;
}
