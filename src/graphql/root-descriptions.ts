import type { GraphQLSchema } from 'graphql';

/** Nest makes the three types that everything begins from by itself, and leaves them without a word. */
export const describeRoots = (schema: GraphQLSchema): GraphQLSchema => {
  const described = [
    [schema.getQueryType(), 'What can be asked for.'],
    [schema.getMutationType(), 'What can be done.'],
    [schema.getSubscriptionType(), 'What can be followed, over a WebSocket or as server-sent events.'],
  ] as const;
  for (const [type, description] of described) if (type) type.description = description;
  return schema;
};
