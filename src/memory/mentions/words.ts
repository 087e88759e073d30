const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

/** Lower case, without accents, width or ligatures: as names are compared. Kana keep the marks that make them. */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßæœøđðłıþ]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');

/** A word of a text; of scripts that put no blanks between words, a single character. */
export interface Word {
  /** Folded. */
  text: string;
  written: string;
  /** Of a script without blanks: Chinese, Japanese, Korean (whose particles follow without one), Thai and its neighbours. */
  isCharacter: boolean;
  hasCapital: boolean;
  beginsSentence: boolean;
  /** An apostrophe follows, and then letters: Awa's, Elif'e. */
  hasApostrophe: boolean;
  /** Nothing is between it and the word before it. */
  isJoined: boolean;
}

const CHARACTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}ー々]\\p{M}*';

const TOKEN = new RegExp(`(${CHARACTER})|(?:(?!${CHARACTER})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** What two texts have between them when a new sentence begins. An inverted mark stands before its sentence. */
const SENTENCE_BREAK = /[.!?…:;\n¿¡。!?「『"“«]/u;

const AN_ENDING_FOLLOWS = /^['’‘ʼ`´]\p{L}/u;

/** The words of a text, in their order. */
export const wordsOf = (text: string): Word[] => {
  const composed = text.normalize('NFC');
  let end = 0;
  return Array.from(composed.matchAll(TOKEN), ({ 0: written, 1: character, index }) => {
    const between = composed.slice(end, index);
    const beginsSentence = end === 0 || SENTENCE_BREAK.test(between);
    const isJoined = end > 0 && index === end;
    end = index + written.length;
    return {
      text: fold(written),
      written,
      isCharacter: character !== undefined,
      hasCapital: /^\p{Lu}/u.test(written),
      beginsSentence,
      hasApostrophe: AN_ENDING_FOLLOWS.test(composed.slice(end, end + 2)),
      isJoined,
    };
  });
};
