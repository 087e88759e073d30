/** A text as it is compared with words: without case and accents, apostrophes and blanks of one kind. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘ʼ]/gu, "'")
    .replaceAll(/\s+/gu, ' ');
