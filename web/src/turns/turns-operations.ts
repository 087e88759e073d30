import { graphql } from '../api/graphql.js';
import type { ShowTurnMutation, TurnDetailsQuery, TurnsQuery } from '../gql/graphql.js';

export type ListedTurn = TurnsQuery['turns']['edges'][number]['node'];
export type TurnDetails = TurnDetailsQuery['turns']['edges'][number]['node'];
export type ShownTurn = ShowTurnMutation['showTurn'];

/** Whom turns may be chosen by: of the members the first hundred. */
export const filtersQuery = graphql(`
  query TurnFilters {
    assistants {
      id
      key
      name
    }
    members(first: 100) {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`);

export const turnsQuery = graphql(`
  query Turns($filter: TurnFilter, $after: String) {
    turns(first: 20, filter: $filter, after: $after) {
      edges {
        node {
          id
          status
          finishReason
          createdAt
          finishedAt
          memberName
          conversation {
            id
            assistant {
              id
              name
            }
          }
          error {
            codeValue
          }
          usage {
            costUsd
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

/** Turns of others are listed only: one is found by when it was asked. */
export const turnDetailsQuery = graphql(`
  query TurnDetails($filter: TurnFilter!) {
    turns(first: 20, filter: $filter) {
      edges {
        node {
          id
          status
          finishReason
          createdAt
          startedAt
          finishedAt
          memberName
          conversation {
            id
            assistant {
              id
              name
            }
          }
          error {
            codeValue
            message
            retryable
          }
          usage {
            inputTokens
            cachedInputTokens
            outputTokens
            modelCalls
            skillCalls
            costUsd
          }
          modelCalls {
            id
            at
            durationMs
            purpose
            model
            outcome
            inputTokens
            outputTokens
            costUsd
          }
          skillCalls {
            id
            skill
            status
            startedAt
            finishedAt
          }
        }
      }
    }
  }
`);

export const showTurnMutation = graphql(`
  mutation ShowTurn($id: ID!, $reason: String!) {
    showTurn(id: $id, reason: $reason) {
      question
      answer
      skillCalls {
        id
        skill
        arguments
        resultPreview
      }
      modelCalls {
        id
        purpose
        model
        messages
      }
    }
  }
`);
