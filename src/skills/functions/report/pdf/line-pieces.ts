const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff01-\uffef]/u;
/** What does not begin a line: closing marks. */
const closing = /^[、。，．：；！？）」』】〉》〕％…·・”’ー,.:;!?)\]}%»]/u;
/** What does not end one: opening marks. */
const opening = /[（「『【〈《〔“‘([{«]$/u;
const space = /^[ \u3000]$/;
/** Long words of addresses and ranges may be cut behind these. */
const seam = /^[-–—/_&=?]$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters as a reader sees them. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** The pieces between which a line may end: words with the space behind them, and single Chinese characters. */
export const linePieces = (text: string): string[] => {
  const pieces: string[] = [];
  let piece = '';
  let last = '';
  for (const next of graphemesOf(text)) {
    if (piece !== '' && mayBreak(last, next)) {
      pieces.push(piece);
      piece = '';
    }
    piece += next;
    last = next;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
};

const mayBreak = (last: string, next: string): boolean => {
  if (space.test(next)) return false;
  if (space.test(last)) return true;
  if (closing.test(next) || opening.test(last)) return false;
  return seam.test(last) || wide.test(last) || wide.test(next);
};
