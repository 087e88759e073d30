import { foldedWord } from './folded-word.js';

export interface Stretch {
  text: string;
  isMarked: boolean;
}

const WORDS = /[\p{L}\p{N}]+/gu;
const MIN_LETTERS = 4;

/** A passage, with the longer words marked that a sentence has too, whatever their case and accents. */
export function marked(passage: string, sentence: string): Stretch[] {
  const wanted = new Set((sentence.match(WORDS) ?? []).map(foldedWord).filter(isTelling));
  const stretches: Stretch[] = [];
  let end = 0;
  for (const { 0: word, index } of passage.matchAll(WORDS)) {
    if (!wanted.has(foldedWord(word))) continue;
    if (index > end) stretches.push({ text: passage.slice(end, index), isMarked: false });
    stretches.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < passage.length) stretches.push({ text: passage.slice(end), isMarked: false });
  return stretches;
}

/** Short words are in every sentence; numbers and Chinese characters tell much by themselves. */
function isTelling(word: string): boolean {
  return word.length >= MIN_LETTERS || /[\p{N}\p{Script=Han}]/u.test(word);
}
