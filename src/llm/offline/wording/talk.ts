import type { Conversation } from '../conversation.js';
import type { Message, Question } from '../message.js';
import { REMEMBER } from '../memories/memory-tools.js';
import { type Catalogue, withoutPacks } from '../packs/catalogue.js';
import { meaningsOf, weightOf } from '../reading/words/meaning.js';
import { sentencesOf } from '../reading/read.js';
import { seeksAdvice } from '../sentence.js';
import { isShort, smallTalkIn } from '../small-talk.js';
import { byFit } from '../tool-choice.js';
import { match, type ToolProfile } from '../tool-profile.js';
import { abilityOf } from './abilities.js';
import { closing, paragraphs } from './answer.js';
import { noneFits, tellCatalogue } from './packs/pack-answer.js';
import { phrases } from './languages/phrases.js';
import { shortened } from './shortened.js';

const mostTools = 5;
const mostLines = 10;
const longestLine = 200;
const longestSubject = 80;

/** What a question is about, in its own words, without the greeting. */
function subjectOf(question: string): string {
  const line = question.replace(/^\s*(?:bonjour|bonsoir|salut|hello|hi|hola|您好|你好)[\s,!.，！。]*/iu, '');
  return shortened(line, longestSubject).replace(/^[¿¡\s]+|[\s?？.!。！]+$/gu, '');
}

const longestPurpose = 4000;

/** The tools that the assistant's own instructions speak of most, by what they are called, come first. */
function byPurpose(prompt: string, tools: readonly ToolProfile[]): ToolProfile[] {
  const told = withoutPacks(prompt)
    .replaceAll(/^- \*\*.*$/gm, '')
    .slice(0, longestPurpose);
  const spoken = meaningsOf(told);
  const share = (profile: ToolProfile): number => {
    const name = meaningsOf(profile.tool.name.replaceAll('-', '_'));
    const named = spoken.filter(profile.inName);
    return named.reduce((sum, meaning) => sum + weightOf(meaning), 0) / Math.max(1, name.length);
  };
  const shares = new Map(tools.map((tool) => [tool, share(tool)]));
  return tools.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0));
}

function abilities(
  { language, prompt }: Conversation,
  { reading }: Message,
  tools: readonly ToolProfile[],
): string {
  const own = phrases[language];
  if (tools.length === 0) return own.noTools;
  const list = byFit(reading, byPurpose(prompt, tools))
    .slice(0, mostTools)
    .map((profile) => `- ${abilityOf(profile, language)}`);
  return [own.canDo, ...list].join('\n');
}

/** The first sentences of what was said, or of the text handed over to be summed up. */
function digest(conversation: Conversation, tools: readonly ToolProfile[]): string {
  const own = phrases[conversation.language];
  const [, ...handedOver] = conversation.question.split(/\n+/).filter((line) => line.trim() !== '');
  const said = conversation.earlier.flatMap(({ question, answer }) => [question, answer]);
  const lines = (handedOver.length > 0 ? handedOver : said)
    .map((text) => sentencesOf(text)[0] ?? '')
    .filter((line) => line !== '')
    .slice(-mostLines)
    .map((line) => `- ${shortened(line, longestLine)}`);
  const text = lines.length === 0 ? own.nothingToSummarise : [own.summary, ...lines].join('\n');
  // Without tools it is a summary for the product's own use, in which the notice has no place.
  return tools.length === 0 ? text : closing(text, conversation);
}

/** Whether advice is sought on something that a tool can measure. */
const seeksMeasurable = ({ sentences }: Message, tools: readonly ToolProfile[]): boolean =>
  sentences.some(
    (sentence) =>
      seeksAdvice(sentence) &&
      tools.some((tool) => tool.kind === 'OTHER' && match(tool, sentence.subjects).score > 0),
  );

/** Whether somebody only tells of themselves, which an assistant that remembers can be asked to keep. */
const isTold = ({ sentences }: Message, tools: readonly ToolProfile[]): boolean =>
  sentences.length > 0 &&
  sentences.every(({ kind }) => kind === 'STATEMENT') &&
  tools.some(({ tool }) => tool.name === REMEMBER);

/** The honest answer when no tool fits: what this is, and what it can do. */
export function wordNoTool(
  conversation: Conversation,
  question: Question,
  { tools, catalogue }: { tools: readonly ToolProfile[]; catalogue: Catalogue },
): string {
  const own = phrases[conversation.language];
  const message = question.now;
  const { reading } = message;
  const [first] = reading.meanings;
  if (first?.key === 'summarise') return digest(conversation, tools);
  if (first?.key === 'continue' && isShort(reading) && !conversation.opening) return own.nothingToAdd;
  const talk = smallTalkIn(reading);
  if (talk === 'progress') return closing(own.nothingUnderWay, conversation);
  if (talk === 'thanks') return closing([own.thanks, own.example].join(own.gap), conversation);
  if (seeksMeasurable(message, tools)) return closing(own.cannotAdvise, conversation);
  if (talk === null && isTold(message, tools)) return closing(own.heard, conversation);
  const subject = subjectOf(conversation.question);
  const start = {
    greeting: own.greeting,
    identity: [own.identity(conversation.assistantName), own.limits].join(own.gap),
    other: /[\p{L}\p{N}]/u.test(subject) ? own.cannot(subject) : own.wordless,
  }[talk ?? 'other'];
  const hasPacks = catalogue.packs.length + catalogue.groups.length > 0 && talk !== 'greeting';
  const ofPacks = hasPacks ? tellCatalogue(catalogue, conversation, question) : '';
  const refusal = hasPacks && talk === null ? noneFits(conversation, question) : '';
  return closing(
    paragraphs(start, refusal, abilities(conversation, message, tools), ofPacks, hasPacks ? '' : own.example),
    conversation,
  );
}
