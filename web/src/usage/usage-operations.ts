import { graphql } from '../api/graphql.js';
import type { UsageOfQuery } from '../gql/graphql.js';

export type UsageRow = UsageOfQuery['usage'][number];

export const usageQuery = graphql(`
  query UsageOf($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {
    usage(from: $from, to: $to, groupBy: $groupBy) {
      day
      assistantKey
      model
      member {
        id
        name
      }
      inputTokens
      outputTokens
      cachedInputTokens
      modelCalls
      estimatedCalls
      unpricedCalls
      costUsd
    }
  }
`);

export const quotasQuery = graphql(`
  query Quotas {
    quotas {
      subject
      period
      provider
      maxTokens
      maxCostUsd
      member {
        id
        name
      }
    }
    providers {
      id
      key
    }
  }
`);

export const setQuotaMutation = graphql(`
  mutation SetQuota($input: SetQuotaInput!) {
    setQuota(input: $input) {
      subject
    }
  }
`);
