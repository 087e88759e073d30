import type { JsonObject, JsonValue } from '../../../../common/json.js';
import { READ_WEBPAGE, SEARCH_WEB } from '../../lookup/web.js';
import type { Conversation } from '../../conversation.js';
import { resultValue, type ToolResult } from '../../tool-result.js';
import { asArray, asObject, asText, parseJson } from '../../json-access.js';
import { Subject } from '../../reading/words/likeness.js';
import { failureIn } from '../../result-failure.js';
import { bestSentences, ended, type ScoredSentence } from '../best-sentences.js';
import { lookupPhrases } from '../lookup-phrases.js';
import { phrases } from '../languages/phrases.js';
import { shortened } from '../shortened.js';

const mostPages = 3;
const sentencesOfAPage = 3;
const mostFound = 3;
const longestTitle = 120;
const longestBeginning = 400;

/** A page as far as it is known: read, or only found. */
interface Page {
  title: string;
  url: string;
  published: string;
  text: string;
}

const pageOf = (object: JsonObject, text: JsonValue | undefined): Page => ({
  title: shortened(asText(object['title']), longestTitle) || hostOf(asText(object['url'])),
  url: asText(object['url']),
  published: asText(object['published']),
  text: asText(text),
});

const hostOf = (url: string): string => (URL.parse(url)?.hostname ?? url).replace(/^www\./, '');

export const isOfWeb = ({ name }: ToolResult): boolean => name === SEARCH_WEB || name === READ_WEBPAGE;

/** What was found and read on the web, as far as it answers the question, with the addresses and days of the pages. */
export class PagesProse {
  private readonly own;
  private readonly subject: Subject;
  /** The pages that were read, and what each says to the question. */
  private readonly read: readonly { page: Page; told: string | null }[];
  private readonly values: readonly { result: ToolResult; value: JsonValue }[];

  constructor(
    private readonly conversation: Conversation,
    /** With what the question goes on from. */
    private readonly asked: string,
  ) {
    this.own = lookupPhrases[conversation.language];
    this.subject = new Subject(asked);
    this.values = conversation.results
      .filter(isOfWeb)
      .map((result) => ({ result, value: resultValue(result) }));
    this.read = this.pages(READ_WEBPAGE).map((page) => ({ page, told: this.told(page) }));
  }

  /** Paragraphs; none when nothing of the web was asked for. */
  paragraphs(): string[] {
    if (this.values.length === 0) return [];
    const told = this.read.flatMap(({ told: text }) => text ?? []);
    const body = told.length > 0 ? told : this.withoutAnswer(this.read.map(({ page }) => page));
    return [...body, ...this.failures(told.length > 0)];
  }

  private pages(name: string): Page[] {
    return this.values
      .filter(({ result, value }) => result.name === name && failureIn(value) === null)
      .map(({ value }) => asObject(value))
      .flatMap((object) =>
        name === READ_WEBPAGE
          ? [pageOf(object, object['content'])]
          : asArray(object['results'])
              .map(asObject)
              .map((each) => pageOf(each, each['snippet'])),
      )
      .filter(({ url }) => url !== '');
  }

  /** What one page says to the question, under its name; null: nothing. */
  private told(page: Page): string | null {
    const sentences = bestSentences(this.subject, this.asked, page, sentencesOfAPage);
    return sentences.length === 0 ? null : this.saying(page, sentences);
  }

  private saying(page: Page, sentences: readonly Pick<ScoredSentence, 'text'>[]): string {
    const { gap } = phrases[this.conversation.language];
    const text = sentences.map((each) => ended(each.text)).join(gap);
    return `${this.own.accordingTo(page.title, hostOf(page.url))}${gap}${text}`;
  }

  /** Where no page that was read has the answer: their beginnings, or what the search showed. */
  private withoutAnswer(read: readonly Page[]): string[] {
    // A page that was asked for by its address is to be told of, whatever is in it.
    const isSearch = this.values.some(({ result }) => result.name === SEARCH_WEB);
    const beginnings = read
      .filter(({ text }) => text !== '')
      .map((page) => this.saying(page, [{ text: beginningOf(page.text) }]));
    if (beginnings.length > 0) return isSearch ? [this.own.noneAnswers, ...beginnings] : beginnings;
    const found = this.pages(SEARCH_WEB).slice(0, mostFound);
    if (found.length > 0)
      return [this.own.notOpened, ...found.map((page) => this.saying(page, [{ text: page.text }]))];
    return isSearch && this.values.every(({ value }) => Array.isArray(asObject(value)['results']))
      ? [this.own.nothingFound]
      : [];
  }

  private failures(isAnswered: boolean): string[] {
    return this.values.flatMap(({ result, value }) => {
      const reason = failureIn(value);
      if (reason === null || (isAnswered && result.name === SEARCH_WEB)) return [];
      const address = asText(asObject(parseJson(result.arguments) ?? {})['url']);
      return [address === '' ? reason : this.own.notRead(address, reason)];
    });
  }

  /** The pages that the answer rests on, as a list. */
  sources(): string {
    const read = this.read.map(({ page }) => page);
    const answering = this.read.flatMap(({ page, told }) => (told === null ? [] : [page]));
    const pages = [answering, read, this.pages(SEARCH_WEB).slice(0, mostFound)].find(
      (each) => each.length > 0,
    );
    if (!pages) return '';
    const lines = pages.slice(0, mostPages).map((page) => `- ${this.source(page)}`);
    return `**${this.own.sources}**\n${[...new Set(lines)].join('\n')}`;
  }

  private source({ title, url, published }: Page): string {
    const named = title === hostOf(url) ? url : this.own.addressed(title, url);
    const day = this.day(published);
    return day === '' ? named : this.own.dated(named, day);
  }

  /** The day a page was published, as its reader writes days; as it was told where it is no date. */
  private day(published: string): string {
    const date = new Date(published);
    if (published === '' || Number.isNaN(date.getTime())) return published;
    const { locale } = phrases[this.conversation.language];
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  }
}

const beginningOf = (text: string): string =>
  shortened(text.replaceAll(/^#+ .*$/gm, '').replaceAll(/[*_`|#]+/g, ' '), longestBeginning);
