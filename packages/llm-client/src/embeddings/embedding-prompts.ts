import type { EmbeddingUse } from '../embedder.js';

type Prompts = Record<EmbeddingUse, string>;

function asked(query: string, item = ''): Prompts {
  return { query, item };
}

/**
 * Prefixes that families of open models were trained with, according to their model cards. Without them they find
 * less. OpenAI's, Mistral's and Google's models and bge-m3 need none.
 */
const families: readonly (readonly [name: RegExp, prompts: Prompts])[] = [
  [/nomic-embed-text/, asked('search_query: ', 'search_document: ')],
  [
    /(^|[/_-])multilingual-e5-[a-z]+-instruct/,
    asked('Instruct: Find what answers the question or is about the same\nQuery: '),
  ],
  [/(^|[/_-])e5-(small|base|large)/, asked('query: ', 'passage: ')],
  [/qwen3-embedding/, asked('Instruct: Find what answers the question or is about the same\nQuery: ')],
  [/embedding-?gemma/, asked('task: search result | query: ', 'title: none | text: ')],
  [/snowflake-arctic-embed(2|-[a-z]+-v2)/, asked('query: ')],
  [
    /mxbai-embed|snowflake-arctic-embed|bge-(small|base|large)-en/,
    asked('Represent this sentence for searching relevant passages: '),
  ],
];

const none = asked('');

/** The prefix of a text for a model, by its name. */
export function promptFor(model: string, use: EmbeddingUse): string {
  const name = model.toLowerCase();
  const [, prompts] = families.find(([family]) => family.test(name)) ?? [null, none];
  return prompts[use];
}
