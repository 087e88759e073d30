import { GraphQLID, GraphQLScalarType } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, type ReturnTypeFunc, registerEnumType, InterfaceType } from '@nestjs/graphql';

import { parseId } from '../ids.js';

const builtIn = GraphQLID.toConfig();

/** An invalid id stays as it is: it is answered like an id that does not exist. */
function normalizeId(id: string): string {
  return parseId(id) ?? id;
}

/** Normalizes incoming ids. Use it instead of Nest's `ID`: the server does not start with a schema that has both. */
export const ID = new GraphQLScalarType<string>({
  ...builtIn,
  parseValue: (value) => normalizeId(builtIn.parseValue(value)),
  parseLiteral: (node, variables) => normalizeId(builtIn.parseLiteral(node, variables)),
});

/** RFC 3339, UTC. */
export const DateTime = GraphQLDateTime;

export const Json = GraphQLJSON;

/** `2026-01-31`. */
export const LocalDate = GraphQLLocalDate;

/** Whole numbers up to 2^53 - 1: a year's tokens do not fit into 32 bits. */
export const SafeInt = GraphQLSafeInt;

/** A field that may be null; the description says what that means. */
export function Nullable(type: ReturnTypeFunc, description: string): PropertyDecorator {
  return Field(type, { nullable: true, description });
}

/** A GraphQL enum of names that stand for themselves, each with its description. */
export function enumType<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
): { readonly [Each in Name]: Each } {
  const names = Object.keys(values) as Name[];
  const type = Object.fromEntries(names.map((each) => [each, each])) as { [Each in Name]: Each };
  registerEnumType(type, {
    name,
    description,
    valuesMap: Object.fromEntries(names.map((each) => [each, { description: values[each] }])) as {
      [Each in Name]: { description: string };
    },
  });
  return type;
}

@InterfaceType({ description: 'Anything that has an id and can be queried by node(id).' })
export abstract class Node {
  @Field(() => ID, { description: 'Unique across the installation.' })
  id!: string;
}
