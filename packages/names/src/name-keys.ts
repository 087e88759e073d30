import { possibleStemsOf, stemKeysOf } from './inflection.js';
import { type Name, withoutEmails, type Word, wordsOf } from './names.js';

/** The most keys: a millisecond of lookups. Longer messages keep words with a capital, then long ones. */
const MAX_KEYS = 400;

/** Longer messages are cut. */
const MAX_MESSAGE_LENGTH = 20_000;

/** The most pairs of words stored for a name. */
const MAX_PAIRS = 3;

const MAX_PAIR_WORD_LENGTH = 40;

/** A key to look up, and the weight of a match. */
export interface MessageKey {
  key: string;
  weight: number;
}

const WEIGHT = { email: 8, pair: 4, run: 3, word: 1 } as const;

/** A message prepared for finding names in it. */
export interface Reading {
  words: readonly Word[];
  emails: ReadonlySet<string>;
  /** The message has capitals within sentences, so a word without one is probably not a name. */
  usesCapitals: boolean;
  /** For each stem, where in `words` possible forms of it are. */
  positions: ReadonlyMap<string, readonly { index: number }[]>;
}

export function readMessage(message: string): Reading {
  const { emails, rest } = withoutEmails(message.slice(0, MAX_MESSAGE_LENGTH));
  const words = wordsOf(rest);
  const stems = words.flatMap((word, index) =>
    [...new Set(word.isCharacter ? [word.text] : possibleStemsOf(word.text))].map((stem) => ({
      stem,
      index,
    })),
  );
  const usesCapitals = words.some(
    ({ hasCapital, beginsSentence, text }) => hasCapital && !beginsSentence && text.length > 1,
  );
  return { words, emails: new Set(emails), usesCapitals, positions: Map.groupBy(stems, ({ stem }) => stem) };
}

/** The keys under which a project or contact with these names is stored. */
export function keysOf(names: readonly Name[]): string[] {
  return [...new Set(names.flatMap(keysOfName))];
}

function keysOfName({ kind, words, needsTitle, email }: Name): string[] {
  if (email !== undefined) return [emailKey(email)];
  const run = longestRun(words);
  if (needsTitle) return run.slice(0, 1).map(({ text }) => titledKey(text));
  if (run.length >= 2) return [runKey(run)];
  const telling = tellingWords(words.filter(({ isCharacter }) => !isCharacter));
  const [longest] = telling.toSorted((a, b) => b.text.length - a.text.length);
  const stems = longest ? stemKeysOf(longest.text) : [];
  if (kind === 'LAST' || kind === 'FIRST') return stems;
  return [...stems, ...pairsOf(telling.slice(0, MAX_PAIRS + 1))];
}

/** The keys to look up for a message, at most MAX_KEYS. */
export function keysOfMessage({ words, emails }: Reading): MessageKey[] {
  const keys = new Map<string, number>();
  const add = (found: Iterable<string>, weight: number, room: number): void => {
    for (const key of found) if (keys.size < room && !keys.has(key)) keys.set(key, weight);
  };
  const spaced = words.filter(({ isCharacter }) => !isCharacter);
  // A message that mixes scripts with and without spaces gives each half of the keys.
  const room = spaced.length < words.length ? MAX_KEYS / 2 : MAX_KEYS;
  add(Array.from(emails, emailKey), WEIGHT.email, room / 4);
  add(pairsOf(spaced.filter(isTelling)), WEIGHT.pair, room / 2);
  for (const { text } of likeliestFirst(spaced)) add(possibleStemsOf(text), WEIGHT.word, room);
  add(runKeysOf(words), WEIGHT.run, MAX_KEYS);
  return Array.from(keys, ([key, weight]) => ({ key, weight }));
}

function likelihood({ hasCapital, beginsSentence, text }: Word): number {
  return (hasCapital ? 200 : 0) - (beginsSentence ? 100 : 0) + Math.min(text.length, 50);
}

function likeliestFirst(words: readonly Word[]): Word[] {
  return words.toSorted((a, b) => likelihood(b) - likelihood(a));
}

/** Common characters that rarely begin a name. They are looked up last. */
const PARTICLE =
  /^[的了是在我你他她它們们這这那嗎吗呢吧啊請请幫帮把被很不也都就還还和與与及はがをにでともの]/u;

/** Names without spaces are stored by their first 2, 3 or 6 characters: a compromise between hits and keys. */
const runLengths = [3, 2, 6];

function runKeysOf(words: readonly Word[]): string[] {
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
}

function runKey(run: readonly Word[]): string {
  const length = run.length >= 6 ? 6 : Math.min(run.length, 3);
  return `~${textOf(run.slice(0, length))}`;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join('');
}

function longestRun(words: readonly Word[]): Word[] {
  const runs: Word[][] = [[]];
  for (const word of words) {
    if (word.isCharacter) runs.at(-1)?.push(word);
    else runs.push([]);
  }
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

const titled =
  /^(?:先生|小姐|女士|太太|總|总|董|經理|经理|老師|老师|主任|醫師|医生|博士|教授|さん|さま|様|氏|君|씨|님)/u;

/** Whether a title stands at `index`. Before a title even one character is a name. */
export function isTitle(words: readonly Word[], index: number): boolean {
  return titled.test(textOf(words.slice(index, index + 2)));
}

/** Words of one or two letters are too common to identify a name. */
function isTelling({ text, isCharacter }: Word): boolean {
  return isCharacter || text.length > 2;
}

/** The words of a name without its particles, if at least two are left. */
export function tellingWords(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(isTelling);
  return telling.length >= 2 ? telling : words;
}

/** Keys of neighbouring words in any order: one of whole words, and one of beginnings, which suffixes do not change. */
function pairsOf(words: readonly Word[]): string[] {
  return words.flatMap(({ text }, index) => {
    const next = words[index + 1]?.text;
    if (next === undefined) return [];
    return [pairKey('=', text, next), pairKey('+', text.slice(0, 3), next.slice(0, 3))];
  });
}

function pairKey(mark: '=' | '+', ...words: [string, string]): string {
  const [a = '', b = ''] = words.toSorted();
  return `${mark}${a.slice(0, MAX_PAIR_WORD_LENGTH)} ${b.slice(0, MAX_PAIR_WORD_LENGTH)}`;
}

function emailKey(email: string): string {
  return `@${email.slice(0, 320)}`;
}
function titledKey(surname: string): string {
  return `^${surname}`;
}
