import {
  type ASTNode,
  type ConstDirectiveNode,
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';

import { mapWithConcurrency } from '@palabre/async';
import type { Introspection } from '../common/config/config.js';
import { badInput } from '../common/errors/domain-error.js';
import type { GraphQLContext } from '../companies/auth/graphql-context.js';
import type { NodeFinders } from '../companies/auth/node-finders.js';
import { requireSchema } from './introspection.js';
import { isForAdmins, requireScope } from './operation-scopes.js';

/** As many as a page has at most. */
export const MAX_ENTITIES = 100;

/** Each is read by itself: so an operation may ask for a few hundred, however many fields it asks for them in. */
const ENTITY_COST = 1_000;

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@shareable", "@tag"])';

/**
 * What a router requires of a subgraph:
 * https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec
 */
const SUBGRAPH = `
  "Identifies an entity: its __typename and its id."
  scalar _Any
  "This schema, for composition."
  type _Service {
    "The SDL, with the directives of Federation."
    sdl: String!
  }
  extend type Query {
    "For routers: this schema."
    _service: _Service!
    "For routers: Nodes by id. Null for those that the viewer may not see."
    _entities(
      "At most ${MAX_ENTITIES}."
      representations: [_Any!]!
    ): [_Entity]!
  }`;

/**
 * The schema as a subgraph of Apollo Federation 2. Every Node is an entity by its id, so other subgraphs can refer to it;
 * operations for admins are tagged `admin`, so that a contract can leave them out.
 */
export function withFederation(
  schema: GraphQLSchema,
  nodes: NodeFinders,
  shownTo: Introspection,
): GraphQLSchema {
  const entities = Object.values(schema.getTypeMap()).filter(isEntity);
  const sdl = `${LINK}\n\n${subgraphText(schema)}`;
  const union = `"A Node." union _Entity = ${entities.map(({ name }) => name).join(' | ')}`;
  const extended = extendSchema(schema, parse(`${SUBGRAPH}\n${union}`), { assumeValidSDL: true });
  const { _service: service, _entities: found } = extended.getQueryType()?.getFields() ?? {};
  if (!service || !found) throw new Error('The schema has no queries.');
  service.resolve = (_source, _arguments, context: GraphQLContext) => {
    requireScope(context.loaders.viewer, 'Query', '_service');
    requireSchema(shownTo, context.loaders.viewer);
    return { sdl };
  };
  found.resolve = (_source, given: { representations: unknown[] }, context: GraphQLContext) =>
    findEntities(nodes, given.representations, context);
  found.extensions = {
    complexity: ({
      args,
      childComplexity,
    }: {
      args: { representations?: unknown };
      childComplexity: number;
    }) =>
      1 +
      (childComplexity + ENTITY_COST) *
        (Array.isArray(args.representations) ? args.representations.length : MAX_ENTITIES),
  };
  return extended;
}

function isEntity(type: unknown): type is GraphQLObjectType {
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node');
}

async function findEntities(
  nodes: NodeFinders,
  representations: readonly unknown[],
  context: GraphQLContext,
): Promise<(object | null)[]> {
  const viewer = context.loaders.viewer;
  requireScope(viewer, 'Query', '_entities');
  if (representations.length > MAX_ENTITIES)
    throw badInput(['representations'], `At most ${MAX_ENTITIES} entities are found at a time.`);
  // Not all at once: hundreds of statements would keep others from the database.
  return mapWithConcurrency(representations, async (wanted) => {
    const { __typename: typename, id } = wanted as { __typename?: unknown; id?: unknown };
    const found = typeof id === 'string' ? await nodes.findOf(typename, viewer, id) : null;
    return found && '__typename' in found && found.__typename === typename ? found : null;
  });
}

/** The text of the schema with keys, shared types and tags. */
function subgraphText(schema: GraphQLSchema): string {
  const document = parse(printSchema(schema));
  return print(
    visit(document, {
      ObjectTypeDefinition: (type) => {
        if (type.interfaces?.some(({ name }) => name.value === 'Node'))
          return withDirective(type, 'key', { fields: 'id' });
        if (type.name.value === 'PageInfo') return withDirective(type, 'shareable', {});
        if (type.name.value !== 'Query' && type.name.value !== 'Mutation') return undefined;
        const fields = type.fields?.map((field) =>
          isForAdmins(type.name.value, field.name.value)
            ? withDirective(field, 'tag', { name: 'admin' })
            : field,
        );
        return { ...type, fields };
      },
    }),
  );
}

function withDirective<
  Definition extends ASTNode & { directives?: readonly ConstDirectiveNode[] | undefined },
>(definition: Definition, name: string, values: Readonly<Record<string, string>>): Definition {
  const directive: ConstDirectiveNode = {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: Object.entries(values).map(([argument, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: argument },
      value: { kind: Kind.STRING, value },
    })),
  };
  return { ...definition, directives: [...(definition.directives ?? []), directive] };
}
