import type { Conversation } from '../conversation.js';
import type { LookupCall } from '../lookup/web.js';
import type { Question } from '../message.js';
import { seeksAdvice } from '../sentence.js';
import { closing } from '../wording/answer.js';
import { answerFromKnown, isPersonal } from './memory-answer.js';
import { askedFor } from './memory-question.js';
import { RECALL } from './memory-tools.js';
import { recalledIn } from './recalled.js';
import { memoryPhrases } from './wording/memory-phrases.js';

/** Whether something is asked that could be known; advice is not. */
const asks = ({ now: { sentences } }: Question): boolean =>
  sentences.some(({ kind }) => kind === 'QUESTION') && !sentences.some(seeksAdvice);

const longestQuestion = 600;

/** Where a question stands that nothing but what is remembered may answer. */
export interface Remembered {
  /** Empty: what is known does not answer it. */
  answer: string;
  /** To look for more; null: there is nothing to look for, or it was looked for. */
  call: LookupCall | null;
}

const nothing: Remembered = { answer: '', call: null };

/** `callable`: the memory skills that may be called now. */
export function rememberedFor(
  { known, memoryResults, language }: Conversation,
  question: Question,
  callable: ReadonlySet<string>,
): Remembered {
  const { text } = question.now;
  if (!asks(question) || text.length > longestQuestion) return nothing;
  const recalled = recalledIn(memoryResults);
  const answer =
    answerFromKnown(text, known, language) || (recalled ? answerFromKnown(text, recalled, language) : '');
  if (answer !== '' || recalled || !isPersonal(text) || !callable.has(RECALL)) return { answer, call: null };
  const query = askedFor(text);
  return query === '' ? nothing : { answer, call: { name: RECALL, arguments: { query } } };
}

/** What is said where it was tried to recall something, in vain; null: it was not tried. */
export const nothingRecalled = (conversation: Conversation): string | null =>
  recalledIn(conversation.memoryResults) === null || !isPersonal(conversation.question)
    ? null
    : closing(memoryPhrases[conversation.language].nothingNoted, conversation);
