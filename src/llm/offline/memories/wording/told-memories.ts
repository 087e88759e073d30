import type { Language } from '../../reading/words/language.js';
import { ended } from '../../wording/best-sentences.js';
import { phrases } from '../../wording/languages/phrases.js';
import type { KnownMemory, SaidBefore } from '../known.js';
import { memoryPhrases } from './memory-phrases.js';

/** A day in words; null for none, and for what is no day. */
export function dayInWords(day: string | null, language: Language): string | null {
  const time = day === null ? Number.NaN : Date.parse(day);
  if (Number.isNaN(time)) return null;
  const { locale } = phrases[language];
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  return language === 'fr' ? words.replace(/^1 /, '1er ') : words;
}

/** The same with the name of the day of the week. */
export const fullDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(phrases[language].locale, { dateStyle: 'full', timeZone: 'UTC' }).format(
    Date.parse(day),
  );

const isToldIn = (content: string, value: string): boolean =>
  content.toLowerCase().includes(value.toLowerCase());

/** Words of the person's own, which would be another's out of the assistant's mouth. */
const firstPerson =
  /(?<![\p{L}\p{N}])(?:je|j'|m'|moi|mon|ma|mes|nous|notre|nos|i|i'm|i'd|my|me|we|our|yo|mi|mis|nuestr[oa]s?|prefiero)(?![\p{L}\p{N}])|-moi(?!\p{L})|我/iu;

export const isOwnWords = ({ content }: KnownMemory): boolean => firstPerson.test(content);

/** Whether a memory tells by its attributes what its content does not. */
export const tellsMore = ({ content, attributes }: KnownMemory): boolean =>
  Object.values(attributes).some((value) => !isToldIn(content, value));

/** A memory's content, and in brackets the attributes that it does not tell itself, and its day. */
export function contentOf(memory: KnownMemory, language: Language): string {
  const { content, attributes, since } = memory;
  const own = memoryPhrases[language];
  const untold = Object.entries(attributes)
    .filter(([, value]) => !isToldIn(content, value))
    .map(([key, value]) => `${own.attributes[key] ?? key}${own.colon}${value}`);
  const day = dayInWords(since, language);
  const details = [...untold, ...(day === null ? [] : [own.since(day)])].join(own.separator);
  const told = content.replace(/[.。]$/u, '');
  const bare = isOwnWords(memory) ? phrases[language].quoted(told) : told;
  if (details === '') return ended(bare);
  return language === 'zh-Hant' ? `${bare}（${details}）。` : `${bare} (${details}).`;
}

/** A memory with its subject, where the content does not name it. */
export function memoryText(memory: KnownMemory, language: Language): string {
  const told = contentOf(memory, language);
  const isNamed = memory.subject === '' || isToldIn(memory.content, memory.subject);
  return isNamed ? told : `${memory.subject}${memoryPhrases[language].colon}${told}`;
}

/** What was said before, below the days on which it was. */
export function saidLines(said: readonly SaidBefore[], language: Language): string {
  const own = memoryPhrases[language];
  const { quoted } = phrases[language];
  const byDay = Map.groupBy(said, ({ date }) => date);
  return [...byDay]
    .toSorted(([a], [b]) => (a ?? '').localeCompare(b ?? ''))
    .map(([date, lines]) => {
      const day = dayInWords(date, language);
      const told = lines.map(({ author, text }) =>
        author === '' ? `- ${quoted(text)}` : `- ${author}${own.colon}${quoted(text)}`,
      );
      return [day === null ? own.saidBefore : own.saidOn(day), ...told].join('\n');
    })
    .join('\n\n');
}
