import { defineEvent } from '../platform/events/domain-events.js';
import type { Assistant } from './assistants/assistant.entity.js';
import type { Notification } from './notifications/notification.entity.js';

/**
 * A member is deleted for good in this transaction. Listeners take the member out of what stays, and delete what no
 * foreign key deletes. Carries the member's id.
 */
export const memberLeaving = defineEvent<string>('member.leaving');

/** The settings of an assistant were changed. */
export const assistantChanged = defineEvent<{ before: Assistant; after: Assistant }>('assistant.changed');

/** Notifications were stored. */
export const notificationsAdded =
  defineEvent<readonly Pick<Notification, 'id' | 'kind'>[]>('notifications.added');
