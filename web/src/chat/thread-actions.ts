import { createContext, use } from 'react';

import type { OpenSources } from './sources-panel.js';

/** What can be done from inside a message. */
export interface ThreadActionsValue {
  /** Asks something else in the place of a question. */
  edit: (messageId: string, text: string) => Promise<void>;
  /** Has a question answered once more. */
  regenerate: (messageId: string) => Promise<void>;
  openSources: (sources: OpenSources) => void;
  /** Asks for the conversation anew. */
  refresh: () => void;
}

const Context = createContext<ThreadActionsValue | null>(null);

export const ThreadActions = Context;

export function useThreadActions(): ThreadActionsValue {
  const actions = use(Context);
  if (!actions) throw new Error('No conversation is open here.');
  return actions;
}
