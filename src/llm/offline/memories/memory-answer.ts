import { fold, tidy, wordsOf } from '../reading/words/fold.js';
import { likeness, Subject } from '../reading/words/likeness.js';
import type { Language } from '../reading/words/language.js';
import { paragraphs } from '../wording/answer.js';
import { ended } from '../wording/best-sentences.js';
import { shortened } from '../wording/shortened.js';
import { orderToForget } from './forgetting.js';
import { type Known, type KnownMemory, namesOne, type SaidBefore, speaksOf } from './known.js';
import { askedFor, type MemoryQuestion } from './memory-question.js';
import { emailIn, phoneIn } from './notes/people.js';
import { isWithin } from './period.js';
import { memoryPhrases } from './wording/memory-phrases.js';
import { dayInWords, isOwnWords, memoryText, saidLines, tellsMore } from './wording/told-memories.js';

const mostMemories = 5;
const mostListed = 30;
const mostSaid = 4;
const longestSaid = 300;
const fewestWords = 4;
const alike = 0.34;
const shareOfBest = 0.6;

const wantsEmail =
  /\b(?:adresse|e-?mails?|mails?|courriel|address|correo|direccion|ecrire)\b|電子郵件|電郵|信箱|email/;
const wantsPhone =
  /\b(?:numeros?|tel|telephones?|portable|mobile|whatsapp|appeler|phone|number|call|telefono|movil|llamar)\b|電話|手機/;
const wantsCompany =
  /\bou (?:travaille|bosse)|(?:travaille|bosse)(?:-t-(?:il|elle|on))? ou\b|(?:quelle|what|que|cual).{0,20}\b(?:societe|entreprise|company|empresa)\b|\bwhere does .{1,60} work\b|\bdonde trabaja\b|在哪(?:裡|家)?(?:公司)?(?:工作|上班)|哪家公司/;

interface Scored<Item> {
  item: Item;
  score: number;
}

const withoutName = (told: string, name: string): string =>
  name
    .split(' ')
    .filter((word) => /^\p{Lu}/u.test(word))
    .reduce((text, word) => text.replaceAll(word.toLowerCase(), ' '), told.toLowerCase());

/** How well a memory answers: by name where it has one, else by what it says. */
function scoreOf(memory: KnownMemory, asked: Subject, text: string): number {
  const { kind, subject, content, attributes } = memory;
  const told = [subject, content, ...Object.values(attributes)].join('\n');
  // Whom a contact's name names is told apart from what its words mean.
  const own = likeness(asked, kind === 'CONTACT' ? withoutName(told, subject) : told);
  const names = [subject, ...(attributes['aliases'] ?? '').split(/, |、/)].filter((name) => name !== '');
  const isNamed = kind === 'CONTACT' && names.some((name) => namesOne(name, text));
  const isSpokenOf = kind === 'PROJECT' ? namesOne(subject, text) : speaksOf(subject, text);
  return own + (isNamed || isSpokenOf ? 1 : 0);
}

function best<Item>(scored: readonly Scored<Item>[], least: number, most: number): Item[] {
  const top = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score >= least && score >= shareOfBest * top)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}

/** The memories that a question speaks of, the best first. `least`: how much of it they have to have. */
export function memoriesFor(text: string, memories: readonly KnownMemory[], least = alike): KnownMemory[] {
  const asked = new Subject(askedFor(text) || text);
  const scored = memories.map((item) => ({ item, score: scoreOf(item, asked, text) }));
  return best(scored, least, mostMemories);
}

/** «C'est noté», questions and orders to forget tell nothing. */
const tellsSomething = (text: string): boolean =>
  !/[?？]\s*$/u.test(text) &&
  orderToForget(text) === null &&
  (wordsOf(fold(text)).length >= fewestWords || /\p{Script=Han}{5}/u.test(text));

/** What was said that a question asks for: on its days, and of its subject where it names one. */
function saidFor({ query, period }: MemoryQuestion, said: readonly SaidBefore[]): SaidBefore[] {
  const told = said.filter(({ text }) => tellsSomething(text));
  const then = period ? told.filter(({ date }) => isWithin(date, period)) : told;
  const asked = new Subject(query);
  if (asked.most === 0) return period ? then.slice(0, mostSaid) : [];
  return best(
    then.map((item) => ({ item, score: likeness(asked, item.text) })),
    alike,
    mostSaid,
  );
}

const fewestLetters = 12;

/** Without answers that only repeat what they are given to: «I cannot answer “…”». */
const withoutEchoes = (said: readonly SaidBefore[]): SaidBefore[] =>
  said.filter(
    (each) =>
      !said.some(
        ({ text }) =>
          text !== each.text && text.length >= fewestLetters && each.text.includes(text.slice(0, 60)),
      ),
  );

const shortenedSaid = (said: readonly SaidBefore[]): SaidBefore[] =>
  said.map((each) => ({ ...each, text: shortened(each.text, longestSaid) }));

