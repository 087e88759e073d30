import { fairThread } from '@palabre/async';
import { z } from 'zod';
import { parametersOf, readInput } from '@palabre/plugin';
import { OutboundError, OutboundHttp } from '@palabre/outbound';
import { singleLine } from '@palabre/text';
import { type JsonObject, type JsonValue, parseJson } from '@palabre/json';

import { Config } from '../../../common/config/config.js';
import { counted, fill, type Wording, wordingIn } from '../../../common/wording/wording.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { readsForeign, type Skill, type SkillContext, SkillError } from '../../skill.js';

const MAX_QUERY_CHARACTERS = 400;
const MAX_RESULTS = 10;
const DEFAULT_RESULTS = 5;
const MAX_BYTES = 2_000_000;
const SITES_IN_SUMMARY = 3;
const MAX_READING_WAIT_MS = 1_000;

const Input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(MAX_QUERY_CHARACTERS)
    .describe('Key words, as typed into a search engine. Never personal data.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .optional()
    .describe('BCP 47, of the pages looked for; the conversation’s if left out.'),
  limit: z.int().min(1).max(MAX_RESULTS).optional().describe(`${DEFAULT_RESULTS} if left out.`),
});

const Found = z.object({ results: z.array(z.object({ url: z.string() })) });

/** The pages' own addresses. Addresses inside snippets do not count, as anybody may have written them. */
function foundAddresses(result: JsonValue): string[] {
  const { success, data } = Found.safeParse(result);
  return success ? data.results.map(({ url }) => url) : [];
}

/** Finds pages by the operator's own SearXNG, which asks many search engines without revealing the user. */
@FunctionSkill()
export class SearchWebSkill implements Skill {
  readonly key = 'search_web';
  readonly name = wordingIn('en').skillNames.search_web;
  readonly description =
    'Searches the web and gives titles, addresses and snippets. Use it for what is recent, local or not known for sure; ' +
    'read the best pages with read_webpage before relying on them, and name their addresses.';
  readonly parameters = parametersOf(Input);
  readonly idempotent = true;
  readonly timeoutMs = 15_000;
  readonly effect = { ...readsForeign, addressesIn: foundAddresses };

  constructor(
    private readonly config: Config,
    private readonly outbound: OutboundHttp,
  ) {}

  unavailableReason(language: string): string | null {
    return this.config.search.url === null ? wordingIn(language).skillUnavailable.noSearchService : null;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const { query, limit = DEFAULT_RESULTS, language = context.language } = readInput(Input, input);
    const wording = wordingIn(context.language).webSkills;
    const json = await this.ask(searchAddress(this.config.search.url ?? '', query, language), context);
    const read = (): SearchAnswer | null => readAnswer(json, limit);
    const waiting = { signal: context.signal, maxWaitMs: MAX_READING_WAIT_MS };
    const found = await fairThread.inTurn(context.companyId, json.length, read, waiting);
    if (found === null) throw new SkillError(fill(wording.searchFailed, { detail: wording.noJson }));
    const { pages, answers, silent } = found;
    if (pages.length + answers.length === 0 && silent.length > 0) {
      throw new SkillError(
        fill(wording.searchFailed, { detail: fill(wording.noEngines, { engines: silent.join(', ') }) }),
      );
    }
    return {
      summary: summaryOf(query, found, wording),
      ...(answers.length > 0 && { answers: answers.map((answer) => ({ ...answer })) }),
      results: pages.map((page) => ({ ...page })),
    };
  }

