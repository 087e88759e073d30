import { Injectable, type OnModuleInit } from '@nestjs/common';

import { EXPORT_PAGE, MemberData, pageById } from '../companies/member-data/member-data.js';
import { NotificationRepository } from './notification.repository.js';

/** What a member was told, in an export. It goes with the member by itself. */
@Injectable()
export class NotificationExport implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly notifications: NotificationRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('notifications', async (tx, memberId, after) =>
      pageById(
        await this.notifications.listAfter(tx, memberId, after, EXPORT_PAGE),
        ({ id, kind, title, body, turnId, readAt, createdAt }) => ({
          id,
          kind,
          title,
          body,
          turnId,
          readAt: readAt?.toISOString() ?? null,
          createdAt: createdAt.toISOString(),
        }),
      ),
    );
  }
}
