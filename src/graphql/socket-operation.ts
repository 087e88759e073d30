import {
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';

import { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { costError, limitRules, MAX_TOKENS } from './operation-limits.js';

const rules = [...specifiedRules, ...limitRules];

/** An operation that came over a socket, checked like one that came over HTTP: ready for execution, or what is wrong. */
export const prepareOperation = (
  schema: GraphQLSchema,
  viewer: Viewer | null,
  { query, variables, operationName }: SubscribePayload,
): ExecutionArgs | readonly GraphQLError[] => {
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(schema, document, rules);
    if (errors.length > 0) return errors;
    if (!getOperationAST(document, operationName)) {
      return [new GraphQLError('Name one of the operations of the document as operationName.')];
    }
    const tooCostly = costError(schema, document, variables, operationName);
    if (tooCostly) return [tooCostly];
    return {
      schema,
      document,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
      contextValue: { viewer, loaders: new Loaders() },
    };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
};
