import type { Message } from '../conversations/message.entity.js';

/** How many earlier messages a prompt holds at most; what is older is the summary's. */
export const historyLimit = 20;

/** The first of the last messages that a prompt shows as it is: one of the asker's. Null: it shows none. */
export const shownFromOf = (lastMessages: readonly Message[]): string | null =>
  lastMessages.find(({ role, text }) => role === 'USER' && text.trim() !== '')?.id ?? null;
