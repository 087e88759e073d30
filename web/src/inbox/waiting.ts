import { useQuery } from 'urql';

import { graphql } from '../api/graphql.js';

const waitingQuery = graphql(`
  query Waiting {
    pendingApprovals {
      id
    }
  }
`);

/** How many questions wait for this person. */
export function useWaiting(): number {
  const [{ data }] = useQuery({ query: waitingQuery });
  return data?.pendingApprovals.length ?? 0;
}
