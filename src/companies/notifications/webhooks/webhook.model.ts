import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../../common/schema/page.js';
import { Node, Nullable, DateTime } from '../../../common/schema/fields.js';
import { notificationKinds } from '../notification.entity.js';
import { MAX_ADDRESS_CHARACTERS } from './webhook-input.js';

@InputType({ description: 'An address that receives notifications.' })
export class CreateWebhookInput {
  @Field(() => String, {
    description: `The address, https:// or http://: at most ${MAX_ADDRESS_CHARACTERS} characters.`,
  })
  url!: string;

  @Nullable(
    () => [String],
    `The kinds, out of ${notificationKinds.join(', ')}. Default: all, including future ones.`,
  )
  kinds?: string[] | null;
}

@ObjectType('Webhook', {
  implements: () => [Node],
  description: 'An address of the company that receives its members’ notifications.',
})
export class WebhookModel extends Node {
  @Field(() => String, {
    name: 'url',
    description: 'The scheme, host and port. The rest of the address is kept secret.',
  })
  origin!: string;

  @Nullable(() => [String], 'The kinds that are sent. Null: all kinds.')
  kinds!: string[] | null;

  @Nullable(
    () => DateTime,
    'When it was disabled: by an admin, because the receiver answered 410, or because all deliveries failed for a day and a half. Null if it is active.',
  )
  disabledAt!: Date | null;

  @Nullable(() => DateTime, 'The last successful delivery. Null if never.')
  lastSuccessAt!: Date | null;

  @Nullable(() => DateTime, 'The last failed delivery. Null if never.')
  lastFailureAt!: Date | null;

  @Nullable(() => String, 'Why it failed, at lastFailureAt. Null if never.')
  lastFailure!: string | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of webhooks, oldest first.' })
export class WebhookConnection extends connectionOf(WebhookModel, 'Webhook') {}

@ObjectType({ description: 'A new webhook. Its secret is shown only once and cannot be recovered.' })
export class CreatedWebhook {
  @Field(() => WebhookModel, { description: 'The stored record, without the secret.' })
  webhook!: WebhookModel;

  @Field(() => String, { description: 'The secret that signs the requests, as in Standard Webhooks.' })
  secret!: string;
}

@ObjectType({ description: 'The outcome of a test.' })
export class WebhookTest {
  @Nullable(() => Int, 'The status of the response. Null if there was none.')
  status!: number | null;

  @Nullable(() => String, 'Why it failed. Null if it succeeded.')
  failure!: string | null;
}
