import { defineEvent } from '../platform/events/domain-events.js';

/** Another path of this conversation is shown from now on. */
export const pathShown = defineEvent<{ conversationId: string }>('conversations.path-shown');
