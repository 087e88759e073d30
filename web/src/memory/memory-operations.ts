import { graphql } from '../api/graphql.js';
import type { NotedMemoryFragment } from '../gql/graphql.js';

export type NotedMemory = NotedMemoryFragment;

export const notedMemory = graphql(`
  fragment NotedMemory on Memory {
    id
    kind
    subject
    content
    shared
    source
    validFrom
  }
`);

export const memoriesQuery = graphql(`
  query Memories($kind: MemoryKind, $after: String) {
    memories(kind: $kind, active: true, first: 30, after: $after) {
      edges {
        node {
          ...NotedMemory
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const memoryHistoryQuery = graphql(`
  query MemoryHistory($id: ID!) {
    node(id: $id) {
      ... on Memory {
        id
        history {
          ...NotedMemory
        }
      }
    }
  }
`);

export const memoryContextQuery = graphql(`
  query WhatWouldBeTold($message: String!) {
    memoryContext(message: $message) {
      tokens
      budget
      omitted
      items {
        section
        text
        tokens
      }
    }
  }
`);

export const rememberMutation = graphql(`
  mutation Remember($input: RememberInput!) {
    remember(input: $input) {
      id
    }
  }
`);

export const correctMutation = graphql(`
  mutation Correct($id: ID!, $content: String!) {
    updateMemory(id: $id, content: $content) {
      id
    }
  }
`);

export const forgetMutation = graphql(`
  mutation Forget($id: ID!) {
    forget(id: $id)
  }
`);
