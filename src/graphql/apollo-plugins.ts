import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';

import { isToldByNull } from './client-errors.service.js';
import { costError } from './limits/operation-limits.js';

/** Refuses operations that may show too much, once their variables are known and before they are executed. */
export const costLimit: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ schema, document, request }) {
        const error = costError(schema, document, request.variables, request.operationName);
        return error ? Promise.reject(error) : Promise.resolve();
      },
    }),
};

/** What was removed while it was read is null, and no error beside it. */
export const removedAsNull: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse({ errors, response: { body } }) {
        if (body.kind === 'single' && body.singleResult.data) {
          const { errors: shown, ...rest } = body.singleResult;
          const told = shown?.filter((_, index) => !isToldByNull(errors?.[index])) ?? [];
          body.singleResult = told.length === 0 ? rest : { ...rest, errors: told };
        }
        return Promise.resolve();
      },
    }),
};

const MAX_LOGGED_CHARACTERS = 200;

/** Notes what was asked, for the line that the request leaves in the log. */
export const operationName: ApolloServerPlugin<{ req?: FastifyRequest }> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ contextValue, operation }) {
        const asked = contextValue.req?.asked;
        if (asked && operation) asked.operation = loggedName(operation);
        return Promise.resolve();
      },
    }),
};

/** The operation's name, or else its fields', cut to a length that a log can take. */
export const loggedName = ({ operation, name, selectionSet }: OperationDefinitionNode): string => {
  const fields = selectionSet.selections.flatMap((field) =>
    field.kind === Kind.FIELD ? [field.name.value] : [],
  );
  return `${operation} ${name?.value ?? fields.slice(0, 5).join(' ')}`.slice(0, MAX_LOGGED_CHARACTERS);
};

/** Apollo would execute a subscription like a query, and fail inside. */
export const noSubscriptions: ApolloServerPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ operation }) =>
        operation?.operation === 'subscription' ? Promise.reject(needsStream()) : Promise.resolve(),
    }),
};

const needsStream = (): GraphQLError =>
  new GraphQLError(
    'A subscription needs a WebSocket, with the protocol graphql-transport-ws at this address, or server-sent ' +
      'events: ask again with Accept: text/event-stream alone.',
    { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } },
  );
