import { type Conversation, resultValue } from './conversation.js';
import { type Phrases, phrases } from './phrases.js';
import { itemShape } from './arguments/item-extraction.js';
import { elementOf, enumOf, ownDescription, type Property } from './arguments/property.js';
import { fieldName } from './field-names.js';
import { wordsOf } from './reading/fold.js';
import { read, type Reading, sentencesOf } from './reading/read.js';
import { describeResult, failureIn } from './result-prose.js';
import { byFit, type Choice } from './tool-choice.js';
import type { ToolProfile } from './tool-profile.js';

const mostTools = 5;
const longestSubject = 80;

/** The last words of an answer: once a conversation, that no model is configured. */
const closing = (text: string, { opening, language }: Conversation): string =>
  opening ? `${text}\n\n${phrases[language].noModel}` : text;

const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

const shortened = (text: string, longest: number): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/\s\S*$/, '')}…`;
};

/** The answer made of what the tools gave. */
export function wordAnswer(conversation: Conversation): string {
  const own = phrases[conversation.language];
  const values = conversation.results.map(resultValue);
  const failures = values.flatMap((value) => failureIn(value) ?? []);
  const told = values
    .filter((value) => failureIn(value) === null)
    .map((value) => describeResult(value, conversation.language));
  const failed =
    failures.length > 0 ? `${[...new Set(failures)].map(own.failed).join('\n')}\n${own.askToMend}` : '';
  const text = paragraphs(...told, failed);
  return closing(text === '' ? own.empty : text, conversation);
}

/** How a property is asked for: by what its schema says of it. */
function asked(property: Property, { language }: Conversation): string {
  const shape = property.type === 'array' ? itemShape(elementOf(property)) : null;
  if (shape?.unit) return phrases[language].quantities(enumOf(shape.unit).slice(0, 8).join(', '));
  const sentence = sentencesOf(ownDescription(property))[0] ?? '';
  const told = sentence.replace(/\s*\([^()]*\)/g, '').replace(/[.。:]+$/u, '');
  return told === '' ? fieldName(property.name, language).label : shortened(told, 160);
}

/** Asks for what a tool cannot do without. */
export function wordMissing(conversation: Conversation, { extraction }: Choice): string {
  const own = phrases[conversation.language];
  const missing = extraction.missing.map((property) => asked(property, conversation));
  const list = (missing.length > 0 ? missing : [own.noDetails]).map((each) => `- ${each}`).join('\n');
  return closing(paragraphs(`${own.missing}\n${list}`, own.askMissing), conversation);
}

const smallTalk = {
  greeting:
    /^(?:bonjour|bonsoir|salut|coucou|hello|hi|hey|good (?:morning|afternoon|evening)|hola|buen[oa]s (?:dias|tardes|noches)|你好|您好|早安|哈囉)/,
  thanks: /^(?:merci|thanks|thank you|gracias|muchas gracias|謝謝|感謝)/,
};

/** What a question is about, in its own words, without the greeting. */
function subjectOf(question: string): string {
  const line = question.replace(/^\s*(?:bonjour|bonsoir|salut|hello|hi|hola|您好|你好)[\s,!.，！。]*/iu, '');
  return shortened(line, longestSubject).replace(/[\s?？.!。！]+$/u, '');
}

function abilities(own: Phrases, reading: Reading, tools: readonly ToolProfile[]): string {
  const told = byFit(reading, tools).map(({ tool }) => sentencesOf(tool.description)[0] ?? tool.name);
  const list = told
    .slice(0, mostTools)
    .map((each) => `- ${shortened(each, 200)}`)
    .join('\n');
  return list === '' ? own.noTools : `${own.canDo}\n${list}`;
}

/** The first sentences of what was said, or of the text handed over to be summed up. */
function digest(conversation: Conversation): string {
  const own = phrases[conversation.language];
  const [, ...handedOver] = conversation.question.split(/\n+/).filter((line) => line.trim() !== '');
  const said = handedOver.length > 0 ? handedOver : conversation.earlier.map(({ text }) => text);
  const lines = said.map((text) => sentencesOf(text)[0] ?? '').filter((line) => line !== '');
  if (lines.length === 0) return closing(own.nothingToSummarise, conversation);
  return `${own.summary}\n${lines
    .slice(-mostTools * 2)
    .map((line) => `- ${shortened(line, 200)}`)
    .join('\n')}`;
}

/** The honest answer when no tool fits: what this is, and what it can do. */
export function wordNoTool(conversation: Conversation, tools: readonly ToolProfile[]): string {
  const own = phrases[conversation.language];
  const reading = read(conversation.question);
  const short = wordsOf(reading.folded).length <= 6;
  const wants = (concept: string) => reading.meanings[0]?.key === concept;
  if (wants('summarise')) return digest(conversation);
  if (wants('continue') && short && !conversation.opening) return own.nothingToAdd;
  if (smallTalk.thanks.test(reading.folded) && short)
    return closing(paragraphs(own.thanks, own.example), conversation);
  if (smallTalk.greeting.test(reading.folded) && short && reading.meanings.length === 0)
    return closing(paragraphs(own.greeting, abilities(own, reading, tools), own.example), conversation);
  const subject = subjectOf(conversation.question);
  const opening = [subject === '' ? '' : own.subject(subject), own.standIn]
    .filter((part) => part !== '')
    .join(' ');
  return closing(paragraphs(opening, abilities(own, reading, tools), own.example), conversation);
}
