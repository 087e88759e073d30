import { asObject, asText } from '../../json-access.js';
import type { Conversation } from '../../conversation.js';
import type { Language } from '../../reading/words/language.js';
import { failureIn } from '../../result-failure.js';
import { resultValue, type ToolResult } from '../../tool-result.js';
import { paragraphs } from '../../wording/answer.js';
import { readersReason } from '../../wording/reason.js';
import type { Known, KnownMemory } from '../known.js';
import { hasForgotten, leftOver } from '../left-over.js';
import { answerTo } from '../memory-answer.js';
import type { MemoryErrand } from '../memory-errand.js';
import { FORGET_MEMORY, RECALL, REMEMBER } from '../memory-tools.js';
import { recalledIn } from '../recalled.js';
import { memoryPhrases } from './memory-phrases.js';
import { dayInWords, fullDay, memoryText } from './told-memories.js';

const failureOf = (result: ToolResult): string | null => {
  const reason = failureIn(resultValue(result));
  return reason === null ? null : readersReason(reason);
};

function wordRemembered(result: ToolResult, language: Language): string {
  const own = memoryPhrases[language];
  const reason = failureOf(result);
  if (reason !== null) return own.notNoted(reason);
  const value = asObject(resultValue(result));
  const before = asObject(value['replaced']);
  const content = asText(value['content']);
  const noted = value['isNew'] === false ? own.notedAlready(content) : own.noted(content);
  const replaced = asText(before['content']);
  if (replaced === '') return noted;
  return `${noted}\n${own.replaced(replaced, dayInWords(asText(before['since']), language))}`;
}

const listed = (intro: string, memories: readonly KnownMemory[], language: Language): string =>
  [intro, ...memories.map((each) => `- ${memoryText(each, language)}`)].join('\n');

const whichOne = (memories: readonly KnownMemory[], language: Language): string =>
  listed(memoryPhrases[language].whichOne, memories, language);

/** What became of all that was to be forgotten: that nothing is left of it is said only where nothing is. */
function wordsOfErased(
  calls: readonly ToolResult[],
  known: readonly KnownMemory[],
  language: Language,
): string[] {
  if (calls.length === 0) return [];
  const own = memoryPhrases[language];
  const reasons = calls.map(failureOf).filter((reason) => reason !== null);
  const refused = reasons.map((reason) => own.notForgotten(reason));
  const left = leftOver(calls, known);
  if (calls.some(hasForgotten))
    return [left.length > 0 ? listed(own.forgottenInPart, left, language) : own.forgotten, ...refused];
  if (left.length > 0) return [whichOne(left, language), ...refused];
  return refused.length > 0 ? refused : [own.nothingToForget];
}

/** What became of what was to be noted; also where the skill could not be called. */
function wordsOfNotes(
  { notes, isOrdered }: MemoryErrand,
  results: readonly ToolResult[],
  language: Language,
) {
  const own = memoryPhrases[language];
  const remembered = results.filter(({ name }) => name === REMEMBER);
  if (remembered.length > 0) return remembered.map((result) => wordRemembered(result, language));
  if (notes.length === 0) return [];
  return [isOrdered ? own.cannotNote : own.understood];
}

function wordsOfForgetting(
  { forgettings }: MemoryErrand,
  { memoryResults, known, language }: Conversation,
): string[] {
  const own = memoryPhrases[language];
  const calls = memoryResults.filter(({ name }) => name === FORGET_MEMORY);
  const words = wordsOfErased(calls, known.memories, language);
  if (forgettings.some(({ what }) => what === 'ALL')) words.push(own.oneAtATime);
  for (const forgetting of forgettings)
    if (forgetting.what === 'WHICH') words.push(whichOne(forgetting.memories, language));
  const isLeft = calls.length === 0 && forgettings.some(({ what }) => what === 'ONE' || what === 'PERSON');
  return isLeft ? [...words, own.cannotForget] : words;
}

function wordsOfQuestions({ questions }: MemoryErrand, conversation: Conversation): string[] {
  const { known, language, question, memoryResults: results } = conversation;
  const own = memoryPhrases[language];
  const recalled = recalledIn(results);
  const reason = results
    .filter(({ name }) => name === RECALL)
    .map(failureOf)
    .find((each) => each !== null);
  return questions.map((asked) => {
    const all: Known = recalled ?? known;
    const answer = answerTo(asked, all, question, language) || answerTo(asked, known, question, language);
    if (answer !== '') return answer;
    return reason === undefined || reason === null ? own.nothingNoted : own.notRecalled(reason);
  });
}

/** What is said of all that a message wants of what is remembered; empty: it wants nothing. */
export function memoryWords(errand: MemoryErrand, conversation: Conversation): string {
  const { memoryResults: results, language } = conversation;
  return paragraphs(
    errand.day === null ? '' : memoryPhrases[language].today(fullDay(errand.day, language)),
    ...wordsOfForgetting(errand, conversation),
    ...wordsOfNotes(errand, results, language),
    ...wordsOfQuestions(errand, conversation),
  );
}
