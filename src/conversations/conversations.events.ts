import { defineEvent } from '../platform/events/domain-events.js';

/** The conversation shows another path from now on. */
export const pathShown = defineEvent<{ conversationId: string }>('conversations.path-shown');

/** These messages of a member are excluded from search. */
export const messagesWithheld = defineEvent<{ memberId: string; ids: readonly string[] }>(
  'conversations.messages-withheld',
);

/** A conversation is deleted in this transaction; its rows still exist. Listeners delete what no foreign key does. */
export const conversationDeleted = defineEvent<{ id: string; memberId: string }>('conversations.deleted');

/** Each member has topics, so that listeners are woken by that member's conversations only. Payloads are their ids. */
export const conversationTopics = {
  changed: (memberId: string): string => `conversation.changed.${memberId}`,
  deleted: (memberId: string): string => `conversation.deleted.${memberId}`,
};
