import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import { operationRules, MAX_TOKENS } from './limits/operation-limits.js';
import { unconditionalEventsRule } from './unconditional-events.js';

const MAX_DOCUMENTS = 500;
/** A parsed document takes 40 bytes a character as clients write it, and 300 when somebody does their worst. */
const MAX_CHARACTERS = 200_000;
const MAX_CHARACTERS_OF_ONE = 20_000;

const rules = [...specifiedRules, ...operationRules];

/**
 * The documents that clients sent last, parsed and found valid. Clients send the same few again and again, and to
 * look at one anew takes longer than to begin its execution.
 */
export class ParsedDocuments {
  private readonly valid = new LRUCache<string, DocumentNode>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_CHARACTERS_OF_ONE,
    // No entry may be of size 0.
    sizeCalculation: (_document, text) => text.length + 1,
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** The document of `text`, or what is wrong with it. Throws a GraphQLError when it is no GraphQL at all. */
  get(text: string): DocumentNode | readonly GraphQLError[] {
    const known = this.valid.get(text);
    if (known) return known;
    const document = parse(text, { maxTokens: MAX_TOKENS });
    for (const checks of [[unconditionalEventsRule], rules]) {
      const errors = validate(this.schema, document, checks);
      if (errors.length > 0) return errors;
    }
    this.valid.set(text, document);
    return document;
  }

  /** How many are kept. */
  get size(): number {
    return this.valid.size;
  }
}
