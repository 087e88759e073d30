import { Field, Int, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../common/schema/page.js';
import { enumType, Node, DateTime } from '../../common/schema/fields.js';
import { type StoredFileKind, storedFileKinds } from './stored-file.entity.js';

export const FileKind = enumType<StoredFileKind>('FileKind', 'What a file is.', {
  REPORT: 'A report that a skill wrote.',
  EXPORT: 'A member’s data.',
});

@ObjectType('File', {
  implements: () => [Node],
  description: 'Something that was made for a member to be saved, such as a report. Nobody else sees it.',
})
export class FileModel extends Node {
  @Field(() => String, { description: 'What it is saved as, with its extension.' })
  name!: string;

  @Field(() => String, { description: 'Its media type, such as application/pdf.' })
  mediaType!: string;

  @Field(() => Int, { description: 'Its size.' })
  bytes!: number;

  @Field(() => String, {
    deprecationReason: 'Use kindValue.',
    description: `What it is: ${storedFileKinds.join(', ')}. There may be others one day.`,
  })
  kind!: string;

  @Field(() => DateTime, { description: 'When it was stored.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of files, newest first.' })
export class FileConnection extends connectionOf(FileModel, 'File') {}
