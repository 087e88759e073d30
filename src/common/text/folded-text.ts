/** Removes accents and normalizes compatibility forms: `é`, `ｅ` and `ᵉ` become `e`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/** For comparing: lower case, without accents, with one kind of apostrophes and blanks. */
export function folded(text: string): string {
  return withoutAccents(text).toLowerCase().replaceAll(/[’‘ʼ]/gu, "'").replaceAll(/\s+/gu, ' ');
}
