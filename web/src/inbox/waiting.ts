import { useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';

import { graphql } from '../api/graphql.js';

export const waitingQuery = graphql(`
  query Waiting {
    pendingInputs(first: 100) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

export const notificationAddedSubscription = graphql(`
  subscription NotificationAdded {
    notificationAdded {
      id
      title
    }
  }
`);

/** How many questions wait for this person. */
export function useWaiting(): number {
  const [{ data }, ask] = useQuery({ query: waitingQuery });
  const [{ data: added }] = useSubscription({ query: notificationAddedSubscription });
  useEffect(() => {
    if (added) ask({ requestPolicy: 'network-only' });
  }, [added, ask]);
  return data?.pendingInputs.edges.length ?? 0;
}
