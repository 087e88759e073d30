/** A word as it is compared: without case and accents. */
export function foldedWord(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
