import { ArgsType, Field, ObjectType } from '@nestjs/graphql';

import { connectionOf, ForwardPageArguments } from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { type NotificationKind as KindName, notificationKinds } from './notification.entity.js';

export const NotificationKind = enumType<KindName>('NotificationKind', 'What a notification is about.', {
  TURN_COMPLETED: 'A turn in the background or of a schedule was answered.',
  TURN_FAILED: 'A turn in the background or of a schedule could not be answered, or not be started.',
  APPROVAL_REQUESTED: 'A skill call waits for somebody to allow it.',
  INPUT_REQUESTED: 'A turn of the member’s waits for something else from them.',
  DOCUMENT_ANALYSED: 'A document was analysed.',
  DOCUMENT_ANALYSIS_FAILED: 'A document could not be analysed.',
  SCHEDULE_PAUSED: 'A schedule asks no more until somebody resumes it.',
});

@ObjectType('Notification', {
  implements: () => [Node],
  description: 'Something a member is told while not looking. Nobody else sees it.',
})
export class NotificationModel extends Node {
  @Field(() => String, {
    deprecationReason: 'Use kindValue.',
    description: `What it is about: ${notificationKinds.join(', ')}. There may be others one day.`,
  })
  kind!: string;

  @Field(() => String, { description: 'In a few words, in the language of the assistant.' })
  title!: string;

  @Field(() => String, {
    description:
      'The beginning of the answer or of an analysis, why there is none, or what is to be allowed or given.',
  })
  body!: string;

  @Nullable(
    () => DateTime,
    'When it was first marked as read, or what it asks for was settled; null until then.',
  )
  readAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was stored.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of notifications, newest first.' })
export class NotificationConnection extends connectionOf(NotificationModel, 'Notification') {}

@ArgsType()
export class NotificationsArguments extends ForwardPageArguments {
  @Nullable(() => Boolean, 'Whether to leave out what has been read. Left out: no.')
  unreadOnly?: boolean | null;
}
