import { GraphQLID, GraphQLScalarType } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';

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
