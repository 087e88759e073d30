import { detectLanguage } from '../../../common/text/text-language.js';
import type { Conversation } from '../conversation.js';
import type { LookupCall } from '../lookup/web.js';
import type { CompletionRequest } from '../server/protocol.js';
import type { Language } from '../reading/words/language.js';
import { digestOfSummaries } from './analysis/digest.js';
import { findingsIn } from './analysis/findings.js';
import { quotedMessages } from './exchange.js';
import { memoriesToNote } from './memories.js';
import { pointsOf } from './summary.js';
import { titleFor } from './title.js';

const NAME_CONVERSATION = 'name_conversation';
const KEEP_SUMMARY = 'keep_summary';
const NOTE_MEMORIES = 'note_memories';
const NOTE_FINDINGS = 'note_findings';
const NOTE_SUMMARY = 'note_summary';

/** What the one function that a task forces is called with; null: the request is no task of the product's own. */
export function taskCall(
  request: CompletionRequest,
  { question, prompt, language }: Conversation,
): LookupCall | null {
  const choice = request.tool_choice;
  if (typeof choice === 'string') return null;
  const own = languageOf(question) ?? language;
  if (choice.name === NAME_CONVERSATION)
    return { name: NAME_CONVERSATION, arguments: { title: titleFor(question, own) } };
  if (choice.name === KEEP_SUMMARY)
    return { name: KEEP_SUMMARY, arguments: { points: pointsOf(question, own) } };
  if (choice.name === NOTE_MEMORIES)
    return { name: NOTE_MEMORIES, arguments: { memories: memoriesToNote(question, own) } };
  if (choice.name === NOTE_FINDINGS) return { name: NOTE_FINDINGS, arguments: findingsIn(prompt, question) };
  if (choice.name === NOTE_SUMMARY)
    return { name: NOTE_SUMMARY, arguments: { summary: digestOfSummaries(question) } };
  return null;
}

/** The member's language: what the task says around the messages is the assistant's. */
const languageOf = (text: string): Language | null =>
  detectLanguage(
    quotedMessages(text)
      .filter(({ isMember }) => isMember)
      .map((message) => message.text)
      .join('\n'),
  );
