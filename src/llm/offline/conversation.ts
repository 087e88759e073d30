import { parseJson } from './json-access.js';
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

/** A request as the offline model sees it: where the conversation stands. */
export interface Conversation {
  language: Language;
  question: string;
  /** The user's message before, when the assistant answered it with a question of its own. */
  askedBackOn: string | null;
  /** No answer of the assistant comes before the question. */
  opening: boolean;
  /** What was said before the question: users and assistants, oldest first. */
  earlier: readonly { role: 'user' | 'assistant'; text: string }[];
  /** Of the tools called since the question. */
  results: readonly ToolResult[];
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

export function conversationOf(request: CompletionRequest): Conversation {
  const { messages } = request;
  const at = messages.findLastIndex((message) => message.role === 'user');
  const before = messages.slice(0, Math.max(0, at));
  const system = messages.flatMap(({ role, content }) =>
    role === 'system' || role === 'developer' ? [content] : [],
  );
  const question = messages[at]?.content ?? '';
  const earlier = before.flatMap(({ role, content }) =>
    (role === 'user' || role === 'assistant') && content.trim() !== '' ? [{ role, text: content }] : [],
  );
  const last = earlier.at(-1);
  const askedBack = last?.role === 'assistant' && /[?？]/u.test(last.text);
  return {
    language: assistantLanguage(system.join('\n')) ?? detectLanguage(question) ?? 'fr',
    question,
    askedBackOn: askedBack ? (earlier.findLast(({ role }) => role === 'user')?.text ?? null) : null,
    opening: !earlier.some(({ role }) => role === 'assistant'),
    earlier,
    results: resultsIn(messages.slice(at + 1)),
  };
}

/** A result's value: JSON where it is JSON, else its text. */
export const resultValue = (result: ToolResult): JsonValue => parseJson(result.content) ?? result.content;
