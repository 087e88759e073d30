import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import type { CompletionRequest } from '../server/protocol.js';
import { ANALYZE_DOCUMENT } from './analysis.js';
import { documentsCall, RETRIEVE_DOCUMENTS } from './documents.js';
import { type LookupCall, looksFor, namesTheWeb, READ_WEBPAGE, SEARCH_WEB, webCalls } from './web.js';
import { addressesIn } from '../reading/words/salient.js';

const lookups: ReadonlySet<string> = new Set([
  ANALYZE_DOCUMENT,
  RETRIEVE_DOCUMENTS,
  SEARCH_WEB,
  READ_WEBPAGE,
]);

/** Whether a skill looks something up: in the company's documents or on the web. */
export const isLookup = (name: string): boolean => lookups.has(name);

/** What to look up next. `isServed`: another skill answers the question, or asks back for what it needs. */
export function lookupCalls(
  { tools, tool_choice: choice }: CompletionRequest,
  conversation: Conversation,
  question: Question,
  isServed: boolean,
): LookupCall[] {
  if (choice === 'none') return [];
  const offered = new Set(tools.map((tool) => tool.function.name).filter(isLookup));
  const called = new Set(conversation.results.map(({ name }) => name));
  if (typeof choice === 'object')
    return offered.has(choice.name) && !called.has(choice.name)
      ? forcedCall(choice.name, conversation, question)
      : [];
  if (addressesIn(question.now.text).length > 0) return webCalls(conversation, question, offered);
  const isAnswered = [...called].some((name) => name !== SEARCH_WEB && name !== READ_WEBPAGE);
  if (!looksFor(question) || ((isServed || isAnswered) && !namesTheWeb(question))) return [];
  if (offered.has(RETRIEVE_DOCUMENTS) && called.size === 0) return [documentsCall(conversation, question)];
  return webCalls(conversation, question, offered);
}

function forcedCall(name: string, conversation: Conversation, question: Question): LookupCall[] {
  if (name === RETRIEVE_DOCUMENTS) return [documentsCall(conversation, question)];
  if (name === READ_WEBPAGE) return webCalls(conversation, question, new Set([name]));
  const { query } = documentsCall(conversation, question).arguments;
  return query === '' ? [] : [{ name, arguments: { query: query ?? '' } }];
}
