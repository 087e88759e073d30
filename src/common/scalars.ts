import { GraphQLDateTime, GraphQLJSON, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';

/** RFC 3339, UTC. */
export const DateTime = GraphQLDateTime;

/** Any JSON value. */
export const Json = GraphQLJSON;

/** `2026-01-31`. */
export const LocalDate = GraphQLLocalDate;

/** Whole numbers up to 2^53 - 1: tokens of a year do not fit into 32 bits. */
export const SafeInt = GraphQLSafeInt;
