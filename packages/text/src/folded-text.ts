import { fold } from '@palabre/lexical';

/** Removes accents and keeps the case, for identifiers: `É`, `Ｅ` and `ᴱ` become `E`. For comparing use `fold`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** Folded text with one kind of apostrophes and single blanks, for regular expressions. */
export function folded(text: string): string {
  return fold(text).replaceAll(/[’‘ʼ]/gu, "'").replaceAll(/\s+/gu, ' ');
}
