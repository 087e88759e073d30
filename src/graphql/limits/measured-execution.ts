import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  OperationTypeNode,
} from 'graphql';

import type { GraphQLContext } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

const waited = new WeakSet<object>();

/** Whether an operation has waited for anything. Otherwise it used the thread all the time. */
export function hasWaited(context: object): boolean {
  return waited.has(context);
}

/** Shorter times are summed up before they are reported: there may be one per row. */
const TOLD_FROM_MS = 1;

/**
 * Reports to `spend` the thread time of executing operations: turning data into the answer, field by field. Execution
 * resumes after each promise, so each resumption is measured. Subscriptions are not measured, as the server sends their
 * events by itself.
 */
export function measureExecution(
  schema: GraphQLSchema,
  spend: (viewer: Viewer, ms: number) => void,
): GraphQLSchema {
  const untold = new WeakMap<GraphQLContext, number>();
  const tell = (context: GraphQLContext, ms: number): void => {
    if (!context.viewer) return;
    const sum = (untold.get(context) ?? 0) + ms;
    if (sum >= TOLD_FROM_MS) spend(context.viewer, sum);
    untold.set(context, sum >= TOLD_FROM_MS ? 0 : sum);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve && field.resolve !== defaultFieldResolver)
        field.resolve = measured(field.resolve, tell);
    }
  }
  return schema;
}

function measured(resolve: Resolver, tell: (context: GraphQLContext, ms: number) => void): Resolver {
  return (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    const isSubscription = info.operation.operation === OperationTypeNode.SUBSCRIPTION;
    if (!(value instanceof Promise) || isSubscription) return value;
    waited.add(context);
    return new MeasuredPromise(value, (ms) => tell(context, ms));
  };
}

/** A promise that measures what runs when it resolves. */
class MeasuredPromise<Value> implements PromiseLike<Value> {
  constructor(
    private readonly value: Promise<Value>,
    private readonly tell: (ms: number) => void,
  ) {}

  // oxlint-disable-next-line unicorn/no-thenable -- GraphQL asks for nothing else of a promise.
  then<Kept = Value, Caught = never>(
    keep?: ((value: Value) => Kept | PromiseLike<Kept>) | null,
    recover?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    return this.value.then(keep && ((value) => this.measure(() => keep(value))), recover);
  }

  private measure<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.tell(performance.now() - startedAt);
    }
  }
}
