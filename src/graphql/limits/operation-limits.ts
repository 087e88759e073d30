import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  type DocumentNode,
  getOperationAST,
  coerceInputValue,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
  getNullableType,
  isIntrospectionType,
  isListType,
  type ASTNode,
  type ASTVisitor,
  Kind,
  type ValueNode,
} from 'graphql';
import {
  getComplexity,
  type ComplexityEstimator,
  fieldExtensionsEstimator,
  simpleEstimator,
} from 'graphql-query-complexity';

import { MAX_COST, listCost, QUERY_COST } from '../../common/schema/cost.js';
import { holdsTooManyValues, TOO_MANY_VALUES } from './json-limits.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../../common/schema/page.js';
import { Json } from '../../common/schema/fields.js';
import { repeatedFieldsRule } from './repeated-fields.js';

export const MAX_DEPTH = 15;
export const MAX_ALIASES = 30;
/** The maximum number of fields of an operation, with fragments counted wherever they are used. */
const MAX_FIELDS = 2_000;
export const MAX_TOKENS = 2_000;
/** The number of validation errors that are reported: each costs a search for suggestions. */
export const MAX_MISTAKES = 10;
/** The maximum size of a body without a token. The introspection queries of tools are smaller. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;
export const MAX_BODY_BYTES = 1024 * 1024;
/** The limit of an import, which has years of messages: the maximum of text, with room for JSON escapes. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;
/** The message for a larger body. It names both limits, because an unread body may be an import. */
export const BODY_TOO_LARGE = `A request has at most ${MAX_BODY_BYTES} bytes, and an import over HTTP, by somebody who has signed in, at most ${MAX_IMPORT_BYTES}.`;

/** These rules throw by default, which would make a client's mistake look like a server error. */
const reported = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Validation rules besides GraphQL's own. */
export const operationRules: ValidationRule[] = [
  repeatedFieldsRule,
  maxDepthRule({ n: MAX_DEPTH, flattenFragments: true, ...reported }) as ValidationRule,
  maxAliasesRule({ n: MAX_ALIASES, ...reported }) as ValidationRule,
  jsonLiteralRule,
];

/** Checks variables here, because execution would report fifty errors and quote all values in each. */
export function costError(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null {
  if (holdsTooManyValues(variables)) return badInput(TOO_MANY_VALUES);
  const misfit = misfitOf(schema, query, variables, operationName);
  if (misfit) return badInput(misfit.message, misfit);
  const known = remembered.get(query) ?? new Map<string, GraphQLError | null>();
  remembered.set(query, known);
  const key = JSON.stringify([operationName, ...Object.entries(variables ?? {}).filter(decidesCost)]);
  let error = known.get(key);
  if (error === undefined) {
    error = countCost(schema, query, variables, operationName);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, error);
  }
  return error;
}

/** Cached, because counting takes longer than the rest of a short operation, and documents recur. */
const remembered = new WeakMap<DocumentNode, Map<string, GraphQLError | null>>();
const MAX_REMEMBERED = 100;

/** Numbers may be page sizes, booleans decide @include and @skip, and null differs from a missing argument. */
function decidesCost([, value]: [string, unknown]): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}

function countCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null {
  try {
    const cost = getComplexity({
      schema,
      query,
      variables: variables ?? {},
      ...(operationName ? { operationName } : {}),
      estimators: costEstimators,
      maxQueryNodes: MAX_FIELDS,
    });
    return cost <= MAX_COST ? null : tooCostly(`its cost is ${cost}, and the limit is ${MAX_COST}`, { cost });
  } catch (error) {
    // Nested fragments may show more fields than can be counted in time.
    if (error instanceof GraphQLError) return tooCostly(`it shows more than ${MAX_FIELDS} fields`, {});
    throw error;
  }
}

function tooCostly(why: string, facts: object): GraphQLError {
  return new GraphQLError(
    `The operation may show too much at once: ${why}. Ask for less, or in smaller pages.`,
    {
      extensions: { code: 'BAD_USER_INPUT', limit: MAX_COST, ...facts, http: { status: 400 } },
    },
  );
}

function badInput(message: string, cause?: GraphQLError): GraphQLError {
  return new GraphQLError(message, {
    nodes: cause?.nodes,
    originalError: cause?.originalError,
    extensions: { code: 'BAD_USER_INPUT', ...cause?.extensions, http: { status: 400 } },
  });
}

/** The first error in the variables. Null: none. `getVariableValues` would print the whole value into each error. */
function misfitOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown> | null | undefined,
  operationName: string | null | undefined,
): GraphQLError | null {
  for (const declared of getOperationAST(query, operationName)?.variableDefinitions ?? []) {
    const name = declared.variable.name.value;
    const value = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const type = typeFromAST(schema, declared.type);
    const error = isInputType(type) ? (missing(declared, value, type) ?? unfit(declared, value, type)) : null;
    if (error) return error;
  }
  return null;
}

