import { z } from 'zod';

import type { JsonObject, JsonValue } from '../../../common/json.js';
import { Config } from '../../../config/config.js';
import { OutboundError, OutboundHttp } from '../../../outbound/outbound-http.js';
import { FunctionSkill } from '../../function-skill.decorator.js';
import { type Skill, type SkillContext, SkillError } from '../../skill.js';
import { readAnswer, searchAddress, type SearchAnswer } from './searxng.js';
import { type WebWording, webWordingOf } from './web-wording.js';

const MAX_QUERY_CHARACTERS = 400;
const MOST_RESULTS = 10;
const USUAL_RESULTS = 5;
const MAX_BYTES = 2_000_000;
const SITES_IN_SUMMARY = 3;

const Input = z.strictObject({
  query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .optional(),
  limit: z.int().min(1).max(MOST_RESULTS).default(USUAL_RESULTS),
});

/** Looks for pages by the operator's own SearXNG, which asks many search engines and tells none who is asking. */
@FunctionSkill()
export class SearchWebSkill implements Skill {
  readonly key = 'search_web';
  readonly name = 'Web search';
  readonly description =
    'Searches the web and gives titles, addresses and snippets of pages (recherche sur le web, buscar en internet, ' +
    '網路搜尋). Use it for what is recent, local or not known for sure; then read the best pages with read_webpage ' +
    'before relying on them, and name their addresses. Do not use it for facts that are in the prompt.';
  readonly parameters: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_QUERY_CHARACTERS,
        description: 'Key words, as typed into a search engine. Never personal data.',
      },
      language: {
        type: 'string',
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        description: 'BCP 47, of the pages looked for; the conversation’s if left out.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_RESULTS,
        description: `${USUAL_RESULTS} if left out.`,
      },
    },
  };
  readonly idempotent = true;
  readonly timeoutMs = 15_000;

  constructor(
    private readonly config: Config,
    private readonly outbound: OutboundHttp,
  ) {}

  unavailableReason(): string | null {
    return this.config.search.url === null ? 'No search service is set up: SEARCH_URL is not set.' : null;
  }

  async run(input: JsonObject, context: SkillContext): Promise<JsonValue> {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const { query, limit, language = context.language } = parsed.data;
    const wording = webWordingOf(context.language);
    const json = await this.ask(searchAddress(this.config.search.url ?? '', query, language), context);
    const found = readAnswer(json, limit);
    if (found === null) {
      throw new SkillError(wording.searchFailed('SEARCH_URL gives no JSON; see search.formats of SearXNG.'));
    }
    const { pages, answers, silent } = found;
    if (pages.length + answers.length === 0 && silent.length > 0) {
      throw new SkillError(wording.searchFailed(wording.noEngines(silent.join(', '))));
    }
    return {
      summary: summaryOf(query, found, wording),
      ...(answers.length > 0 && { answers: answers.map((answer) => ({ ...answer })) }),
      results: pages.map((page) => ({ ...page })),
    };
  }

  private async ask(url: string, context: SkillContext): Promise<string> {
    const wording = webWordingOf(context.language);
    try {
      const { status, body } = await this.outbound.request({
        url,
        headers: { accept: 'application/json' },
        timeoutMs: this.timeoutMs,
        maxBytes: MAX_BYTES,
        isOperators: true,
        signal: context.signal,
      });
      if (status === 200) return body.toString();
      throw new SkillError(wording.searchFailed(wording.failures.STATUS(String(status))));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new SkillError(wording.searchFailed(wording.failures[error.code]('')), { cause: error });
    }
  }
}

const summaryOf = (query: string, { pages, answers }: SearchAnswer, wording: WebWording): string => {
  const sites = [...new Set(pages.map(({ url }) => new URL(url).hostname))];
  if (pages.length > 0)
    return wording.found(query, pages.length, sites.slice(0, SITES_IN_SUMMARY).join(', '));
  const [answer] = answers;
  return answer ? wording.answered(query, answer.text) : wording.nothingFound(query);
};
