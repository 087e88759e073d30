import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from '../../auth/viewer-decorators.js';
import type { Viewer } from '../../auth/viewer.js';
import { type Connection, toConnection, ForwardPageArguments } from '../../../common/schema/page.js';
import { HEAVY_COST } from '../../../common/schema/cost.js';
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

const webhookOrder = { ...newestFirst('webhooks'), direction: 'ASC' as const };

const webhookId = { type: () => ID, description: 'The id of the webhook.' };

@Resolver(() => WebhookModel)
export class WebhookResolver {
  constructor(private readonly hooks: Webhooks) {}

  @AtLeast('ADMIN')
  @Query(() => WebhookConnection, { description: 'The company’s webhooks, oldest first. Admins only.' })
  async webhooksConnection(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<Webhook>> {
    return toConnection(pageOfAll(await this.hooks.list(viewer), webhookOrder, page));
  }

  @AtLeast('ADMIN')
  @Query(() => [WebhookModel], {
    deprecationReason: 'Use webhooksConnection.',
    description: 'The company’s webhooks, oldest first. Admins only.',
  })
  webhooks(@CurrentViewer() viewer: Viewer): Promise<Webhook[]> {
    return this.hooks.list(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => CreatedWebhook, {
    description: 'Sends all members’ notifications to an address from now on. Admins only. Audited.',
  })
  createWebhook(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The address, and the kinds.' }) input: CreateWebhookInput,
  ): Promise<CreatedWebhook> {
    return this.hooks.create(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => WebhookModel, {
    description:
      'Switches a webhook on or off. Events that occur while it is off are never sent. Admins only. Audited.',
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
    complexity: HEAVY_COST,
    description: 'Sends one message of the type ping to a webhook and returns the outcome. Admins only.',
  })
  testWebhook(@CurrentViewer() viewer: Viewer, @Args('id', webhookId) id: string): Promise<WebhookTest> {
    return this.hooks.test(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description: 'Deletes a webhook with its pending deliveries, and returns its id. Admins only. Audited.',
  })
  deleteWebhook(@CurrentViewer() viewer: Viewer, @Args('id', webhookId) id: string): Promise<string> {
    return this.hooks.delete(viewer, id);
  }
}
