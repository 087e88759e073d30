import { z } from 'zod';

const MAX_TITLE_CHARACTERS = 200;
const MAX_SNIPPET_CHARACTERS = 400;

/** One result, as the model is told. */
export interface FoundPage {
  title: string;
  url: string;
  snippet: string;
  published: string | null;
  engine: string | null;
}

const Result = z.object({
  title: z.string().nullish(),
  url: z.string(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
  engine: z.string().nullish(),
});

const Answer = z.object({ results: z.array(z.unknown()) });

/** The address that asks a SearXNG. */
export const searchAddress = (baseUrl: string, query: string, language: string): string =>
  `${baseUrl}/search?${new URLSearchParams({ q: query, format: 'json', language: localeOf(language) })}`;

/** SearXNG knows written Chinese by the places where it is written. */
const localeOf = (language: string): string => {
  const [primary = '', ...rest] = language.split('-');
  if (primary.toLowerCase() !== 'zh') return language;
  return rest.some((part) => /^(hans|cn|sg)$/i.test(part)) ? 'zh-CN' : 'zh-TW';
};

/** The first `limit` different pages of an answer; null when it is no answer of a SearXNG. */
export const readResults = (json: string, limit: number): FoundPage[] | null => {
  const answer = Answer.safeParse(parsed(json));
  if (!answer.success) return null;
  const pages = new Map<string, FoundPage>();
  for (const item of answer.data.results) {
    const page = pageOf(item);
    const key = page && keyOf(page.url);
    if (page && key && !pages.has(key)) pages.set(key, page);
    if (pages.size === limit) break;
  }
  return [...pages.values()];
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};

const pageOf = (item: unknown): FoundPage | null => {
  const result = Result.safeParse(item);
  if (!result.success || keyOf(result.data.url) === null) return null;
  const { title, url, content, publishedDate, engine } = result.data;
  return {
    title: shorten(title ?? '', MAX_TITLE_CHARACTERS),
    url,
    snippet: shorten(content ?? '', MAX_SNIPPET_CHARACTERS),
    published: publishedDate ?? null,
    engine: engine ?? null,
  };
};

const shorten = (text: string, max: number): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
};

/** What an address and its variants have in common; null for what is no web address. */
const keyOf = (text: string): string | null => {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  const tracks = [...url.searchParams.keys()].filter((name) => /^(utm_\w+|fbclid|gclid)$/i.test(name));
  for (const name of tracks) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^www\./, '');
  return `${host}${url.pathname.replace(/\/+$/, '')}${url.search}`;
};
