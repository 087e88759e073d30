import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';

/** RFC 3339, UTC. */
export const DateTime = GraphQLDateTime;

/** Any JSON value. */
export const Json = GraphQLJSON;
