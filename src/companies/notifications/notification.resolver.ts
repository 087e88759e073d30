import { Args, Int, Mutation, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/viewer-decorators.js';
import type { GraphQLContext } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { type Connection, toConnection } from '../../common/schema/page.js';
import { ID } from '../../common/schema/fields.js';
import type { Notification } from './notification.entity.js';
import {
  NotificationConnection,
  NotificationKind,
  NotificationModel,
  NotificationsArguments,
} from './notification.model.js';
import { type NotificationStream, NotificationsService } from './notifications.service.js';

@Resolver(() => NotificationModel)
export class NotificationResolver {
  constructor(private readonly inbox: NotificationsService) {}

  @ResolveField(() => NotificationKind, { description: 'What it is about.' })
  kindValue(@Parent() { kind }: Notification): Notification['kind'] {
    return kind;
  }

  @Query(() => NotificationConnection, { description: 'The viewer’s own, newest first.' })
  async notifications(
    @CurrentViewer() viewer: Viewer,
    @Args() { unreadOnly, ...page }: NotificationsArguments,
  ): Promise<Connection<Notification>> {
    return toConnection(await this.inbox.list(viewer, page, { unreadOnly: unreadOnly ?? false }));
  }

  @Mutation(() => NotificationModel, {
    description: 'Marks one of the viewer’s notifications as read. Repeating it has no effect.',
  })
  markNotificationRead(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a notification.' }) id: string,
  ): Promise<Notification> {
    return this.inbox.markRead(viewer, id);
  }

  @Mutation(() => Int, {
    description: 'Marks all of the viewer’s notifications as read. Returns how many were unread.',
  })
  markAllNotificationsRead(@CurrentViewer() viewer: Viewer): Promise<number> {
    return this.inbox.markAllRead(viewer);
  }

  @Subscription(() => NotificationModel, {
    description:
      'The viewer’s notifications later than after, each once and in order, then new ones as they are stored. It never completes by itself.',
    resolve: (notification: Notification, _args: unknown, { loaders }: GraphQLContext) => {
      // The operation may last for days: rows are read anew for each notification.
      loaders.clear();
      return notification;
    },
  })
  notificationAdded(
    @CurrentViewer() viewer: Viewer,
    @Args('after', {
      type: () => String,
      nullable: true,
      description:
        'The id of the newest notification already seen, or its cursor in notifications; it may have been deleted. 0: all from the first. Null: only new ones.',
    })
    after: string | null,
  ): Promise<NotificationStream> {
    return this.inbox.follow(viewer, after ?? null);
  }
}
