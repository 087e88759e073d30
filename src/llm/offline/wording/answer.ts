import { differingPeriods } from '../arguments/amount-periods.js';
import { setAsideIn } from '../arguments/amounts/set-aside.js';
import { measuresIn } from '../arguments/amounts/measures.js';
import { unusedCounts } from '../arguments/amounts/unused-counts.js';
import { unappliedAmounts } from '../arguments/unapplied-amounts.js';
import type { Conversation } from '../conversation.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { describeAnalysis } from './prose/analysis-prose.js';
import { describeScore } from './prose/esg-prose.js';
import { describeFinancing } from './prose/financing-prose.js';
import { describeReport, reportNeeds } from './prose/report-prose.js';
import type { Question } from '../message.js';
import { failureIn } from '../result-failure.js';
import type { JsonObject } from '../../../common/json.js';
import { asArray, asObject, asText, parseJson } from '../json-access.js';
import type { Language } from '../reading/words/language.js';
import type { Reading } from '../reading/read.js';
import type { Meaning } from '../reading/words/meaning.js';
import { subjectOf } from '../lookup/query.js';
import { isOfWeb, PagesProse } from './prose/pages-prose.js';
import { isOfDocuments, isSearched, passagesAnswer, passagesMissing } from './prose/passages-prose.js';
import { readersReason } from './reason.js';
import { phrases } from './languages/phrases.js';
import { describeResult, hasAskedField, knowsAsked } from './prose/result-prose.js';
import { yearText } from './prose/year-prose.js';

/** Once a conversation, at the end of its first answer: that no model is configured. */
export const closing = (text: string, { opening, language }: Conversation): string =>
  opening ? `${text}\n\n${phrases[language].noModel}` : text;

export const paragraphs = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

const mostQuotes = 5;

/** Pieces of the user's text, quoted as the language does. */
export const quotes = (texts: readonly string[], { language }: Conversation): string => {
  const own = phrases[language];
  const quoted = texts.slice(0, mostQuotes).map(own.quoted);
  const rest = texts.length - quoted.length;
  return [...quoted, ...(rest > 0 ? [own.more(rest)] : [])].join(own.separator);
};

/** A whole sentence speaks for itself. */
const isSentence = (text: string): boolean =>
  /^\p{Lu}.*[.!。！]$|^\p{Script=Han}.*[。！]$/su.test(text.trim());

/** What went wrong, each reason once; empty when nothing did. */
function failureText(results: readonly ToolResult[], { language }: Conversation): string {
  const own = phrases[language];
  const reasons = results.flatMap((result) => {
    const reason = failureIn(resultValue(result));
    return reason === null ? [] : [reportNeeds(result, reason, language) ?? readersReason(reason)];
  });
  const failures = [...new Set(reasons)].map((reason) => (isSentence(reason) ? reason : own.failed(reason)));
  return failures.length > 0 ? [...failures, own.askToMend].join('\n') : '';
}

/** The results without failures of what succeeded afterwards. */
const mendedSince = (results: readonly ToolResult[]): ToolResult[] =>
  results.filter(
    (result, at) =>
      failureIn(resultValue(result)) === null ||
      !results
        .slice(at + 1)
        .some((later) => later.name === result.name && failureIn(resultValue(later)) === null),
  );

type Describe = (value: JsonObject, language: Language) => string;

/** How the results of skills that ship are told; all others by what they look like. */
const describers: Readonly<Record<string, Describe>> = {
  analyze_document: describeAnalysis,
  calculate_esg_score: describeScore,
  find_green_financing: describeFinancing,
  generate_report: describeReport,
};

function described(result: ToolResult, language: Language, asked: readonly Meaning[]): string {
  const value = resultValue(result);
  const own = Object.hasOwn(describers, result.name) ? describers[result.name] : undefined;
  const text = own && asText(asObject(value)['summary']) !== '' ? own(asObject(value), language) : '';
  return text === '' ? describeResult(value, language, asked) : text;
}

/** Who asked the documents for what they do not say should not be told all that is known of the company instead. */
const tellsAsked = (result: ToolResult, asked: readonly Meaning[]): boolean =>
  result.name !== 'get_company_profile' || hasAskedField(asObject(resultValue(result)), asked);

/** Who has the answer from the documents need not be told that the company's profile does not have it. */
const onlyLacks = (result: ToolResult, asked: readonly Meaning[]): boolean => {
  const object = asObject(resultValue(result));
  return result.name === 'get_company_profile' && hasAskedField(object, asked) && !knowsAsked(object, asked);
};

const footprintTools: ReadonlySet<string> = new Set(['calculate_carbon_footprint', 'get_company_profile']);

/** The countries of a question that no footprint was counted with: each amount was counted once. */
function countriesLeftOut({ countries }: Reading, results: readonly ToolResult[]): string[] {
  const given = results.map((result) => asObject(parseJson(result.arguments) ?? {}));
  const counted = new Set(
    given.flatMap(({ country, items }) => [
      country,
      ...asArray(items).map((item) => asObject(item)['country']),
    ]),
  );
  return [...new Set(countries.map(({ code }) => code))].filter((code) => !counted.has(code));
}

