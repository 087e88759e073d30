import type { Word } from './words.js';

// What languages that inflect names put behind them (English, French, Spanish, German, Polish, Czech, Finnish, Turkish),
// folded. A list, and not any three letters: the annals are not Anna's, and marches nobody called Marc.
const afterVowel = new Set(
  's n t m ne ssa sta lla lta lle na ta ksi lta yi yu ya ye da de dan den nin nun wi owi ovi'.split(' '),
);
const afterConsonant = new Set('s es a u em iem om ie owi ovi ow ami ach ego emu iego iemu'.split(' '));

/** In the place of the a that a name ends in: Anna, Annie, Anny, Annou. Not e or o: Maria is neither Marie nor Mario. */
const inPlaceOfA = new Set('i y ie u ou ej iej om ami ach'.split(' '));

const VOWEL = /[aeiouyаеиоуыэюяіїα-ω]$/u;
const LATIN = /^[a-z]+$/;
const FLEETING_E = /^(.*[^aeiouy])e([^aeiouy])$/;

/** The longest that is stored of a word. */
const LONGEST_KEY = 24;

/** Longer endings are not looked for. */
const LONGEST_ENDING = 4;

const bare = (word: string): string => (word.length >= 3 && VOWEL.test(word) ? word.slice(0, -1) : word);

/** Marek, Marka: an e that goes when something follows. */
const withoutFleetingE = (word: string): string | null => {
  if (word.length < 5) return null;
  const [, before, after] = FLEETING_E.exec(word) ?? [];
  return before === undefined || after === undefined ? null : before + after;
};

/** Under which keys a word of a name is stored. */
export const stemKeysOf = (nameWord: string): string[] => {
  const stems = [bare(nameWord), withoutFleetingE(nameWord)];
  return stems.flatMap((stem) => (stem === null ? [] : [stem.slice(0, LONGEST_KEY)]));
};

/** Under which keys a name may be stored of which `word` is a form. */
export const possibleStemsOf = (word: string): string[] => {
  const stems = [word.slice(0, LONGEST_KEY)];
  for (let cut = 1; cut <= LONGEST_ENDING && word.length - cut >= 2; cut++) {
    stems.push(word.slice(0, -cut).slice(0, LONGEST_KEY));
  }
  return stems;
};

/** Whether `word` is the name's word with an ending, as far as spelling tells. */
export const isInflected = (nameWord: string, word: Word): boolean => {
  const { text, hasApostrophe } = word;
  if (text === nameWord || word.isCharacter) return false;
  if (text.startsWith(nameWord)) {
    return nameWord.length >= (hasApostrophe ? 3 : 4) && isEnding(nameWord, text.slice(nameWord.length));
  }
  return isOtherVowel(nameWord, word) || isContracted(nameWord, text);
};

const isEnding = (nameWord: string, ending: string): boolean => {
  if (ending.length > LONGEST_ENDING) return false;
  if (!LATIN.test(nameWord)) return ending.length <= 3;
  return (VOWEL.test(nameWord) ? afterVowel : afterConsonant).has(ending);
};

const isOtherVowel = (nameWord: string, { text, written, beginsSentence, hasCapital }: Word): boolean => {
  if (!/[aая]$/u.test(nameWord) || nameWord.length < 3) return false;
  const stem = nameWord.slice(0, -1);
  // Two letters are the beginning of many a word: these have to look like a name.
  if (stem.length < 3 && (beginsSentence || !hasCapital)) return false;
  if (!text.startsWith(stem)) return false;
  const ending = text.slice(stem.length);
  if (!LATIN.test(nameWord)) return ending.length > 0 && ending.length <= 3;
  return inPlaceOfA.has(ending) || (ending === 'e' && /[ěę]$/u.test(written));
};

const isContracted = (nameWord: string, text: string): boolean => {
  const stem = withoutFleetingE(nameWord);
  return stem !== null && text.startsWith(stem) && afterConsonant.has(text.slice(stem.length));
};
