import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
  type ASTVisitor,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import { MAX_MISTAKES, MAX_TOKENS, operationRules } from './limits/operation-limits.js';

const MAX_DOCUMENTS = 500;
/** A parsed document takes 40 bytes per character as clients write it, and 300 in the worst case. */
const MAX_CHARACTERS = 200_000;
const MAX_CHARACTERS_OF_ONE = 20_000;

const rules = [...specifiedRules, ...operationRules];

/** Clients send the same few documents again and again; validating one takes longer than beginning to execute it. */
export class ParsedDocuments {
  private readonly valid = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_CHARACTERS_OF_ONE,
    // An entry must not have the size 0.
    sizeCalculation: (_document, text) => text.length + 1,
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** The document of `text`, or its errors. Throws a GraphQLError for a syntax error. */
  get(text: string): DocumentNode | readonly GraphQLError[] {
    const known = this.valid.get(text);
    if (known) return known;
    const document = parse(text, { maxTokens: MAX_TOKENS });
    for (const checks of [[unconditionalEventsRule], rules]) {
      const errors = validate(this.schema, document, checks, { maxErrors: MAX_MISTAKES });
      if (errors.length > 0) return errors;
    }
    this.valid.set(text, document);
    return document;
  }

  get size(): number {
    return this.valid.size;
  }
}

const CONDITIONS = new Set(['include', 'skip']);

/** As in newer editions of GraphQL's specification: graphql-js would subscribe to a missing field. */
function unconditionalEventsRule(context: ValidationContext): ASTVisitor {
  const check = ({ selections }: SelectionSetNode, seen: ReadonlySet<string>): void => {
    for (const selection of selections) {
      const condition = selection.directives?.find(({ name }) => CONDITIONS.has(name.value));
      if (condition) {
        const message = `A subscription takes no @${condition.name.value} on its field: leave out the operation instead.`;
        context.reportError(new GraphQLError(message, { nodes: condition }));
      }
      if (selection.kind === 'InlineFragment') check(selection.selectionSet, seen);
      if (selection.kind !== 'FragmentSpread' || seen.has(selection.name.value)) continue;
      const fragment = context.getFragment(selection.name.value);
      if (fragment) check(fragment.selectionSet, new Set([...seen, selection.name.value]));
    }
  };
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation === 'subscription') check(selectionSet, new Set());
      return false;
    },
  };
}
