import { parseJson, textFieldsOf } from './json-access.js';
import { withoutNote } from './loop-notes.js';
import type { CompletionRequest, RequestMessage } from './protocol.js';
import { assistantLanguage, detectLanguage, type Language } from './reading/language.js';
import type { JsonValue } from '../../common/json.js';

/** A tool's answer, with the call it answers. */
export interface ToolResult {
  name: string;
  /** JSON, as the call had it. */
  arguments: string;
  content: string;
}

/** A message of the user's and what the assistant answered; empty when it did not. */
export interface Exchange {
  question: string;
  answer: string;
}

/** A request as the offline model sees it: where the conversation stands. */
export interface Conversation {
  language: Language;
  question: string;
  /** No answer of the assistant comes before the question. */
  opening: boolean;
  /** What was said before the question, oldest first. */
  earlier: readonly Exchange[];
  /** What the assistant is called, when its prompt says so. */
  assistantName: string | null;
  /** Of the tools called since the question. */
  results: readonly ToolResult[];
  /** The system prompt. */
  prompt: string;
}

function resultsIn(messages: readonly RequestMessage[]): ToolResult[] {
  const calls = new Map<string, { name: string; arguments: string }>();
  const results: ToolResult[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const call of message.tool_calls ?? []) calls.set(call.id, call.function);
    if (message.role !== 'tool') continue;
    const call = calls.get(message.tool_call_id) ?? { name: '', arguments: '{}' };
    results.push({ ...call, content: message.content });
  }
  return results;
}

function exchangesIn(messages: readonly RequestMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const { role, content } of messages) {
    const last = exchanges.at(-1);
    if (role === 'user') exchanges.push({ question: content, answer: '' });
    else if (role === 'assistant' && last) last.answer = content || last.answer;
  }
  return exchanges;
}

/** The messages without what the loop notes at their end: it is neither the question's nor a result's. */
function spoken(messages: readonly RequestMessage[]): RequestMessage[] {
  const last = messages.at(-1);
  if (!last || last.role === 'assistant' || last.role === 'system') return [...messages];
  const content = withoutNote(last.content);
  const before = messages.slice(0, -1);
  // Behind an assistant's message the note is one of its own.
  const isNote = content === '' && last.content !== '' && before.some(({ role }) => role === 'user');
  return isNote && last.role === 'user' ? before : [...before, { ...last, content }];
}

/** «Tu es Mefali, …», «你是「文庫」» */
const introduction =
  /^\s*(?:(?:Tu es|Vous êtes|You are|Eres|Usted es)\s+|你是[「『]?)(\p{Lu}[\p{L}'’-]+|\p{Script=Han}{2,6}?(?=[」』，,]))/u;

export function conversationOf(request: CompletionRequest): Conversation {
  const messages = spoken(request.messages);
  const at = messages.findLastIndex((message) => message.role === 'user');
  const before = messages.slice(0, Math.max(0, at));
  const system = messages.flatMap(({ role, content }) =>
    role === 'system' || role === 'developer' ? [content] : [],
  );
  const question = messages[at]?.content ?? '';
  const prompt = system.join('\n');
  return {
    language: assistantLanguage(prompt) ?? detectLanguage(question) ?? 'fr',
    question,
    opening: !before.some(({ role, content }) => role === 'assistant' && content.trim() !== ''),
    earlier: exchangesIn(before),
    assistantName: introduction.exec(prompt)?.[1] ?? null,
    results: resultsIn(messages.slice(at + 1)),
    prompt,
  };
}

/** A result's value: JSON where it is JSON, what came whole where it was cut short for lack of room, else its text. */
export function resultValue({ content }: ToolResult): JsonValue {
  const value = parseJson(content);
  if (value !== null || !content.startsWith('{')) return value ?? content;
  return textFieldsOf(content);
}