/** The amounts of a question that it says are not to be counted, where amounts were counted. */
function setAsideNote(conversation: Conversation, { reading }: Question): string {
  const own = phrases[conversation.language];
  const setAside = setAsideIn(reading);
  const left = measuresIn(reading).filter((quantity) => setAside.has(quantity) && !quantity.range);
  const quoted = left.map(({ start, end }) => reading.text.slice(start, end));
  return listsAmounts(conversation.results) && quoted.length > 0
    ? own.setAside(quotes(quoted, conversation))
    : '';
}

/** The ranges of a question in its own words, besides those of time and shares. */
export const rangesIn = ({ text, quantities }: Reading): string[] =>
  quantities
    .filter(({ range, unit }) => range && !['time', 'share'].includes(unit?.dimension ?? ''))
    .map(({ start, end }) => text.slice(start, end));

/** Asks for one amount instead of a range, where an amount of it could have been worked with. */
function rangeNote(conversation: Conversation, { reading }: Question): string {
  const ofMoney = reading.quantities.some(({ range, unit }) => range && unit?.dimension === 'money');
  const isWorked = conversation.results.some(({ name }) => name === 'find_green_financing');
  const quoted = rangesIn(reading);
  return quoted.length > 0 && (listsAmounts(conversation.results) || (ofMoney && isWorked))
    ? phrases[conversation.language].range(quotes(quoted, conversation))
    : '';
}

const listsAmounts = (results: readonly ToolResult[]): boolean =>
  results.some(({ arguments: given }) => asArray(asObject(parseJson(given) ?? {})['items']).length > 0);

const leastMoney = 10_000;

/** «Et pour 10 millions ?»: of which currency nobody said, so that nothing was searched for by it. */
function currencyNote(conversation: Conversation, { now }: Question): string {
  const isSearch = conversation.results.some(({ name }) => name === 'find_green_financing');
  const bare = now.reading.quantities.filter(
    ({ unit, range, value }) => isSearch && unit === null && !range && value >= leastMoney,
  );
  const quoted = bare.map(({ start, end }) => now.reading.text.slice(start, end));
  return quoted.length > 0 ? phrases[conversation.language].unapplied(quotes(quoted, conversation)) : '';
}

/** What a footprint does not tell by itself: what was said beside its amounts, and that they are of several periods. */
function footprintNotes(conversation: Conversation, { reading }: Question): string {
  const own = phrases[conversation.language];
  const results = conversation.results.filter((result) => !isOfDocuments(result));
  if (!listsAmounts(results) || !results.every(({ name }) => footprintTools.has(name))) return '';
  const unapplied = [...unappliedAmounts(reading), ...unusedCounts(reading)];
  const places = countriesLeftOut(reading, results);
  const names = new Intl.DisplayNames(own.locale, { type: 'region' });
  const periods = differingPeriods(reading);
  return paragraphs(
    unapplied.length > 0 ? own.unapplied(quotes(unapplied, conversation)) : '',
    places.length > 0
      ? own.otherCountries(places.map((code) => names.of(code) ?? code).join(own.separator))
      : '',
    periods.length > 0 ? own.differingPeriods(periods.join(own.separator)) : '',
  );
}

/** The answer made of what the tools gave; `unread` are the amounts of the question that none of them got. */
export function wordAnswer(
  conversation: Conversation,
  question: Question,
  unread: readonly string[],
): string {
  const { language, results } = conversation;
  const own = phrases[language];
  const others = mendedSince(results.filter((result) => !isOfWeb(result) && !isOfDocuments(result)));
  const asked = subjectOf(question, conversation.earlier);
  const cited = passagesAnswer(conversation, asked);
  const { meanings } = question.now.reading;
  const inVain = cited === null && isSearched(conversation);
  const told = others
    .filter((result) => failureIn(resultValue(result)) === null)
    .filter((result) => (inVain ? tellsAsked(result, meanings) : !(cited && onlyLacks(result, meanings))))
    .map((result) => described(result, language, meanings))
    .filter((text) => text !== '');
  const pages = new PagesProse(conversation, asked);
  const ofWeb = pages.paragraphs();
  const isMissing = inVain && told.length + ofWeb.length === 0;
  const searches = results.filter(isOfDocuments);
  const text = paragraphs(
    cited ?? '',
    ...told,
    yearText(others, question.reading, language),
    ...ofWeb,
    isMissing ? passagesMissing(conversation) : '',
    failureText(cited === null ? [...searches, ...others] : others, conversation),
    unread.length > 0 ? own.leftOut(quotes(unread, conversation)) : '',
    setAsideNote(conversation, question),
    rangeNote(conversation, question),
    currencyNote(conversation, question),
    footprintNotes(conversation, question),
    pages.sources(),
  );
  return closing(text === '' ? own.empty : text, conversation);
}
