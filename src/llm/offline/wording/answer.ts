import { type Conversation, resultValue } from '../conversation.js';
import type { Question } from '../message.js';
import { failureIn } from '../result-failure.js';
import type { JsonValue } from '../../../common/json.js';
import { subjectOf } from '../lookup/query.js';
import { isOfWeb, PagesProse } from './pages-prose.js';
import { isOfDocuments, isSearched, passagesAnswer, passagesMissing } from './passages-prose.js';
import { readersReason } from './reason.js';
import { phrases } from './phrases.js';
import { describeResult } from './result-prose.js';

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
function failureText(values: readonly JsonValue[], { language }: Conversation): string {
  const own = phrases[language];
  const reasons = values.flatMap((value) => failureIn(value) ?? []).map(readersReason);
  const failures = [...new Set(reasons)].map((reason) => (isSentence(reason) ? reason : own.failed(reason)));
  return failures.length > 0 ? [...failures, own.askToMend].join('\n') : '';
}

/** The answer made of what the tools gave; `unread` are the amounts of the question that none of them got. */
export function wordAnswer(
  conversation: Conversation,
  question: Question,
  unread: readonly string[],
): string {
  const { language, results } = conversation;
  const own = phrases[language];
  const others = results.filter((result) => !isOfWeb(result) && !isOfDocuments(result)).map(resultValue);
  const told = others
    .filter((value) => failureIn(value) === null)
    .map((value) => describeResult(value, language, question.now.reading.meanings))
    .filter((text) => text !== '');
  const asked = subjectOf(question, conversation.earlier);
  const cited = passagesAnswer(conversation, asked);
  const pages = new PagesProse(conversation, asked);
  const ofWeb = pages.paragraphs();
  const isMissing = cited === null && told.length + ofWeb.length === 0 && isSearched(conversation);
  const searches = results.filter(isOfDocuments).map(resultValue);
  const text = paragraphs(
    cited ?? '',
    ...told,
    ...ofWeb,
    isMissing ? passagesMissing(conversation) : '',
    failureText(cited === null ? [...searches, ...others] : others, conversation),
    unread.length > 0 ? own.leftOut(quotes(unread, conversation)) : '',
    pages.sources(),
  );
  return closing(text === '' ? own.empty : text, conversation);
}
