import { Args, Mutation, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { type GraphQLContext, LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { type Connection, toConnection } from '../common/schema/connection.js';
import { loadById } from '../common/schema/load-many.js';
import { ID } from '../common/schema/scalars.js';
import type { Turn } from '../turns/turn.entity.js';
import { TurnModel } from '../turns/turn.model.js';
import { TurnsService } from '../turns/turns.service.js';
import type { Notification } from './notification.entity.js';
import { NotificationConnection, NotificationModel, NotificationsArguments } from './notification.model.js';
import type { NotificationStream } from './notification-stream.js';
import { NotificationsService } from './notifications.service.js';

const turnsShown = new LoaderKey<Turn | null>();

@Resolver(() => NotificationModel)
export class NotificationResolver {
  constructor(
    private readonly inbox: NotificationsService,
    private readonly turns: TurnsService,
  ) {}

  @Query(() => NotificationConnection, { description: 'The viewer’s own, newest first.' })
  async notifications(
    @CurrentViewer() viewer: Viewer,
    @Args() { unreadOnly, ...page }: NotificationsArguments,
  ): Promise<Connection<Notification>> {
    return toConnection(await this.inbox.list(viewer, page, { unreadOnly: unreadOnly ?? false }));
  }

  @Mutation(() => NotificationModel, {
    description: 'Marks one of the viewer’s own as read. Doing so twice does no harm.',
  })
  markNotificationRead(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A notification’s id.' }) id: string,
  ): Promise<Notification> {
    return this.inbox.markRead(viewer, id);
  }

  @Subscription(() => NotificationModel, {
    description:
      'Each notification of the viewer from now on, once, as it is stored; it does not complete by itself. What was stored before is in notifications.',
    resolve: (notification: Notification, _args: unknown, { loaders }: GraphQLContext) => {
      // One operation for days: what it shows is read anew for each, and not kept.
      loaders.clear();
      return notification;
    },
  })
  notificationAdded(@CurrentViewer() viewer: Viewer): Promise<NotificationStream> {
    return this.inbox.follow(viewer);
  }

  @ResolveField(() => TurnModel, {
    nullable: true,
    description:
      'The turn it is about; null when there is none, when it is gone, or when it is another member’s: what that asks an admin for is in pendingApprovals.',
  })
  turn(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() { turnId }: Notification,
  ): Promise<Turn | null> | null {
    if (turnId === null) return null;
    return loaders.of(turnsShown, () => loadById((ids) => this.turns.findMany(viewer, ids))).load(turnId);
  }
}
