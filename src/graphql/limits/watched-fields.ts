import {
  defaultFieldResolver,
  getNamedType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  OperationTypeNode,
} from 'graphql';

import type { GraphQLContext } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { onThread, tellingThreadTime } from '../../common/process/thread-time.js';
import { type AnswerSize, bytesOf } from '../../common/schema/answer-size.js';
import { isConnection } from '../../common/schema/page.js';

type Field = GraphQLField<unknown, GraphQLContext>;
type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;
type Tell = (context: GraphQLContext, ms: number) => void;

/** Bytes for quotes, colon and comma. */
const PUNCTUATION_BYTES = 4;

/** Shorter times are summed up before they are reported: there may be one per row. */
const TOLD_FROM_MS = 1;

/** The contexts of operations that have waited for something. */
const waited = new WeakSet<object>();

/** Whether an operation has waited for anything. Otherwise it used the thread all the time. */
export function hasWaited(context: object): boolean {
  return waited.has(context);
}

/**
 * Wraps every field. Each value counts towards the size of its operation's answer, which ends when it becomes too large.
 * The thread time of operations is reported to `spend`: of resolvers until they first wait, of work that they report
 * later (`onThread`), and of turning data into the answer, which resumes after each promise. Operations that never wait
 * are not reported here, nor subscriptions, as the server sends their events by itself.
 */
export function watchFields(
  schema: GraphQLSchema,
  spend: (viewer: Viewer, ms: number) => void,
): GraphQLSchema {
  const tell = summedUp(spend);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    const eachIsAnAnswer = type === schema.getSubscriptionType();
    for (const field of Object.values(type.getFields())) field.resolve = watched(field, eachIsAnAnswer, tell);
  }
  return schema;
}

function summedUp(spend: (viewer: Viewer, ms: number) => void): Tell {
  const untold = new WeakMap<GraphQLContext, number>();
  return (context, ms) => {
    if (!context.viewer) return;
    const sum = (untold.get(context) ?? 0) + ms;
    if (sum >= TOLD_FROM_MS) spend(context.viewer, sum);
    untold.set(context, sum >= TOLD_FROM_MS ? 0 : sum);
  };
}

function watched({ resolve, type }: Field, eachIsAnAnswer: boolean, tell: Tell): Resolver {
  const count = counterOf(type);
  const find = resolve === undefined || resolve === defaultFieldResolver ? null : measured(resolve, tell);
  return (source, args, context, info) => {
    const { size } = context.loaders;
    if (eachIsAnAnswer) size.reset();
    size.addShown(Buffer.byteLength(String(info.path.key)) + PUNCTUATION_BYTES);
    const value: unknown = (find ?? defaultFieldResolver)(source, args, context, info);
    const counted = count ?? asItIs;
    if (!(value instanceof Promise)) return counted(size, value);
    const later = value.then((found: unknown) => counted(size, found));
    return find && info.operation.operation !== OperationTypeNode.SUBSCRIPTION
      ? new MeasuredPromise(later, (ms) => tell(context, ms))
      : later;
  };
}

function asItIs(_size: AnswerSize, value: unknown): unknown {
  return value;
}

/** Counts the values of a type's fields and returns them. Null: values of this type are counted by their own fields. */
function counterOf(type: GraphQLOutputType): ((size: AnswerSize, value: unknown) => unknown) | null {
  const named = getNamedType(type);
  if (isLeafType(named)) {
    return (size, value) => {
      size.addShown(bytesOf(value));
      return value;
    };
  }
  if (!isObjectType(named) || !named.getFields().edges) return null;
  return (size, value) => {
    // The rows of a page stay in memory until all of it is shown.
    if (isConnection(value)) size.addRead(value.bytes);
    return value;
  };
}

function measured(resolve: Resolver, tell: Tell): Resolver {
  return (source, args, context, info) => {
    if (info.operation.operation === OperationTypeNode.SUBSCRIPTION)
      return resolve(source, args, context, info);
    const tellIt = (ms: number): void => tell(context, ms);
    let busyMs = 0;
    const value: unknown = tellingThreadTime(tellIt, () =>
      onThread(
        () => resolve(source, args, context, info),
        (ms) => (busyMs = ms),
      ),
    );
    if (!(value instanceof Promise)) return value;
    waited.add(context);
    tellIt(busyMs);
    return value;
  };
}

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
    return this.value.then(keep && ((value) => onThread(() => keep(value), this.tell)), recover);
  }
}
