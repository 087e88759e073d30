import { z } from 'zod';

const MAX_TITLE_CHARACTERS = 200;
const MAX_SNIPPET_CHARACTERS = 400;
const MAX_ANSWER_CHARACTERS = 1_000;
const MOST_ANSWERS = 3;
const MOST_SILENT = 10;
const MAX_REASON_CHARACTERS = 80;

/** One result, as the model is told. */
export interface FoundPage {
  title: string;
  url: string;
  snippet: string;
  published: string | null;
  engine: string | null;
}

/** What an engine answers itself, such as an exchange rate, or what an encyclopedia says in its box. */
export interface FoundAnswer {
  text: string;
  url: string | null;
}

/** What a SearXNG answers. */
export interface SearchAnswer {
  pages: FoundPage[];
  answers: FoundAnswer[];
  /** The engines that gave nothing, and why, as `google (Suspended: CAPTCHA)`. */
  silent: string[];
}

const Result = z.object({
  title: z.string().nullish(),
  url: z.string(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
  engine: z.string().nullish(),
});

const Answer = z.object({
  results: z.array(z.unknown()),
  answers: z.array(z.unknown()).catch([]),
  infoboxes: z.array(z.unknown()).catch([]),
  unresponsive_engines: z.array(z.unknown()).catch([]),
});

/** Those of older versions are texts. */
const EngineAnswer = z.union([
  z.string().transform((answer) => ({ answer, url: null })),
  z.object({ answer: z.string(), url: z.string().nullish().catch(null) }),
]);

const Infobox = z.object({
  infobox: z.string(),
  content: z.string().nullish().catch(null),
  id: z.string().nullish().catch(null),
  attributes: z.array(z.unknown()).catch([]),
});

const Attribute = z.object({ label: z.string(), value: z.string() });

const SilentEngine = z.tuple([z.string(), z.string()]);

/** The address that asks a SearXNG. */
export const searchAddress = (baseUrl: string, query: string, language: string): string =>
  `${baseUrl}/search?${new URLSearchParams({ q: query, format: 'json', language: localeOf(language) })}`;

/** SearXNG knows written Chinese by the places where it is written. */
const localeOf = (language: string): string => {
  const [primary = '', ...rest] = language.split('-');
  if (primary.toLowerCase() !== 'zh') return language;
  return rest.some((part) => /^(hans|cn|sg)$/i.test(part)) ? 'zh-CN' : 'zh-TW';
};

/** An answer with its first `limit` different pages; null when it is no answer of a SearXNG. */
export const readAnswer = (json: string, limit: number): SearchAnswer | null => {
  const answer = Answer.safeParse(parsed(json));
  if (!answer.success) return null;
  const { results, answers, infoboxes, unresponsive_engines: unresponsive } = answer.data;
  const found = [...answers.flatMap(engineAnswerOf), ...infoboxes.flatMap(infoboxOf)];
  return {
    pages: pagesOf(results, limit),
    answers: found.filter(({ text }) => text !== '').slice(0, MOST_ANSWERS),
    silent: unresponsive.flatMap(silentOf).slice(0, MOST_SILENT),
  };
};

const engineAnswerOf = (item: unknown): FoundAnswer[] => {
  const { success, data } = EngineAnswer.safeParse(item);
  return success ? [{ text: shorten(data.answer, MAX_ANSWER_CHARACTERS), url: data.url ?? null }] : [];
};

const infoboxOf = (item: unknown): FoundAnswer[] => {
  const { success, data } = Infobox.safeParse(item);
  if (!success) return [];
  const facts = data.attributes.flatMap((attribute) => {
    const fact = Attribute.safeParse(attribute);
    return fact.success ? `${fact.data.label}: ${fact.data.value}` : [];
  });
  const said = [data.content ?? '', ...facts].filter((part) => part.trim() !== '');
  if (said.length === 0) return [];
  const url = data.id != null && keyOf(data.id) !== null ? data.id : null;
  return [{ text: shorten(`${data.infobox}: ${said.join('; ')}`, MAX_ANSWER_CHARACTERS), url }];
};

const silentOf = (item: unknown): string[] => {
  const { success, data } = SilentEngine.safeParse(item);
  return success ? [shorten(`${data[0]} (${data[1]})`, MAX_REASON_CHARACTERS)] : [];
};

const pagesOf = (results: readonly unknown[], limit: number): FoundPage[] => {
  const pages = new Map<string, FoundPage>();
  for (const item of results) {
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
