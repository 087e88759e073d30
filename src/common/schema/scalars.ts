import { GraphQLID, GraphQLScalarType } from 'graphql';
import { GraphQLDateTime, GraphQLJSON, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';

import { parseId } from '../ids.js';

const builtIn = GraphQLID.toConfig();

/** What can be no id stays as it is: there is nothing of that id, which is for others to say. */
const asWrittenHere = (id: string): string => parseId(id) ?? id;

/**
 * GraphQL's own ID, but that ids come in as they are written here. It stands for Nest's `ID` everywhere: a schema with
 * both is refused when the server starts.
 */
export const ID = new GraphQLScalarType<string>({
  ...builtIn,
  parseValue: (value) => asWrittenHere(builtIn.parseValue(value)),
  parseLiteral: (node, variables) => asWrittenHere(builtIn.parseLiteral(node, variables)),
});

/** RFC 3339, UTC. */
export const DateTime = GraphQLDateTime;

/** Any JSON value. */
export const Json = GraphQLJSON;

/** `2026-01-31`. */
export const LocalDate = GraphQLLocalDate;

/** Whole numbers up to 2^53 - 1: tokens of a year do not fit into 32 bits. */
export const SafeInt = GraphQLSafeInt;
