import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { getComplexity } from 'graphql-query-complexity';

import { MAX_COST } from '../../common/schema/cost.js';
import { costEstimators } from './cost-estimators.js';
import { jsonLiteralRule } from '../json-literals.js';

export const MAX_DEPTH = 15;
export const MAX_ALIASES = 30;
/** Fields of an operation with every fragment in its places. */
export const MAX_FIELDS = 10_000;
export const MAX_TOKENS = 5_000;
export const MAX_BODY_BYTES = 1024 * 1024;
/** Of an import, which holds years of messages: as much text as one may have, with room for how JSON writes it. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;
/** What whoever sends more is told: before the body is read nobody knows which of the two it was to be. */
export const BODY_TOO_LARGE = `A request has at most ${MAX_BODY_BYTES} bytes, and an import over HTTP, by somebody who has signed in, at most ${MAX_IMPORT_BYTES}.`;

/** The rules throw unless told otherwise, which would take a client's mistake for a fault of the server. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** What an operation is checked for besides GraphQL's own rules, before anything of it is executed. */
export const operationRules: ValidationRule[] = [
  maxDepthRule({ n: MAX_DEPTH, flattenFragments: true, ...reported }) as ValidationRule,
  maxAliasesRule({ n: MAX_ALIASES, ...reported }) as ValidationRule,
  jsonLiteralRule,
];

/** An error when the operation may show more than a server should be asked for at once; null otherwise. */
export const costError = (
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null => {
  // Wrong variables are told by the execution, which knows their names, before it runs anything.
  if (!haveRightTypes(schema, query, variables, operationName)) return null;
  const known = remembered.get(query) ?? new Map<string, GraphQLError | null>();
  remembered.set(query, known);
  const key = JSON.stringify([operationName, ...Object.entries(variables ?? {}).filter(decidesCost)]);
  let error = known.get(key);
  if (error === undefined) {
    error = countCost(schema, query, variables, operationName);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, error);
  }
  return error;
};

/** Counting takes longer than all else about a short operation; documents are parsed once and come again. */
const remembered = new WeakMap<DocumentNode, Map<string, GraphQLError | null>>();
const MOST_REMEMBERED = 100;

/** Page sizes are numbers, what @include and @skip look at is true or false, and null is not what was left out. */
const decidesCost = ([, value]: [string, unknown]): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || value === null;

const countCost = (
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null => {
  try {
    const cost = getComplexity({
      schema,
      query,
      variables: variables ?? {},
      ...(operationName ? { operationName } : {}),
      estimators: costEstimators,
      maxQueryNodes: MAX_FIELDS,
    });
    return cost <= MAX_COST ? null : tooCostly(`its cost is ${cost}, and the limit is ${MAX_COST}`, { cost });
  } catch (error) {
    // Fragments inside fragments may show more fields than can be counted in good time.
    if (error instanceof GraphQLError) return tooCostly(`it shows more than ${MAX_FIELDS} fields`, {});
    throw error;
  }
};

const tooCostly = (why: string, facts: object): GraphQLError =>
  new GraphQLError(`The operation may show too much at once: ${why}. Ask for less, or in smaller pages.`, {
    extensions: { code: 'BAD_USER_INPUT', limit: MAX_COST, ...facts, http: { status: 400 } },
  });

const haveRightTypes = (
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): boolean => {
  const declared = getOperationAST(query, operationName)?.variableDefinitions ?? [];
  return getVariableValues(schema, declared, variables ?? {}, { maxErrors: 1 }).errors === undefined;
};
