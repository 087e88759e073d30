import { Field, Int, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../common/schema/page.js';
import { enumType, Node, DateTime } from '../../common/schema/fields.js';
import { type StoredFileKind, storedFileKinds } from './stored-file.entity.js';

export const FileKind = enumType<StoredFileKind>('FileKind', 'The type of a file.', {
  REPORT: 'A report written by a skill.',
  EXPORT: 'A member’s data.',
});

@ObjectType('File', {
  implements: () => [Node],
  description: 'A file made for a member to download, such as a report. Only that member sees it.',
})
export class FileModel extends Node {
  @Field(() => String, { description: 'The file name, with extension.' })
  name!: string;

  @Field(() => String, { description: 'The media type, such as application/pdf.' })
  mediaType!: string;

  @Field(() => Int, { description: 'The size in bytes.' })
  bytes!: number;

  @Field(() => String, {
    deprecationReason: 'Use kindValue.',
    description: `${storedFileKinds.join(', ')}. More may be added.`,
  })
  kind!: string;

  @Field(() => DateTime, { description: 'When it was stored.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of files, newest first.' })
export class FileConnection extends connectionOf(FileModel, 'File') {}
