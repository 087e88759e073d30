/** Characters that no text has, or that replace undecodable ones. */
const UNREADABLE = /[\ufffd\p{Co}\p{Cn}\0-\x08\x0e-\x1f\x7f-\x9f]/gu;

/** UTF-8 decoded as Windows-1252: é, ’ and the like appear as two or three characters. */
const MOJIBAKE = /[ÂÃ][\u0080-\u00bf]|â[\u0080-\u0099€‚ƒ„…†‡ˆ‰Š‹ŒŽ][\u0080-\u00bf™œžŸš›˜”“•–—]/g;

/** The share of characters, without blanks, that are visibly not what the author wrote: 0 to 1. */
export function garbledShare(text: string): number {
  const characters = text.replaceAll(/\s+/g, '').length;
  if (characters === 0) return 0;
  const lost = lengthOf(text, UNREADABLE) + lengthOf(text, MOJIBAKE);
  return Math.min(1, lost / characters);
}

function lengthOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.reduce((sum, found) => sum + found.length, 0) ?? 0;
}
