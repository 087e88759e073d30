import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { type DocumentNode, GraphQLError, type GraphQLSchema, type ValidationRule } from 'graphql';
import { type ComplexityEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';

import { MAX_PAGE } from '../common/page.js';

export const MAX_DEPTH = 15;
export const MAX_ALIASES = 30;
export const MAX_COST = 25_000;
export const MAX_TOKENS = 5_000;
export const MAX_BODY_BYTES = 1024 * 1024;

/** What an operation is checked for besides GraphQL's own rules, before anything of it is executed. */
export const limitRules: ValidationRule[] = [
  maxDepthRule({ n: MAX_DEPTH }) as ValidationRule,
  maxAliasesRule({ n: MAX_ALIASES }) as ValidationRule,
];

const DEFAULT_PAGE = 20;

/** A page costs what it shows, times how many it may show. */
const pageEstimator: ComplexityEstimator = ({ args, childComplexity, field }) => {
  if (!field.args.some(({ name }) => name === 'first')) return undefined;
  const asked: unknown = args.first ?? args.last ?? DEFAULT_PAGE;
  const size = typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_PAGE) : MAX_PAGE;
  return 1 + size * childComplexity;
};

/** An error when the operation may show more than a server should be asked for at once; null otherwise. */
export const costError = (
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null => {
  const cost = getComplexity({
    schema,
    query,
    variables: variables ?? {},
    ...(operationName ? { operationName } : {}),
    estimators: [pageEstimator, simpleEstimator({ defaultComplexity: 1 })],
  });
  if (cost <= MAX_COST) return null;
  return new GraphQLError(
    `The operation may show too much at once: its cost is ${cost}, and the limit is ${MAX_COST}. Ask for smaller pages.`,
    { extensions: { code: 'BAD_USER_INPUT', cost, limit: MAX_COST, http: { status: 400 } } },
  );
};
