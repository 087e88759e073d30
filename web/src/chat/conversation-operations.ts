import { graphql } from '../api/graphql.js';
import type { ConversationListQuery, ConversationQuery } from '../gql/graphql.js';

export const conversationListQuery = graphql(`
  query ConversationList($first: Int!, $filter: ConversationFilter, $after: String) {
    conversations(first: $first, filter: $filter, after: $after) {
      edges {
        node {
          id
          title
          updatedAt
          pinned
          archived
          assistant {
            id
            name
          }
          activeTurn {
            id
            status
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type ListedConversation = ConversationListQuery['conversations']['edges'][number]['node'];

export const conversationQuery = graphql(`
  query Conversation($id: ID!, $last: Int!, $before: String, $leaf: ID, $language: String!) {
    conversation(id: $id) {
      id
      title
      assistant {
        id
        key
        name
        language
      }
      messages(last: $last, before: $before, leaf: $leaf) {
        edges {
          node {
            id
            role
            status
            text
            createdAt
            author
            parts {
              __typename
              ... on ReasoningPart {
                text
              }
              ... on ImagePart {
                attachment {
                  ...ShownAttachment
                }
              }
              ... on FilePart {
                attachment {
                  ...ShownAttachment
                }
              }
            }
            versions {
              id
            }
            citations {
              marker
              documentId
              documentName
              page
              quote
            }
            trustedAddresses
            turn {
              id
              status
              finishReason
              createdAt
              finishedAt
              error {
                code
                message
                retryable
              }
              skillCalls {
                id
                skill
                arguments
                status
                resultPreview
                startedAt
                finishedAt
              }
              files {
                id
                name
                bytes
                url
              }
            }
          }
        }
        pageInfo {
          hasPreviousPage
          startCursor
        }
      }
    }
  }

  fragment ShownAttachment on Attachment {
    id
    kind
    name
    url
    error(language: $language)
  }
`);

export type ShownConversation = NonNullable<ConversationQuery['conversation']>;
export type ShownMessage = ShownConversation['messages']['edges'][number]['node'];
export type ShownTurn = NonNullable<ShownMessage['turn']>;

export const assistantsQuery = graphql(`
  query Assistants {
    assistants {
      id
      key
      name
      language
      strategy
    }
  }
`);

export const skillNamesQuery = graphql(`
  query SkillNames($language: String!) {
    skills {
      id
      key
      name(language: $language)
    }
  }
`);

export const updateConversationMutation = graphql(`
  mutation UpdateConversation($input: UpdateConversationInput!) {
    updateConversation(input: $input) {
      id
      title
      pinned
      archived
    }
  }
`);

export const conversationsChangedSubscription = graphql(`
  subscription ConversationsChanged {
    conversationsChanged {
      id
      updatedAt
    }
  }
`);

export const conversationDeletedSubscription = graphql(`
  subscription ConversationDeleted {
    conversationDeleted
  }
`);

export const conversationChangedSubscription = graphql(`
  subscription ConversationChanged($id: ID!) {
    conversationChanged(id: $id) {
      id
      updatedAt
      head {
        id
      }
      activeTurn {
        id
        status
      }
    }
  }
`);

export const deleteConversationMutation = graphql(`
  mutation DeleteConversation($id: ID!) {
    deleteConversation(id: $id)
  }
`);

export const selectMessageMutation = graphql(`
  mutation SelectMessage($id: ID!) {
    selectMessage(id: $id) {
      id
    }
  }
`);

export const documentLinkQuery = graphql(`
  query DocumentLink($id: ID!) {
    document(id: $id) {
      id
      mediaType
      url
    }
  }
`);

export const attachmentErrorQuery = graphql(`
  query AttachmentError($id: ID!, $language: String!) {
    attachment(id: $id) {
      id
      name
      error(language: $language)
    }
  }
`);
