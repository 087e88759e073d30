import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from '../../auth/viewer-decorators.js';
import type { Viewer } from '../../auth/viewer.js';
import { type Connection, toConnection, ForwardPageArguments } from '../../../common/schema/page.js';
import { MAX_COST } from '../../../common/schema/cost.js';
import { ID } from '../../../common/schema/fields.js';
import { newestFirst, pageOfAll } from '../../../platform/database/keyset.js';
import type { Webhook } from './webhook.repository.js';
import {
  CreatedWebhook,
  CreateWebhookInput,
  WebhookConnection,
  WebhookModel,
  WebhookTest,
} from './webhook.model.js';
import { Webhooks } from './webhooks.service.js';

/** A test waits for a foreign server. */
const TEST_COST = MAX_COST / 25;

const webhookOrder = { ...newestFirst('webhooks'), direction: 'ASC' as const };

const webhookId = { type: () => ID, description: 'The webhook’s id.' };

@Resolver(() => WebhookModel)
export class WebhookResolver {
  constructor(private readonly hooks: Webhooks) {}

  @AtLeast('ADMIN')
  @Query(() => WebhookConnection, { description: 'The company’s webhooks, the oldest first. For admins.' })
  async webhooksConnection(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<Webhook>> {
    return toConnection(pageOfAll(await this.hooks.list(viewer), webhookOrder, page));
  }

  @AtLeast('ADMIN')
  @Query(() => [WebhookModel], {
    deprecationReason: 'Use webhooksConnection.',
    description: 'The company’s webhooks, the oldest first. For admins.',
  })
  webhooks(@CurrentViewer() viewer: Viewer): Promise<Webhook[]> {
    return this.hooks.list(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => CreatedWebhook, {
    description: 'Has an address told of all members’ notifications from now on. For admins; audited.',
  })
  createWebhook(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Which, and where.' }) input: CreateWebhookInput,
  ): Promise<CreatedWebhook> {
    return this.hooks.create(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => WebhookModel, {
    description:
      'Switches a webhook on or off. What happens while it is off it is never told. For admins; audited.',
  })
  setWebhookActive(
    @CurrentViewer() viewer: Viewer,
    @Args('id', webhookId) id: string,
    @Args('active', { description: 'On or off.' }) active: boolean,
  ): Promise<Webhook> {
    return this.hooks.setActive(viewer, id, active);
  }

  @AtLeast('ADMIN')
  @Mutation(() => WebhookTest, {
    complexity: TEST_COST,
    description: 'Sends a webhook a message of the type ping, once, and tells what came of it. For admins.',
  })
  testWebhook(@CurrentViewer() viewer: Viewer, @Args('id', webhookId) id: string): Promise<WebhookTest> {
    return this.hooks.test(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a webhook, with what it was still to be told, and gives its id. For admins; audited.',
  })
  deleteWebhook(@CurrentViewer() viewer: Viewer, @Args('id', webhookId) id: string): Promise<string> {
    return this.hooks.delete(viewer, id);
  }
}
