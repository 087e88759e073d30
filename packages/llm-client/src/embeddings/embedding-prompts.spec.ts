import { promptFor } from './embedding-prompts.js';

it.each([
  ['text-embedding-3-small', '', ''],
  ['bge-m3', '', ''],
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['intfloat/multilingual-e5-base', 'query: ', 'passage: '],
  ['e5-large-v2', 'query: ', 'passage: '],
  [
    'intfloat/multilingual-e5-large-instruct',
    'Instruct: Find what answers the question or is about the same\nQuery: ',
    '',
  ],
  ['Qwen/Qwen3-Embedding-0.6B', 'Instruct: Find what answers the question or is about the same\nQuery: ', ''],
  ['embeddinggemma:300m', 'task: search result | query: ', 'title: none | text: '],
  ['mxbai-embed-large', 'Represent this sentence for searching relevant passages: ', ''],
  ['snowflake-arctic-embed2', 'query: ', ''],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', ''],
  ['snowflake-arctic-embed:335m', 'Represent this sentence for searching relevant passages: ', ''],
])('%s sees %j before a question and %j before what is found', (model, query, item) => {
  expect([promptFor(model, 'query'), promptFor(model, 'item')]).toEqual([query, item]);
});
