import { z } from 'zod';

import type { Passage } from './quoting.js';

export interface Called {
  tool: string;
  /** The search text. Null: the call was not a search. */
  query: string | null;
  /** The sentence for people. Null: none. */
  summary: string | null;
  error: string | null;
  contents: string[];
  facts: string[];
  /** Words of the query that no result has, as reported by the tool. */
  missing: string[];
  passages: Passage[];
}

const text = z.string().trim().min(1);
const Arguments = z.object({ query: text });
const Result = z.looseObject({
  summary: text.nullish().catch(null),
  error: z
    .union([text, z.object({ message: text }).transform(({ message }) => message)])
    .nullish()
    .catch(null),
  missing: z.array(text).catch([]),
});
const Item = z.looseObject({
  text: text.optional(),
  content: text.optional(),
  marker: z.number().int().optional(),
  document: z.string().optional(),
});

/** Parses a call and its result, which may be enclosed in tags. */
export function calledAs(tool: string, argumentsText: string, resultText: string): Called {
  const result = Result.safeParse(jsonIn(resultText)).data ?? { missing: [] };
  const lists = Object.values(result).filter((value) => Array.isArray(value));
  const items = [result, ...lists.flat()].flatMap((item) => {
    const { data } = Item.safeParse(item);
    return data ? [data] : [];
  });
  return {
    tool,
    query: Arguments.safeParse(jsonIn(argumentsText)).data?.query ?? null,
    summary: result.summary ?? null,
    error: result.error ?? null,
    facts: factsIn(result),
    missing: result.missing,
    contents: items.flatMap(({ content }) => content ?? []),
    passages: items.flatMap(({ text: said, content, marker, document }): Passage[] => {
      const words = said ?? content;
      return words === undefined ? [] : [{ text: words, marker: marker ?? null, source: document ?? '' }];
    }),
  };
}

const MAX_FACT_CHARACTERS = 200;

function factsIn(value: object): string[] {
  return Object.entries(value).flatMap(([name, fact]: [string, unknown]): string[] => {
    const text = Array.isArray(fact) ? fact.filter((each) => typeof each !== 'object').join(', ') : fact;
    if (typeof text === 'object' && text !== null) return factsIn(text);
    const isSaid = text !== null && text !== '' && String(text).length <= MAX_FACT_CHARACTERS;
    return isSaid ? [`${name}: ${String(text)}`] : [];
  });
}

function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