  private async ask(url: string, context: SkillContext): Promise<string> {
    const wording = wordingIn(context.language).webSkills;
    try {
      const { status, body } = await this.outbound.request({
        url,
        headers: { accept: 'application/json' },
        requester: context.companyId,
        timeoutMs: this.timeoutMs,
        maxBytes: MAX_BYTES,
        isOperators: true,
        signal: context.signal,
      });
      if (status === 200) return body.toString();
      throw new SkillError(
        fill(wording.searchFailed, { detail: fill(wording.failures.STATUS, { detail: status }) }),
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new SkillError(fill(wording.searchFailed, { detail: wording.failures[error.code] }), {
        cause: error,
      });
    }
  }
}

function summaryOf(query: string, { pages, answers }: SearchAnswer, wording: Wording['webSkills']): string {
  const sites = [...new Set(pages.map(({ url }) => new URL(url).hostname))];
  if (pages.length > 0)
    return counted(wording.found, pages.length, {
      query,
      sites: sites.slice(0, SITES_IN_SUMMARY).join(', '),
    });
  const [answer] = answers;
  return answer
    ? fill(wording.answered, { query, text: answer.text })
    : fill(wording.nothingFound, { query });
}

const MAX_TITLE_CHARACTERS = 200;
const MAX_SNIPPET_CHARACTERS = 400;
const MAX_ANSWER_CHARACTERS = 1_000;
const MAX_ANSWERS = 3;
const MAX_SILENT = 10;
const MAX_REASON_CHARACTERS = 80;

/** A list without its invalid elements. */
function fitting<Item extends z.ZodType>(item: Item) {
  const fits = z.array(z.unknown()).transform((items) =>
    items.flatMap((one) => {
      const { success, data } = item.safeParse(one);
      return success ? [data] : [];
    }),
  );
  return fits.catch([]);
}

/** One result for the model. */
const FoundPage = z
  .object({
    title: z.string().nullish(),
    url: z.string().refine((url) => keyOf(url) !== null),
    content: z.string().nullish(),
    publishedDate: z.string().nullish(),
    engine: z.string().nullish(),
  })
  .transform(({ title, url, content, publishedDate, engine }) => ({
    title: singleLine(title ?? '', MAX_TITLE_CHARACTERS),
    url,
    snippet: singleLine(content ?? '', MAX_SNIPPET_CHARACTERS),
    published: publishedDate ?? null,
    engine: engine ?? null,
  }));
type FoundPage = z.output<typeof FoundPage>;

/** An engine's direct answer, such as an exchange rate. Older versions of SearXNG send text. */
const EngineAnswer = z
  .union([
    z.string().transform((answer) => ({ answer, url: null })),
    z.object({ answer: z.string(), url: z.string().nullish().catch(null) }),
  ])
  .transform(({ answer, url }) => ({ text: singleLine(answer, MAX_ANSWER_CHARACTERS), url: url ?? null }));

/** An encyclopedia's information box. */
const Infobox = z
  .object({
    infobox: z.string(),
    content: z.string().catch(''),
    id: z.string().nullable().catch(null),
    attributes: fitting(z.object({ label: z.string(), value: z.string() })),
  })
  .transform(({ infobox, content, id, attributes }) => {
    const facts = attributes.map(({ label, value }) => `${label}: ${value}`);
    const said = [content, ...facts].filter((part) => part.trim() !== '').join('; ');
    return {
      text: said === '' ? '' : singleLine(`${infobox}: ${said}`, MAX_ANSWER_CHARACTERS),
      url: id !== null && keyOf(id) !== null ? id : null,
    };
  });

const Answer = z.object({
  results: z.array(z.unknown()),
  answers: fitting(EngineAnswer),
  infoboxes: fitting(Infobox),
  unresponsive_engines: fitting(z.tuple([z.string(), z.string()])),
});

interface SearchAnswer {
  pages: FoundPage[];
  answers: z.output<typeof EngineAnswer>[];
  /** The engines without results, with reasons such as `google (Suspended: CAPTCHA)`. */
  silent: string[];
}

/** The address of a SearXNG query. */
export function searchAddress(baseUrl: string, query: string, language: string): string {
  return `${baseUrl}/search?${new URLSearchParams({ q: query, format: 'json', language: localeOf(language) })}`;
}

/** For Chinese, SearXNG has zh-CN and zh-TW only. */
function localeOf(language: string): string {
  const [primary = '', ...rest] = language.split('-');
  if (primary.toLowerCase() !== 'zh') return language;
  return rest.some((part) => /^(hans|cn|sg)$/i.test(part)) ? 'zh-CN' : 'zh-TW';
}

/** An answer's first `limit` distinct pages. Null: not an answer of SearXNG. */
export function readAnswer(json: string, limit: number): SearchAnswer | null {
  const answer = Answer.safeParse(parseJson(json));
  if (!answer.success) return null;
  const { results, answers, infoboxes, unresponsive_engines: unresponsive } = answer.data;
  return {
    pages: pagesOf(results, limit),
    answers: [...answers, ...infoboxes].filter(({ text }) => text !== '').slice(0, MAX_ANSWERS),
    silent: unresponsive
      .slice(0, MAX_SILENT)
      .map(([engine, reason]) => singleLine(`${engine} (${reason})`, MAX_REASON_CHARACTERS)),
  };
}

/** The first distinct pages. */
function pagesOf(results: readonly unknown[], limit: number): FoundPage[] {
  const pages = new Map<string, FoundPage>();
  for (const result of results) {
    const { data: page } = FoundPage.safeParse(result);
    const key = page && keyOf(page.url);
    if (page && key && !pages.has(key)) pages.set(key, page);
    if (pages.size === limit) break;
  }
  return [...pages.values()];
}

/** Equal for addresses that differ in www, tracking parameters or their order. Null: not a web address. */
function keyOf(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  const tracks = [...url.searchParams.keys()].filter((name) => /^(utm_\w+|fbclid|gclid)$/i.test(name));
  for (const name of tracks) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^www\./, '');
  return `${host}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}
