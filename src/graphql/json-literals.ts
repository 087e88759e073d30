import {
  type ASTNode,
  type ASTVisitor,
  getNullableType,
  GraphQLError,
  Kind,
  type ValidationContext,
  type ValueNode,
} from 'graphql';

import { Json } from '../common/schema/scalars.js';

type Place = readonly (string | number)[];
type Visited = ASTNode | readonly ASTNode[];

/**
 * Refuses words without quotes inside JSON that an operation holds itself, as in `{ sector: AGRI }`: the scalar would
 * leave them out, and nobody be told.
 */
export const jsonLiteralRule = (context: ValidationContext): ASTVisitor => {
  const check = (
    node: ValueNode,
    _key: unknown,
    parent: Visited | undefined,
    keys: Place,
    ancestors: readonly Visited[],
  ): false | undefined => {
    if (getNullableType(context.getInputType())?.toString() !== Json.name) return undefined;
    reportWords(context, node, placeOf(keys, parent ? [...ancestors, parent] : ancestors));
    // All of it has been looked through.
    return false;
  };
  // A value that is a word and nothing else is told by GraphQL's own rules.
  return { ObjectValue: check, ListValue: check };
};

const reportWords = (context: ValidationContext, node: ValueNode, place: Place): void => {
  if (node.kind === Kind.OBJECT) {
    for (const { name, value } of node.fields) reportWords(context, value, [...place, name.value]);
  } else if (node.kind === Kind.LIST) {
    for (const [index, value] of node.values.entries()) reportWords(context, value, [...place, index]);
  } else if (node.kind === Kind.ENUM) {
    const path = place.map(String);
    const message = `The word ${node.value} is no JSON: text needs quotes, as in "${node.value}".`;
    const extensions = { code: 'BAD_USER_INPUT', path, argument: path.join('.') };
    context.reportError(new GraphQLError(message, { nodes: node, extensions }));
  }
};

/** Where a value stands, from the field's argument or the variable down. */
const placeOf = (keys: Place, ancestors: readonly Visited[]): Place =>
  ancestors.flatMap((ancestor, depth) => {
    if (!('kind' in ancestor)) {
      const owner = ancestors[depth - 1];
      const isList = owner !== undefined && 'kind' in owner && owner.kind === Kind.LIST;
      return isList ? [keys[depth] ?? ''] : [];
    }
    if (ancestor.kind === Kind.VARIABLE_DEFINITION) return [`$${ancestor.variable.name.value}`];
    return ancestor.kind === Kind.ARGUMENT || ancestor.kind === Kind.OBJECT_FIELD
      ? [ancestor.name.value]
      : [];
  });
