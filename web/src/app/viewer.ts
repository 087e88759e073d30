import { createContext, use } from 'react';

import { graphql } from '../api/graphql.js';
import type { ViewerQuery } from '../gql/graphql.js';

export const viewerQuery = graphql(`
  query Viewer {
    viewer {
      id
      name
      email
      role
      company {
        id
        name
      }
    }
  }
`);

export type Viewer = ViewerQuery['viewer'];

export const ViewerContext = createContext<Viewer | null>(null);

/** Who is signed in. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error('Nobody is signed in here.');
  return viewer;
}

export function isAdmin({ role }: Viewer): boolean {
  return role !== 'MEMBER';
}
