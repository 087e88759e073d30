import { graphql } from '../api/graphql.js';
import type { InboxQuery } from '../gql/graphql.js';

export const inboxQuery = graphql(`
  query Inbox {
    pendingInputs(first: 100) {
      edges {
        node {
          id
          turnId
          kind
          status
          expiresAt
          askedByName
          askedIn
          ... on Approval {
            skill
            arguments
            reason
          }
          ... on Question {
            prompt
            responseSchema
          }
          ... on ClientSkillCall {
            callId
            skill
            arguments
          }
          ... on McpInputRequest {
            server
            message
            # Null is no value of a question's.
            schema: responseSchema
            url
          }
        }
      }
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

export type ListedInput = InboxQuery['pendingInputs']['edges'][number]['node'];
export type ListedNotification = InboxQuery['notifications']['edges'][number]['node'];

export const markReadMutation = graphql(`
  mutation MarkRead($id: ID!) {
    markNotificationRead(id: $id) {
      id
      readAt
    }
  }
`);
