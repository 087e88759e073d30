import type { JsonObject } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { asArray, asObject, asText, parseJson } from '../json-access.js';
import type { Question } from '../message.js';
import { addressesIn, salientWords } from '../reading/words/salient.js';
import { likeness, Subject } from '../reading/words/likeness.js';
import { isOwnAffair, type Sentence } from '../sentence.js';
import { failureIn } from '../result-failure.js';
import { isSmallTalk } from '../small-talk.js';
import { asksForDepth } from './depth.js';
import { queryFor, subjectOf } from './query.js';

export const SEARCH_WEB = 'search_web';
export const READ_WEBPAGE = 'read_webpage';

const mostAddresses = 3;
const enoughPages = 2;
const mostReads = 3;
const longestFind = 200;

/** A call of a skill that looks something up. */
export interface LookupCall {
  name: string;
  arguments: JsonObject;
}

const lookingFor =
  /\b(?:cherche[rsz]?|recherche[rsz]?|trouve[rsz]?|compare[rsz]?|search|find|look up|busca|buscar|busque|compara|comparar|investiga|internet|web|en ligne|en linea|online|actualites?|news|noticias)\b|搜尋|查詢|查一下|網路|比較|研究|新聞/;

/** «What does the kWh cost in Dakar?»: facts that nobody has told, and not the company's own. */
function asksForFacts({ reading, kind }: Sentence): boolean {
  const orders = lookingFor.test(reading.folded);
  if (kind !== 'QUESTION' && !orders) return false;
  return (orders || !isOwnAffair(reading)) && salientWords(reading.text).length > 0;
}

export const looksFor = (question: Question): boolean =>
  !isSmallTalk(question.now.reading) && (asksForDepth(question) || question.now.sentences.some(asksForFacts));

/** Whether it is the web that is to be searched, whatever else could answer. */
export const namesTheWeb = ({ now }: Question): boolean =>
  /\b(?:internet|web|en ligne|en linea|online)\b|網路|上網/.test(now.reading.folded);

const urlOf = (result: ToolResult): string => asText(asObject(parseJson(result.arguments) ?? {})['url']);

const isGood = (result: ToolResult): boolean => failureIn(resultValue(result)) === null;

/** The pages that searches found, the closest to the question first. It is said of PDFs that they cannot be read. */
function foundPages({ results, earlier }: Conversation, question: Question): string[] {
  const subject = new Subject(subjectOf(question, earlier));
  return results
    .filter(({ name }) => name === SEARCH_WEB)
    .flatMap((result) => asArray(asObject(resultValue(result))['results']).map(asObject))
    .map((page) => ({
      url: asText(page['url']),
      score: likeness(subject, `${asText(page['title'])}\n${asText(page['snippet'])}`),
    }))
    .filter(({ url }) => /^https?:\/\//.test(url) && !/\.pdf(?:[?#]|$)/i.test(url))
    .toSorted((a, b) => b.score - a.score)
    .map(({ url }) => url);
}

/** What is still to be read: addresses that the question names, else the best of what was found. */
function pagesToRead(conversation: Conversation, question: Question): string[] {
  const { results } = conversation;
  const reads = results.filter(({ name }) => name === READ_WEBPAGE);
  const tried = new Set(reads.map(urlOf));
  const isOpen = (url: string): boolean => !tried.has(url);
  const named = addressesIn(question.now.text).slice(0, mostAddresses);
  if (named.length > 0) return named.filter(isOpen);
  const wanted = Math.min(enoughPages - reads.filter(isGood).length, mostReads - reads.length);
  return [...new Set(foundPages(conversation, question))].filter(isOpen).slice(0, Math.max(0, wanted));
}

/** What of the web to ask for next; `offered` are the names of the skills that may be called. */
export function webCalls(
  conversation: Conversation,
  question: Question,
  offered: ReadonlySet<string>,
): LookupCall[] {
  const query = queryFor(question.now.text, conversation.earlier);
  if (offered.has(READ_WEBPAGE)) {
    const find: JsonObject = query === '' ? {} : { find: query.slice(0, longestFind) };
    const reads = pagesToRead(conversation, question);
    if (reads.length > 0) return reads.map((url) => ({ name: READ_WEBPAGE, arguments: { url, ...find } }));
  }
  const isAnswered = conversation.results.some(({ name }) => name === SEARCH_WEB || name === READ_WEBPAGE);
  if (isAnswered || query === '' || !offered.has(SEARCH_WEB)) return [];
  return [{ name: SEARCH_WEB, arguments: { query } }];
}
