import type { Known } from './memories/known.js';
import { type Manner, mannerOf } from './memories/manner.js';
import { isMemoryTool } from './memories/memory-tools.js';
import { memorySectionOf } from './memories/memory-section.js';
import { withoutNote } from './loop-notes.js';
import { isOwnTool } from './packs/own-tools.js';
import type { CompletionRequest, RequestMessage } from './protocol.js';
import { assistantLanguage, detectLanguage, type Language } from './reading/language.js';
import { type ToolResult, withoutMarks } from './tool-result.js';

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
  /** Of those among them that are the agent's loop's own. */
  ownResults: readonly ToolResult[];
  /** Of those among them that write and read what is remembered. */
  memoryResults: readonly ToolResult[];
  /** The system prompt, without what it tells of what is remembered. */
  prompt: string;
  /** What the system prompt tells of what is remembered. */
  known: Known;
  manner: Manner;
}

function resultsIn(messages: readonly RequestMessage[]): ToolResult[] {
  const calls = new Map<string, { name: string; arguments: string }>();
  const results: ToolResult[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const call of message.tool_calls ?? []) calls.set(call.id, call.function);
    if (message.role !== 'tool') continue;
    const call = calls.get(message.tool_call_id) ?? { name: '', arguments: '{}' };
    results.push({ ...call, content: withoutMarks(message.content) });
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
  const { prompt, known } = memorySectionOf(system.join('\n'));
  const manner = mannerOf(known);
  const results = resultsIn(messages.slice(at + 1));
  return {
    language: manner.language ?? assistantLanguage(prompt) ?? detectLanguage(question) ?? 'fr',
    question,
    opening: !before.some(({ role, content }) => role === 'assistant' && content.trim() !== ''),
    earlier: exchangesIn(before),
    assistantName: introduction.exec(prompt)?.[1] ?? null,
    results: results.filter(({ name }) => !isOwnTool(name) && !isMemoryTool(name)),
    ownResults: results.filter(({ name }) => isOwnTool(name)),
    memoryResults: results.filter(({ name }) => isMemoryTool(name)),
    prompt,
    known,
    manner,
  };
}
