import type { CombinedError } from '@urql/core';
import { useCallback, useEffect, useState } from 'react';
import { useClient, useQuery, useSubscription } from 'urql';

import { useRetrying } from '../api/retrying.js';
import type { ConversationFilter, ConversationListQuery } from '../gql/graphql.js';
import {
  conversationDeletedSubscription,
  conversationListQuery,
  conversationsChangedSubscription,
  type ListedConversation,
} from './conversation-operations.js';

const PAGE = 50;

type ListPage = ConversationListQuery['conversations'];

interface ListedConversations {
  /** Null: they are on their way. */
  conversations: readonly ListedConversation[] | null;
  error: CombinedError | undefined;
  refresh: () => void;
  /** Null: these are all. */
  showMore: (() => void) | null;
}

/** They are asked for anew whenever one of the viewer's conversations changes, in whatever tab. */
export function useConversations(filter: ConversationFilter): ListedConversations {
  const [pages, setPages] = useState(1);
  const [{ data, error }, ask] = useQuery({
    query: conversationListQuery,
    variables: { first: PAGE, filter },
    requestPolicy: 'cache-and-network',
  });
  const refresh = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  const [{ data: changed }] = useSubscription({ query: conversationsChangedSubscription });
  const [{ data: deleted }] = useSubscription({ query: conversationDeletedSubscription });
  useEffect(() => {
    if (changed || deleted) refresh();
  }, [changed, deleted, refresh]);
  useRetrying(data && error, refresh);
  const first = data?.conversations;
  const later = useLaterPages(first, pages - 1, JSON.stringify(filter));
  const last = later.at(-1) ?? first;
  const all = [first, ...later].flatMap((page) => page?.edges.map(({ node }) => node) ?? []);
  return {
    // One that was used between two pages is on both.
    conversations: first ? [...new Map(all.map((one) => [one.id, one])).values()] : null,
    error,
    refresh,
    showMore: last?.pageInfo.hasNextPage ? () => setPages(1 + later.length + 1) : null,
  };
}

const NONE: readonly ListPage[] = [];

/** The pages after the first, as many as there are up to `count`; read anew whenever the first is. */
function useLaterPages(first: ListPage | undefined, count: number, filter: string): readonly ListPage[] {
  const client = useClient();
  const [later, setLater] = useState(NONE);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = async (): Promise<void> => {
      const pages: ListPage[] = [];
      for (let page = first; page?.pageInfo.hasNextPage && pages.length < count && !signal.aborted;) {
        const after = page.pageInfo.endCursor;
        const variables = { first: PAGE, filter: JSON.parse(filter) as ConversationFilter, after };
        const { data } = await client.query(conversationListQuery, variables, {
          requestPolicy: 'network-only',
        });
        page = data?.conversations;
        if (page) pages.push(page);
      }
      if (!signal.aborted) setLater(pages);
    };
    void read();
    return () => leaving.abort();
  }, [client, first, count, filter]);
  return count === 0 ? NONE : later;
}
