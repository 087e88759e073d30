import { graphql } from '../api/graphql.js';
import type { AuditQuery, CompanyScreenQuery } from '../gql/graphql.js';

export type ListedMember = CompanyScreenQuery['members']['edges'][number]['node'];
export type ListedKey = CompanyScreenQuery['apiKeys']['edges'][number]['node'];
export type ListedWebhook = CompanyScreenQuery['webhooks'][number];
export type ListedProvider = CompanyScreenQuery['providers'][number];
export type AuditEntry = AuditQuery['auditEntries']['edges'][number]['node'];

export const companyQuery = graphql(`
  query CompanyScreen {
    company {
      id
      name
      sector
      country
      city
      headcount
      language
    }
    members(first: 100) {
      edges {
        node {
          id
          name
          email
          role
          deactivatedAt
        }
      }
    }
    apiKeys(first: 100) {
      edges {
        node {
          id
          memberId
          name
          role
          scopes
          createdAt
          expiresAt
          lastUsedAt
          pausedAt
          revokedAt
          createdBy {
            id
            name
          }
        }
      }
    }
    webhooks {
      id
      url
      kinds
      disabledAt
      lastFailure
      lastSuccessAt
    }
    providers {
      id
      key
      baseUrl
      api
      hasApiKey
      models {
        name
      }
    }
  }
`);

export const auditQuery = graphql(`
  query Audit($filter: AuditFilter, $after: String) {
    auditEntries(first: 30, after: $after, filter: $filter) {
      edges {
        node {
          id
          action
          subject
          memberName
          createdAt
          details
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const updateCompanyMutation = graphql(`
  mutation UpdateCompany($input: UpdateCompanyInput!) {
    updateCompany(input: $input) {
      id
    }
  }
`);

export const deactivateMutation = graphql(`
  mutation DeactivateMember($id: ID!) {
    deactivateMember(id: $id) {
      id
      deactivatedAt
    }
  }
`);

export const reactivateMutation = graphql(`
  mutation ReactivateMember($id: ID!) {
    reactivateMember(id: $id) {
      id
      deactivatedAt
    }
  }
`);

export const createKeyMutation = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      secret
      apiKey {
        id
      }
    }
  }
`);

export const deleteKeyMutation = graphql(`
  mutation DeleteApiKey($id: ID!) {
    deleteApiKey(id: $id)
  }
`);

export const createWebhookMutation = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      secret
      webhook {
        id
      }
    }
  }
`);

export const deleteWebhookMutation = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

export const setProviderMutation = graphql(`
  mutation SetProvider($input: SetProviderInput!) {
    setProvider(input: $input) {
      id
    }
  }
`);

export const testProviderMutation = graphql(`
  mutation TestProvider($key: String!) {
    testProvider(key: $key) {
      ok
      message
      model
      durationMs
    }
  }
`);

export const deleteProviderMutation = graphql(`
  mutation DeleteProvider($key: String!) {
    deleteProvider(key: $key)
  }
`);