function missing(
  declared: VariableDefinitionNode,
  value: unknown,
  type: GraphQLInputType,
): GraphQLError | null {
  const isMissing = value === null || (value === undefined && !declared.defaultValue);
  if (!isNonNullType(type) || !isMissing) return null;
  const variable = `Variable "$${declared.variable.name.value}"`;
  const words =
    value === null
      ? `${variable} of non-null type "${type.toString()}" must not be null.`
      : `${variable} of required type "${type.toString()}" was not provided.`;
  return new GraphQLError(words, { nodes: declared });
}

function unfit(
  declared: VariableDefinitionNode,
  value: unknown,
  type: GraphQLInputType,
): GraphQLError | null {
  if (value === undefined) return null;
  try {
    coerceInputValue(value, type, (path, wrong, error) => {
      throw misfit(declared, { path: [declared.variable.name.value, ...path], wrong }, error);
    });
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

const MAX_SHOWN_CHARACTERS = 200;

function misfit(
  nodes: VariableDefinitionNode,
  { path, wrong }: { path: readonly (string | number)[]; wrong: unknown },
  { message, originalError, extensions }: GraphQLError,
): GraphQLError {
  const isShort =
    typeof wrong === 'string' ? wrong.length <= MAX_SHOWN_CHARACTERS : typeof wrong !== 'object';
  const value = isShort ? ` ${JSON.stringify(wrong)}` : '';
  const place = path.length > 1 ? ` at "${path.join('.')}"` : '';
  return new GraphQLError(`Variable "$${path[0]}" got invalid value${value}${place}; ${message}`, {
    nodes,
    originalError,
    extensions,
  });
}

/** The assumed length of a list. Lists that are often longer or shorter have a `complexity` of their own. */
export const USUAL_LENGTH = 10;

/** A page costs the cost of an item times the number of items. */
const pageEstimator: ComplexityEstimator = ({ args, childComplexity, field }) => {
  if (!field.args.some(({ name }) => name === 'first')) return undefined;
  const asked: unknown = args.first ?? args.last ?? DEFAULT_PAGE;
  const size = typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_PAGE) : MAX_PAGE;
  return QUERY_COST + size * childComplexity;
};

const usual = listCost(USUAL_LENGTH);

const listEstimator: ComplexityEstimator = ({ field, childComplexity }) =>
  isListType(getNullableType(field.type)) ? usual({ childComplexity }) : undefined;

/** Chosen generously: some types have many times the fields of others, and an attacker asks for those. */
export const introspectionLengths: Record<string, number> = {
  '__Schema.types': 300,
  '__Schema.directives': 8,
  '__Schema.queryType': 6,
  '__Schema.mutationType': 9,
  '__Schema.subscriptionType': 6,
  'Query.__type': 6,
  '__Type.fields': 8,
  '__Type.inputFields': 3,
  '__Type.interfaces': 3,
  '__Type.possibleTypes': 3,
  '__Type.enumValues': 3,
  '__Field.args': 2,
  '__Directive.args': 2,
};

const introspectionEstimator: ComplexityEstimator = ({ type, field, childComplexity }) => {
  if (!isIntrospectionType(type) && field.name !== '__type') return undefined;
  const length = introspectionLengths[`${type.name}.${field.name}`] ?? 1;
  return 1 + length * childComplexity;
};

/** The cost of a field, by the first estimator that knows it. */
const costEstimators: ComplexityEstimator[] = [
  pageEstimator,
  fieldExtensionsEstimator(),
  introspectionEstimator,
  listEstimator,
  simpleEstimator({ defaultComplexity: 1 }),
];

type Place = readonly (string | number)[];
type Visited = ASTNode | readonly ASTNode[];

/** As in `{ sector: AGRI }`: the JSON scalar would silently drop them. */
export function jsonLiteralRule(context: ValidationContext): ASTVisitor {
  const check = (
    node: ValueNode,
    _key: unknown,
    parent: Visited | undefined,
    keys: Place,
    ancestors: readonly Visited[],
  ): false | undefined => {
    if (getNullableType(context.getInputType())?.toString() !== Json.name) return undefined;
    reportWords(context, node, placeOf(keys, parent ? [...ancestors, parent] : ancestors));
    // The visitor has looked through the whole value.
    return false;
  };
  // GraphQL's own rules report a value that is just a word.
  return { ObjectValue: check, ListValue: check };
}

function reportWords(context: ValidationContext, node: ValueNode, place: Place): void {
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
}

/** The path of a value, from the field's argument or the variable down. */
function placeOf(keys: Place, ancestors: readonly Visited[]): Place {
  return ancestors.flatMap((ancestor, depth) => {
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
}
