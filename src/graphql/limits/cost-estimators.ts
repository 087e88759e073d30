import { getNullableType, isIntrospectionType, isListType } from 'graphql';
import {
  type ComplexityEstimator,
  fieldExtensionsEstimator,
  simpleEstimator,
} from 'graphql-query-complexity';

import { listCost, QUERY_COST } from '../../common/schema/cost.js';
import { MAX_PAGE } from '../../common/schema/page.js';

const DEFAULT_PAGE = 20;

/** How many a list has of which nothing else is said. One that often has many more, or fewer, says so by its `complexity`. */
export const USUAL_LENGTH = 10;

/** A page costs what it shows, times how many it may show. */
const pageEstimator: ComplexityEstimator = ({ args, childComplexity, field }) => {
  if (!field.args.some(({ name }) => name === 'first')) return undefined;
  const asked: unknown = args.first ?? args.last ?? DEFAULT_PAGE;
  const size = typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_PAGE) : MAX_PAGE;
  return QUERY_COST + size * childComplexity;
};

const usual = listCost(USUAL_LENGTH);

const listEstimator: ComplexityEstimator = ({ field, childComplexity }) =>
  isListType(getNullableType(field.type)) ? usual({ childComplexity }) : undefined;

/**
 * How much there is of the schema, taken generously: some types have many times the fields of others, and whoever means
 * harm looks for those. What leads to one type may lead to the largest.
 */
export const introspectionLengths: Record<string, number> = {
  '__Schema.types': 200,
  '__Schema.directives': 8,
  '__Schema.queryType': 6,
  '__Schema.mutationType': 6,
  '__Schema.subscriptionType': 6,
  'Query.__type': 6,
  '__Type.fields': 8,
  '__Type.inputFields': 3,
  '__Type.interfaces': 3,
  '__Type.possibleTypes': 3,
  '__Type.enumValues': 3,
  '__Field.args': 2,
  '__Directive.args': 2,
};

const introspectionEstimator: ComplexityEstimator = ({ type, field, childComplexity }) => {
  if (!isIntrospectionType(type) && field.name !== '__type') return undefined;
  const length = introspectionLengths[`${type.name}.${field.name}`] ?? 1;
  return 1 + length * childComplexity;
};

/** What the fields of an operation cost, by the first of these that knows. */
export const costEstimators: ComplexityEstimator[] = [
  pageEstimator,
  fieldExtensionsEstimator(),
  introspectionEstimator,
  listEstimator,
  simpleEstimator({ defaultComplexity: 1 }),
];
