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
} from 'graphql';

import type { GraphQLContext } from '../../companies/auth/graphql-context.js';
import { type AnswerSize, bytesOf } from '../../common/schema/answer-size.js';
import { isConnection } from '../../common/schema/connection.js';

/** Bytes for quotes, colon and comma. */
const PUNCTUATION_BYTES = 4;

/** Counts every field in the size of its operation's answer, which ends when it becomes too large. */
export function limitAnswers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    const eachIsAnAnswer = type === schema.getSubscriptionType();
    for (const field of Object.values(type.getFields())) field.resolve = counted(field, eachIsAnAnswer);
  }
  return schema;
}

type Field = GraphQLField<unknown, GraphQLContext>;

function counted(
  { resolve = defaultFieldResolver, type }: Field,
  eachIsAnAnswer: boolean,
): GraphQLFieldResolver<unknown, GraphQLContext> {
  const count = counterOf(type);
  return (source, args, context, info) => {
    const { size } = context.loaders;
    if (eachIsAnAnswer) size.reset();
    size.addShown(Buffer.byteLength(String(info.path.key)) + PUNCTUATION_BYTES);
    const value: unknown = resolve(source, args, context, info);
    if (!count) return value;
    return value instanceof Promise ? value.then((found: unknown) => count(size, found)) : count(size, value);
  };
}

/**
 * Counts the values of a type's fields and returns them. Null: values of this type are counted by their own fields.
 */
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
