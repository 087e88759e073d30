import { graphql } from '../api/graphql.js';
import type { InboxQuery } from '../gql/graphql.js';

export const inboxQuery = graphql(`
  query Inbox {
    pendingApprovals {
      id
      skill
      arguments
      reason
      expiresAt
      status
    }
    notifications(first: 50) {
      edges {
        node {
          id
          kind
          title
          body
          readAt
          createdAt
          turn {
            id
            conversation {
              id
            }
          }
        }
      }
    }
  }
`);

export type ListedNotification = InboxQuery['notifications']['edges'][number]['node'];

export const markReadMutation = graphql(`
  mutation MarkRead($id: ID!) {
    markNotificationRead(id: $id) {
      id
      readAt
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
