import type { ApolloServerPlugin } from '@apollo/server';

import { costError } from './operation-limits.js';

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
