import { type CombinedError, useClient } from 'urql';
import { startTransition, useState } from 'react';

import { language } from '../i18n/catalogue.js';
import { conversationQuery, type ShownConversation, type ShownMessage } from './conversation-operations.js';

type MessagePage = ShownConversation['messages'];

/** What is asked for at once of what was said before. */
const PAGE = 100;

interface ReadMessages {
  newest: MessagePage;
  messages: readonly ShownMessage[];
  /** Where the first page starts. */
  start: MessagePage['pageInfo'];
}

/** What comes before a message never changes: earlier pages stay as long as the newest one goes on from them. */
function withNewest(read: ReadMessages | null, newest: MessagePage): ReadMessages {
  const fresh = newest.edges.map(({ node }) => node);
  const begin = read?.messages.findIndex(({ id }) => id === fresh[0]?.id) ?? -1;
  return read && begin > 0
    ? { ...read, newest, messages: [...read.messages.slice(0, begin), ...fresh] }
    : { newest, messages: fresh, start: newest.pageInfo };
}

interface ThreadMessages {
  messages: readonly ShownMessage[];
  /** Why what was said before could not be read. */
  error: CombinedError | undefined;
  /** Reads what was said before; null: there is nothing before. */
  showEarlier: (() => void) | null;
}

/** The messages of a conversation from its end, as far back as the reader has gone. */
export function useThreadMessages({ id, messages: newest }: ShownConversation): ThreadMessages {
  const client = useClient();
  const [read, setRead] = useState(() => withNewest(null, newest));
  const [reading, setReading] = useState<CombinedError | boolean>(false);
  if (read.newest !== newest) setRead(withNewest(read, newest));
  const { messages, start } = read;
  const leaf = messages[0]?.id;
  const showEarlier = async (): Promise<void> => {
    if (reading === true) return;
    setReading(true);
    const variables = { id, last: PAGE, before: start.startCursor, leaf, language: language() };
    const { data, error } = await client.query(conversationQuery, variables, {
      requestPolicy: 'network-only',
    });
    const page = data?.conversation?.messages;
    // Drawn between other things: a page of messages takes longer than a frame.
    startTransition(() => {
      setReading(error ?? false);
      if (!page) return;
      setRead((now) =>
        now.messages[0]?.id === leaf
          ? {
              ...now,
              messages: [...page.edges.map(({ node }) => node), ...now.messages],
              start: page.pageInfo,
            }
          : now,
      );
    });
  };
  return {
    messages,
    error: typeof reading === 'boolean' ? undefined : reading,
    showEarlier: start.hasPreviousPage ? () => void showEarlier() : null,
  };
}
