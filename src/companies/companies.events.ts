import { defineEvent } from '../platform/events/domain-events.js';
import type { Assistant } from './assistants/assistant.repository.js';
import type { Notification } from './notifications/notification.entity.js';

/**
 * A member is deleted in this transaction. Listeners remove the member's id and name from what stays, and delete what
 * no foreign key deletes. Carries the member's id.
 */
export const memberLeaving = defineEvent<string>('member.leaving');

/** A provider of models is deleted in this transaction. Carries its key. */
export const providerLeaving = defineEvent<string>('provider.leaving');

export const assistantChanged = defineEvent<{ before: Assistant; after: Assistant }>('assistant.changed');

/** The complete list of skills that an assistant may use. `path`: the argument that names them. */
export const skillsChosen = defineEvent<{ keys: readonly string[]; path: readonly string[] }>(
  'assistant.skills-chosen',
);

/** The assistant with the key `to` is a copy of that with the key `from`. */
export const assistantCopied = defineEvent<{ from: string; to: string }>('assistant.copied');

export const notificationsAdded =
  defineEvent<readonly Pick<Notification, 'id' | 'kind'>[]>('notifications.added');
