import { ArgsType, Field, ObjectType } from '@nestjs/graphql';

import { connectionOf, ForwardPageArguments } from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { type NotificationKind as KindName, notificationKinds } from './notification.entity.js';

export const NotificationKind = enumType<KindName>('NotificationKind', 'What a notification is about.', {
  TURN_COMPLETED:
    'A turn was answered that ran in the background, was scheduled, or had waited for somebody.',
  TURN_FAILED: 'Such a turn failed, or a scheduled one could not be started.',
  APPROVAL_REQUESTED: 'A skill call needs approval.',
  INPUT_REQUESTED: 'A turn of the member needs other input from them.',
  DOCUMENT_ANALYSED: 'A document was analysed.',
  DOCUMENT_ANALYSIS_FAILED: 'A document could not be analysed.',
  SCHEDULE_PAUSED: 'A schedule is paused until somebody resumes it.',
});

@ObjectType('Notification', {
  implements: () => [Node],
  description: 'An event that one member is told about. Nobody else sees it.',
})
export class NotificationModel extends Node {
  @Field(() => String, {
    deprecationReason: 'Use kindValue.',
    description: `${notificationKinds.join(', ')}. More may be added.`,
  })
  kind!: string;

  @Field(() => String, { description: 'A few words, in the language of the assistant.' })
  title!: string;

  @Field(() => String, {
    description:
      'The beginning of the answer or analysis, the reason why there is none, or what has to be approved or given.',
  })
  body!: string;

  @Nullable(
    () => DateTime,
    'When it was first marked as read, or when its request was settled. Null until then.',
  )
  readAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was stored.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of notifications, newest first.' })
export class NotificationConnection extends connectionOf(NotificationModel, 'Notification') {}

@ArgsType()
export class NotificationsArguments extends ForwardPageArguments {
  @Nullable(() => Boolean, 'Whether to omit notifications that were read. Default: false.')
  unreadOnly?: boolean | null;
}
