import { possibleStemsOf, stemKeysOf } from './inflection.js';
import { type Name, withoutEmails } from './names.js';
import { type Word, wordsOf } from './words.js';

/**
 * What is looked up of one message: so many keys take about a millisecond. Of a longer one what is likeliest to be a
 * name: what begins with a capital, and then what is long.
 */
const MOST_KEYS = 400;

/** A longer message is not read to its end. */
const LONGEST_MESSAGE = 20_000;

/** More pairs of one name tell nothing new. */
const MOST_PAIRS = 3;

/** Longer words are told apart by their beginnings. */
const LONGEST_IN_PAIR = 40;

/** How much a key tells of whom it finds. */
export interface MessageKey {
  key: string;
  weight: number;
}

const WEIGHT = { email: 8, pair: 4, run: 3, word: 1 } as const;

/** A message as names are looked for in it. */
export interface Reading {
  words: readonly Word[];
  emails: ReadonlySet<string>;
  /** It is written with capitals where names have them, so that a small letter tells that none is meant. */
  usesCapitals: boolean;
  /** Where in `words` forms may be of the name's word that is stored under a stem. */
  positions: ReadonlyMap<string, readonly number[]>;
}

export const readMessage = (message: string): Reading => {
  const { emails, rest } = withoutEmails(message.slice(0, LONGEST_MESSAGE));
  const words = wordsOf(rest);
  const positions = new Map<string, number[]>();
  words.forEach((word, index) => {
    const stems = word.isCharacter ? [word.text] : new Set(possibleStemsOf(word.text));
    for (const stem of stems) {
      const known = positions.get(stem);
      if (known) known.push(index);
      else positions.set(stem, [index]);
    }
  });
  const usesCapitals = words.some(
    ({ hasCapital, beginsSentence, text }) => hasCapital && !beginsSentence && text.length > 1,
  );
  return { words, emails: new Set(emails), usesCapitals, positions };
};

/** Under which keys a project or a contact of these names is stored. */
export const keysOf = (names: readonly Name[]): string[] => [...new Set(names.flatMap(keysOfName))];

const keysOfName = ({ kind, words, needsTitle, email }: Name): string[] => {
  if (email !== undefined) return [emailKey(email)];
  const run = longestRun(words);
  if (needsTitle) return run.slice(0, 1).map(({ text }) => titledKey(text));
  if (run.length >= 2) return [runKey(run)];
  const telling = tellingWords(words.filter(({ isCharacter }) => !isCharacter));
  const [longest] = telling.toSorted((a, b) => b.text.length - a.text.length);
  const stems = longest ? stemKeysOf(longest.text) : [];
  if (kind === 'LAST' || kind === 'FIRST') return stems;
  return [...stems, ...pairsOf(telling.slice(0, MOST_PAIRS + 1))];
};

/** What to look up for a message, at most 400 keys. */
export const keysOfMessage = ({ words, emails }: Reading): MessageKey[] => {
  const keys = new Map<string, number>();
  const add = (found: Iterable<string>, weight: number, room: number): void => {
    for (const key of found) if (keys.size < room && !keys.has(key)) keys.set(key, weight);
  };
  const spaced = words.filter(({ isCharacter }) => !isCharacter);
  // Both kinds of writing have their share of a message that mixes them.
  const room = spaced.length < words.length ? MOST_KEYS / 2 : MOST_KEYS;
  add(Array.from(emails, emailKey), WEIGHT.email, room / 4);
  add(pairsOf(spaced.filter(isTelling)), WEIGHT.pair, room / 2);
  for (const { text } of likeliestFirst(spaced)) add(possibleStemsOf(text), WEIGHT.word, room);
  add(runKeysOf(words), WEIGHT.run, MOST_KEYS);
  return Array.from(keys, ([key, weight]) => ({ key, weight }));
};

const likelihood = ({ hasCapital, beginsSentence, text }: Word): number =>
  (hasCapital ? 200 : 0) - (beginsSentence ? 100 : 0) + Math.min(text.length, 50);

const likeliestFirst = (words: readonly Word[]): Word[] =>
  words.toSorted((a, b) => likelihood(b) - likelihood(a));

/** What stands in every sentence and seldom begins a name: looked up last. */
const PARTICLE =
  /^[的了是在我你他她它們们這这那嗎吗呢吧啊請请幫帮把被很不也都就還还和與与及はがをにでともの]/u;

/** Of a name without blanks two, three or six characters are stored: others would find too much or be too many. */
const runLengths = [3, 2, 6];

const runKeysOf = (words: readonly Word[]): string[] => {
  const likely: string[] = [];
  const unlikely: string[] = [];
  for (const [index, word] of words.entries()) {
    if (!word.isCharacter) continue;
    if (isTitle(words, index + 1)) likely.push(titledKey(word.text));
    const run = words.slice(index, index + Math.max(...runLengths));
    const end = run.findIndex(({ isCharacter }) => !isCharacter);
    const length = end < 0 ? run.length : end;
    const found = runLengths
      .filter((wanted) => wanted <= length)
      .map((wanted) => runKey(run.slice(0, wanted)));
    (PARTICLE.test(word.text) ? unlikely : likely).push(...found);
  }
  return [...likely, ...unlikely];
};

const runKey = (run: readonly Word[]): string => {
  const length = run.length >= 6 ? 6 : Math.min(run.length, 3);
  return `~${textOf(run.slice(0, length))}`;
};

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join('');

/** The longest run of characters in a name. */
const longestRun = (words: readonly Word[]): Word[] => {
  const runs: Word[][] = [[]];
  for (const word of words) {
    if (word.isCharacter) runs.at(-1)?.push(word);
    else runs.push([]);
  }
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? [];
};

const titled =
  /^(?:先生|小姐|女士|太太|總|总|董|經理|经理|老師|老师|主任|醫師|医生|博士|教授|さん|さま|様|氏|君|씨|님)/u;

/** Whether a title stands at `index`: what is before it is a name, however short. */
export const isTitle = (words: readonly Word[], index: number): boolean =>
  titled.test(textOf(words.slice(index, index + 2)));

/** Words of one or two letters stand in every sentence: how many names have them tells nothing. */
const isTelling = ({ text, isCharacter }: Word): boolean => isCharacter || text.length > 2;

/** The words of a name without its particles, where what is left is enough to tell it by. */
export const tellingWords = (words: readonly Word[]): readonly Word[] => {
  const telling = words.filter(isTelling);
  return telling.length >= 2 ? telling : words;
};

/** Of neighbours, in no order: as they are written, and how both begin, which endings leave as it is. */
const pairsOf = (words: readonly Word[]): string[] =>
  words.flatMap(({ text }, index) => {
    const next = words[index + 1]?.text;
    if (next === undefined) return [];
    return [pairKey('=', text, next), pairKey('+', text.slice(0, 3), next.slice(0, 3))];
  });

const pairKey = (mark: '=' | '+', ...words: [string, string]): string => {
  const [a = '', b = ''] = words.toSorted();
  return `${mark}${a.slice(0, LONGEST_IN_PAIR)} ${b.slice(0, LONGEST_IN_PAIR)}`;
};

const emailKey = (email: string): string => `@${email.slice(0, 320)}`;
const titledKey = (surname: string): string => `^${surname}`;
