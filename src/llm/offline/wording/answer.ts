import { type Conversation, resultValue } from '../conversation.js';
import type { Reading } from '../reading/read.js';
import { phrases } from './phrases.js';
import { describeResult, failureIn } from './result-prose.js';

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

/** The answer made of what the tools gave; `unread` are the amounts of the question that none of them got. */
export function wordAnswer(
  conversation: Conversation,
  { meanings }: Reading,
  unread: readonly string[],
): string {
  const { language, results } = conversation;
  const own = phrases[language];
  const values = results.map(resultValue);
  const failures = [...new Set(values.flatMap((value) => failureIn(value) ?? []))].map((reason) =>
    isSentence(reason) ? reason : own.failed(reason),
  );
  const told = values
    .filter((value) => failureIn(value) === null)
    .map((value) => describeResult(value, language, meanings));
  const failed = failures.length > 0 ? [...failures, own.askToMend].join('\n') : '';
  const left = unread.length > 0 ? own.leftOut(quotes(unread, conversation)) : '';
  const text = paragraphs(...told, failed, left);
  return closing(text === '' ? own.empty : text, conversation);
}
