import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { fairThread } from '@palabre/async';
import type { FastifyRequest } from 'fastify';
import { type FormattedExecutionResult, GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';

import type { Introspection } from '../common/config/config.js';
import type { GraphQLContext } from '../companies/auth/graphql-context.js';
import { isTooLarge, isToldByNull } from './client-errors.service.js';
import { hasWaited } from './limits/watched-fields.js';
import { costError } from './limits/operation-limits.js';
import { schemaError } from './introspection.js';
import type { UsageLimits } from './limits/usage-limits.service.js';

type Asking = Partial<GraphQLContext> & { req?: FastifyRequest };

interface Asker {
  companyId: string | null;
  /** Counts the time of writing the answer, in milliseconds. */
  tell: (ms: number) => void;
}

/** By the answer's data. */
const askers = new WeakMap<object, Asker>();

/** A large answer is sent at the pace of its company. */
export async function writeAnswer(answer: FormattedExecutionResult): Promise<string> {
  const startedAt = performance.now();
  const written = `${JSON.stringify(answer)}\n`;
  const asker = answer.data ? askers.get(answer.data) : undefined;
  asker?.tell(performance.now() - startedAt);
  if (asker?.companyId) await fairThread.transfer(asker.companyId, Buffer.byteLength(written));
  return written;
}

/** Refuses operations that may show too much, or the schema, before they are executed, and counts the thread time of all steps. */
export function costLimit(limits: UsageLimits, shownTo: Introspection): ApolloServerPlugin<Asking> {
  return {
    requestDidStart: ({ contextValue }) => {
      const { viewer, req } = contextValue;
      const tell = (ms: number): void => {
        if (viewer) limits.addThreadTime(viewer, ms);
        else if (req) limits.addAnonymousTime(req.ip, ms);
      };
      const timed = (): Promise<() => Promise<void>> => {
        const startedAt = performance.now();
        return Promise.resolve(() => {
          tell(performance.now() - startedAt);
          return Promise.resolve();
        });
      };
      return Promise.resolve({
        parsingDidStart: timed,
        validationDidStart: timed,
        didResolveOperation({ schema, document, request }) {
          const startedAt = performance.now();
          const error =
            schemaError(document, shownTo, viewer ?? null) ??
            costError(schema, document, request.variables, request.operationName);
          tell(performance.now() - startedAt);
          return error ? Promise.reject(error) : Promise.resolve();
        },
        executionDidStart() {
          const startedAt = performance.now();
          return Promise.resolve({
            executionDidEnd() {
              if (!hasWaited(contextValue)) tell(performance.now() - startedAt);
              return Promise.resolve();
            },
          });
        },
        willSendResponse({ response: { body } }) {
          if (body.kind === 'single' && body.singleResult.data)
            askers.set(body.singleResult.data, { companyId: viewer?.companyId ?? null, tell });
          return Promise.resolve();
        },
      });
    },
  };
}

/** A plugin that does the same for every request. */
function forEach<Context extends object>(
  listener: GraphQLRequestListener<Context>,
): ApolloServerPlugin<Context> {
  return { requestDidStart: () => Promise.resolve(listener) };
}

/** Like ClientErrors.in, for errors that Apollo has formatted already. */
export const errorsAsShown = forEach({
  willSendResponse({ errors = [], response: { body } }) {
    if (body.kind !== 'single') return Promise.resolve();
    const { errors: shown = [], ...rest } = body.singleResult;
    const tooLarge = shown[errors.findIndex(isTooLarge)];
    const told = rest.data ? shown.filter((_, index) => !isToldByNull(errors[index])) : shown;
    if (tooLarge) body.singleResult = { data: null, errors: [tooLarge] };
    else body.singleResult = told.length === 0 ? rest : { ...rest, errors: told };
    return Promise.resolve();
  },
});

const GRAPHQL_ERRORS = new Set([
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

const RESPONSE_TYPE = 'application/graphql-response+json';

/** 200 unless the client knows the media type of GraphQL over HTTP: an error could be a proxy's page otherwise. */
export function wrongRequestStatus(accept: string | undefined): number {
  return accept && [RESPONSE_TYPE, 'text/event-stream'].some((type) => accept.includes(type)) ? 400 : 200;
}

export const wrongRequestsAsAnswers = forEach({
  willSendResponse({ request, errors = [], response: { http } }) {
    const isAboutGraphQL = errors.some(({ extensions }) => GRAPHQL_ERRORS.has(String(extensions.code)));
    if (http.status === 400 && isAboutGraphQL)
      http.status = wrongRequestStatus(request.http?.headers.get('accept'));
    return Promise.resolve();
  },
});

const MAX_LOGGED_CHARACTERS = 200;

export const operationName = forEach<{ req?: FastifyRequest }>({
  didResolveOperation({ contextValue, operation }) {
    const asked = contextValue.req?.asked;
    if (asked && operation) asked.operation = loggedName(operation);
    return Promise.resolve();
  },
});

/** The operation's name, or else the names of its fields, cut for the log. */
export function loggedName({ operation, name, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.flatMap((field) =>
    field.kind === Kind.FIELD ? [field.name.value] : [],
  );
  return `${operation} ${name?.value ?? fields.slice(0, 5).join(' ')}`.slice(0, MAX_LOGGED_CHARACTERS);
}

/** Apollo would execute a subscription as a query and fail inside. */
export const noSubscriptions = forEach({
  didResolveOperation: ({ operation }) =>
    operation?.operation === 'subscription' ? Promise.reject(needsStream()) : Promise.resolve(),
});

function needsStream(): GraphQLError {
  return new GraphQLError(
    'A subscription needs a WebSocket, with the protocol graphql-transport-ws at this address, or server-sent ' +
      'events: ask again with Accept: text/event-stream alone.',
    { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } },
  );
}