/** One memory as the answer to a question: the detail that it asks for, else all that was noted. */
function tellOne(memory: KnownMemory, text: string, language: Language): string {
  const own = memoryPhrases[language];
  const folded = fold(tidy(text));
  const { kind, subject, content, attributes } = memory;
  const day = dayInWords(memory.since, language);
  if (kind === 'CONTACT') {
    const email = attributes['email'] ?? emailIn(content);
    const phone = attributes['phone'] ?? phoneIn(content);
    if (wantsPhone.test(folded) && !/\be-?mails?\b/.test(folded) && phone)
      return own.phone(subject, phone, day);
    if (wantsEmail.test(folded) && email) return own.email(subject, email, day);
    if (wantsCompany.test(folded) && attributes['company'])
      return own.company(subject, attributes['company'], day);
  }
  const isQuoted = !tellsMore(memory) && (kind === 'PREFERENCE' || kind === 'FACT' || isOwnWords(memory));
  return isQuoted ? own.asNoted(ended(content), day) : memoryText(memory, language);
}

const tellMemories = (memories: readonly KnownMemory[], text: string, language: Language): string => {
  const [first, ...others] = memories;
  if (!first) return '';
  if (others.length === 0) return tellOne(first, text, language);
  return [memoryPhrases[language].several, ...memories.map((each) => `- ${memoryText(each, language)}`)].join(
    '\n',
  );
};

/** Whether the best answers so much better than the others that they would only distract. */
function told(memories: readonly KnownMemory[], text: string): readonly KnownMemory[] {
  const named = memories.filter(({ kind, subject }) => kind === 'CONTACT' && namesOne(subject, text));
  const inFull = named.filter(({ subject }) => speaksOf(subject, text));
  if (inFull.length > 0) return inFull;
  return named.length > 0 ? named : memories.slice(0, 3);
}

/** All that is known, kind by kind. */
export function tellAll({ memories, hasMore }: Known, language: Language): string {
  if (memories.length === 0) return '';
  const own = memoryPhrases[language];
  const lines = memories.slice(0, mostListed).map((memory) => `- ${memoryText(memory, language)}`);
  return paragraphs([own.all, ...lines].join('\n'), hasMore ? own.hasMore : '');
}

/** The answer to a question for what is remembered; empty: nothing that is known answers it. */
export function answerTo(question: MemoryQuestion, known: Known, text: string, language: Language): string {
  const { memories, said } = known;
  if (question.isAboutAll) return tellAll(known, language);
  const lines = saidLines(shortenedSaid(saidFor(question, said)), language);
  // What was said on a day is asked for, and not what was noted of the same matter.
  if (question.period && lines !== '') return lines;
  const found = question.query === '' ? [] : told(memoriesFor(question.query, memories), text);
  const noted = tellMemories(found, text, language);
  // What is noted holds now; what was said may have been corrected since.
  return noted !== '' && !question.isAboutSaying ? noted : paragraphs(noted, lines);
}

const ownAffairs = /\b(?:mon|ma|mes|je|j'|moi|my|mine|i|me|mi|mis|mio|prefiero|tengo)\b|我的?(?!們)/;
/** How to reach somebody: nobody but the person who asks has told. */
const reaching =
  /\b(?:adresse|e-?mail|mail|courriel|numero|telephone|contact\w*|address|phone number|correo|direccion|telefono)\b.{0,20}?(?:de |d'|of |'s)|電子郵件|電話/;
/** How something is done, and what is of the company, nobody has told of themselves. */
const notPersonal =
  /\b(?:comment (?:puis-je|peut-on|je peux|faire|\w+er\b)|how (?:do|can|should|could) (?:i|we)|como (?:puedo|hago|podemos|se|\w+[aei]r\b)|(?:mon|my|mi) (?:entreprise|societe|boite|pme|company|business|firm|empresa|pyme))\b|如何|公司/;
const answeredWell = 0.6;

/** Whether only what is remembered could answer a question: it is about the person, or how to reach somebody. */
export const isPersonal = (text: string): boolean => {
  const folded = fold(tidy(text));
  if (notPersonal.test(folded)) return false;
  return (
    ownAffairs.test(folded) || (reaching.test(folded) && /\s\p{Lu}\p{L}|\p{Script=Han}{2}的/u.test(text))
  );
};

/** The answer that what is known gives to any question; empty: none that would be worth giving. */
export function answerFromKnown(text: string, { memories, said }: Known, language: Language): string {
  const least = isPersonal(text) ? alike : answeredWell;
  const noted = tellMemories(told(memoriesFor(text, memories, least), text), text, language);
  if (noted !== '' || !isPersonal(text)) return noted;
  const asked = { query: askedFor(text), period: null, isAboutAll: false, isAboutSaying: true };
  return saidLines(shortenedSaid(saidFor(asked, withoutEchoes(said))), language);
}
