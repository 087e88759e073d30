import { detectLanguage, plainLanguage } from '../../common/text/text-language.js';
import type { Known } from './memories/known.js';
import { type Manner, mannerOf } from './memories/manner.js';
import { isMemoryTool } from './memories/memory-tools.js';
import { memorySectionOf } from './memories/memory-section.js';
import { isControl } from './lookup/controls.js';
import { type Unanswered, unansweredBy, withoutNote } from './loop-notes.js';
import { isOwnTool } from './packs/own-tools.js';
import type { CompletionRequest, RequestMessage } from './server/protocol.js';
import { fold } from './reading/words/fold.js';
import { assistantLanguage, type Language } from './reading/words/language.js';
import { legible } from './reading/words/legible.js';
import { type ToolResult, withoutMarks } from './tool-result.js';

/** A message of the user's and what the assistant answered; empty when it did not. */
export interface Exchange {
  question: string;
  answer: string;
  /** Why it did not, where that is told: such a question is gone into again only when its asker comes back to it. */
  unanswered?: Unanswered;
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
    const unanswered = role === 'assistant' ? unansweredBy(content) : null;
    if (role === 'user') exchanges.push({ question: content, answer: '' });
    else if (last && unanswered) last.unanswered = unanswered;
    else if (role === 'assistant' && last) last.answer = content || last.answer;
  }
  return exchanges;
}

const isAnswer = ({ role, content }: RequestMessage): boolean =>
  role === 'assistant' && content.trim() !== '' && unansweredBy(content) === null;

const pleading =
  "(?:peux-tu|pouvez-vous|can you|could you|puedes|please|s'il te plait|s'il vous plait|por favor)";
/** «Réessaie», «try again», without punctuation */
const again = new RegExp(
  `^(?:${pleading} )*(?:(?:re)?(?:essaie|essaye)[rsz]?(?: encore| de nouveau)?|recommence[rsz]?|relance[rsz]?|refais-le|encore une fois|try (?:it )?(?:once )?(?:again|more)|again|once more|retry|intentalo (?:de nuevo|otra vez)|reintenta(?:lo)?|vuelve a intentarlo|otra vez|de nuevo)(?: ${pleading})?$|^請?(?:再試一次|再試試|重試|再來一次|再問一次)$`,
);
const punctuation = /[^\p{L}\p{N}'-]+/gu;

/** Where a message only asks once more for what was left unanswered just before it, it stands for that question. */
function askedIn(said: string, earlier: readonly Exchange[]): Pick<Conversation, 'question' | 'earlier'> {
  const last = earlier.at(-1);
  if (!last?.unanswered || !again.test(fold(said).replace(punctuation, ' ').trim()))
    return { question: said, earlier };
  return { question: last.question, earlier: earlier.slice(0, -1) };
}

/** The messages without what the loop notes at their end: it is neither the question's nor a result's. */
function spoken(given: readonly RequestMessage[]): RequestMessage[] {
  const messages = given.map((message) =>
    message.role === 'user' ? { ...message, content: legible(message.content) } : message,
  );
  const last = messages.at(-1);
  if (!last || last.role === 'assistant' || last.role === 'system') return messages;
  const content = withoutNote(last.content);
  const before = messages.slice(0, -1);
  // Behind an assistant's message the note is one of its own.
  const isNote = content === '' && last.content !== '' && before.some(({ role }) => role === 'user');
  return isNote && last.role === 'user' ? before : [...before, { ...last, content }];
}

/** «Tu es Mefali, …», «你是「文庫」» */
const introduction =
  /^\s*(?:(?:Tu es|Vous êtes|You are|Eres|Usted es)\s+|你是[「『]?)(\p{Lu}[\p{L}'’-]+|\p{Script=Han}{2,6}?(?=[」』，,]))/u;

/** What skills word themselves comes in the assistant's language: what is said around it is not to be in another. */
function languageFor(question: string, prompt: string, results: readonly ToolResult[]): Language {
  const isWorded = results.some(({ name }) => !isOwnTool(name) && !isMemoryTool(name) && !isQuoted(name));
  const own = isWorded ? null : plainLanguage(question);
  return own ?? assistantLanguage(prompt) ?? detectLanguage(question) ?? 'fr';
}

/** Of documents and of the web the words themselves are told. */
const isQuoted = (name: string): boolean =>
  ['retrieve_documents', 'search_web', 'read_webpage'].includes(name);

export function conversationOf(request: CompletionRequest): Conversation {
  const messages = spoken(request.messages);
  const at = messages.findLastIndex((message) => message.role === 'user');
  const before = messages.slice(0, Math.max(0, at));
  const system = messages.flatMap(({ role, content }) =>
    role === 'system' || role === 'developer' ? [content] : [],
  );
  const { question, earlier } = askedIn(messages[at]?.content ?? '', exchangesIn(before));
  const { prompt, known } = memorySectionOf(system.join('\n'));
  const manner = mannerOf(known);
  const results = resultsIn(messages.slice(at + 1)).filter(({ name }) => !isControl(name));
  return {
    language: manner.language ?? languageFor(question, prompt, results),
    question,
    opening: !before.some(isAnswer),
    earlier,
    assistantName: introduction.exec(prompt)?.[1] ?? null,
    results: results.filter(({ name }) => !isOwnTool(name) && !isMemoryTool(name)),
    ownResults: results.filter(({ name }) => isOwnTool(name)),
    memoryResults: results.filter(({ name }) => isMemoryTool(name)),
    prompt,
    known,
    manner,
  };
}
