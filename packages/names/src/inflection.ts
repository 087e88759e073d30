import type { Word } from './names.js';

// Endings of inflected names in English, French, Spanish, German, Polish, Czech, Finnish and Turkish, folded. A list
// instead of any three letters, because "annals" is not Anna and "marches" is not Marc.
const afterVowel = new Set(
  's n t m ne ssa sta lla lta lle na ta ksi lta yi yu ya ye da de dan den nin nun wi owi ovi'.split(' '),
);
const afterConsonant = new Set('s es a u em iem om ie owi ovi ow ami ach ego emu iego iemu'.split(' '));

/** Endings that replace a final a: Anna, Annie, Anny, Annou. Not e or o: Maria is neither Marie nor Mario. */
const replacingA = new Set('i y ie u ou ej iej om ami ach'.split(' '));

const VOWEL = /[aeiouyаеиоуыэюяіїα-ω]$/u;
const LATIN = /^[a-z]+$/;
const FLEETING_E = /^(.*[^aeiouy])e([^aeiouy])$/;

const MAX_STEM_LENGTH = 24;

const MAX_ENDING_LENGTH = 4;

function withoutFinalVowel(word: string): string {
  return word.length >= 3 && VOWEL.test(word) ? word.slice(0, -1) : word;
}

/** Slavic names lose this e before an ending: Marek, Marka. */
function withoutFleetingE(word: string): string | null {
  if (word.length < 5) return null;
  const [, before, after] = FLEETING_E.exec(word) ?? [];
  return before === undefined || after === undefined ? null : before + after;
}

export function stemKeysOf(nameWord: string): string[] {
  const stems = [withoutFinalVowel(nameWord), withoutFleetingE(nameWord)];
  return stems.flatMap((stem) => (stem === null ? [] : [stem.slice(0, MAX_STEM_LENGTH)]));
}

/** The stored keys that `word` may be an inflected form of. */
export function possibleStemsOf(word: string): string[] {
  const stems = [word.slice(0, MAX_STEM_LENGTH)];
  for (let cut = 1; cut <= MAX_ENDING_LENGTH && word.length - cut >= 2; cut++)
    stems.push(word.slice(0, -cut).slice(0, MAX_STEM_LENGTH));
  return stems;
}

/** Whether `word` is the name's word with an inflected ending, by its spelling. */
export function isInflected(nameWord: string, word: Word): boolean {
  const { text, hasApostrophe } = word;
  if (text === nameWord || word.isCharacter) return false;
  if (text.startsWith(nameWord))
    return nameWord.length >= (hasApostrophe ? 3 : 4) && isEnding(nameWord, text.slice(nameWord.length));
  return isOtherVowel(nameWord, word) || isContracted(nameWord, text);
}

function isEnding(nameWord: string, ending: string): boolean {
  if (ending.length > MAX_ENDING_LENGTH) return false;
  if (!LATIN.test(nameWord)) return ending.length <= 3;
  return (VOWEL.test(nameWord) ? afterVowel : afterConsonant).has(ending);
}

function isOtherVowel(nameWord: string, { text, written, beginsSentence, hasCapital }: Word): boolean {
  if (!/[aая]$/u.test(nameWord) || nameWord.length < 3) return false;
  const stem = nameWord.slice(0, -1);
  // Many words begin with the same two letters, so a short stem needs a capital.
  if (stem.length < 3 && (beginsSentence || !hasCapital)) return false;
  if (!text.startsWith(stem)) return false;
  const ending = text.slice(stem.length);
  if (!LATIN.test(nameWord)) return ending.length > 0 && ending.length <= 3;
  return replacingA.has(ending) || (ending === 'e' && /[ěę]$/u.test(written));
}

function isContracted(nameWord: string, text: string): boolean {
  const stem = withoutFleetingE(nameWord);
  return stem !== null && text.startsWith(stem) && afterConsonant.has(text.slice(stem.length));
}
