import { graphql } from '../api/graphql.js';
import type { ListedDocumentFragment } from '../gql/graphql.js';

export type ListedDocument = ListedDocumentFragment;

export const listedDocument = graphql(`
  fragment ListedDocument on Document {
    id
    name
    bytes
    pages
    status
    progress
    error(language: $language)
    warnings(language: $language)
    createdAt
  }
`);

export const documentsQuery = graphql(`
  query Documents($after: String, $language: String!) {
    documents(first: 30, after: $after) {
      edges {
        node {
          ...ListedDocument
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const documentStorageQuery = graphql(`
  query DocumentStorage {
    documentStorage {
      documents
      bytes
      maxDocuments
      maxBytes
    }
  }
`);

export const documentProgressSubscription = graphql(`
  subscription DocumentProgress($id: ID!, $language: String!) {
    documentProgress(documentId: $id) {
      ...ListedDocument
    }
  }
`);

export const deleteDocumentMutation = graphql(`
  mutation DeleteDocument($id: ID!) {
    deleteDocument(id: $id)
  }
`);

export const searchDocumentsQuery = graphql(`
  query SearchDocuments($query: String!) {
    searchDocuments(query: $query, first: 10) {
      id
      page
      text
      missing
      document {
        id
        name
      }
    }
  }
`);
