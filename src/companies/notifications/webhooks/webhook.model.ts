import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../../common/schema/page.js';
import { Node, Nullable, DateTime } from '../../../common/schema/fields.js';
import { notificationKinds } from '../notification.entity.js';

@InputType({ description: 'An address that is to be told of notifications.' })
export class CreateWebhookInput {
  @Field(() => String, { description: 'Where to send them: https:// or http://, at most 2,000 characters.' })
  url!: string;

  @Nullable(
    () => [String],
    `Which: of ${notificationKinds.join(', ')}. Left out: all, also those that there will be.`,
  )
  kinds?: string[] | null;
}

@ObjectType('Webhook', {
  implements: () => [Node],
  description: 'An address of the company’s own that is told of its members’ notifications.',
})
export class WebhookModel extends Node {
  @Field(() => String, {
    name: 'url',
    description:
      'Where they are sent: scheme, host and port. The rest of the address is kept as a secret, and not shown.',
  })
  origin!: string;

  @Nullable(() => [String], 'Which notifications; null: all of them.')
  kinds!: string[] | null;

  @Nullable(
    () => DateTime,
    'Since when it is told no more: an admin’s doing, or nobody answered for a day and a half.',
  )
  disabledAt!: Date | null;

  @Nullable(() => DateTime, 'When it last took one; null: never.')
  lastSuccessAt!: Date | null;

  @Nullable(() => DateTime, 'When it last failed to; null: never.')
  lastFailureAt!: Date | null;

  @Nullable(() => String, 'Why it last failed to take one, at lastFailureAt; null: it never did.')
  lastFailure!: string | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of webhooks, the oldest first.' })
export class WebhookConnection extends connectionOf(WebhookModel, 'Webhook') {}

@ObjectType({ description: 'A new webhook. Its secret is shown this once, and cannot be had again.' })
export class CreatedWebhook {
  @Field(() => WebhookModel, { description: 'What is kept of it.' })
  webhook!: WebhookModel;

  @Field(() => String, { description: 'What requests are signed with, by Standard Webhooks.' })
  secret!: string;
}

@ObjectType({ description: 'What came of a test.' })
export class WebhookTest {
  @Nullable(() => Int, 'The status of the answer; null: none came.')
  status!: number | null;

  @Nullable(() => String, 'Why it failed; null: it did not.')
  failure!: string | null;
}
