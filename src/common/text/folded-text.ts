/** Letters without their accents, in the plain one of their forms: `é` is `e`, and so are `ｅ` and `ᵉ`. */
export const withoutAccents = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');

/** A text as it is compared with words: without case and accents, apostrophes and blanks of one kind. */
export const folded = (text: string): string =>
  withoutAccents(text).toLowerCase().replaceAll(/[’‘ʼ]/gu, "'").replaceAll(/\s+/gu, ' ');
