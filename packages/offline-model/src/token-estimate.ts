const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Estimates tokens: one per Chinese, Japanese or Korean character, one per four other characters. */
export function estimateTokens(text: string): number {
  const single = text.match(han)?.length ?? 0;
  return single + Math.ceil((text.length - single) / 4);
}

const piece =
  /\s*(?:[\p{Script=Han}\u3000-\u303f\uff00-\uffef]{1,2}|[^\s\p{Script=Han}\u3000-\u303f\uff00-\uffef]{1,24})|\s+/gu;

/** Splits a text for streaming: a word with the blank before it, or two Chinese characters. */
export function piecesOf(text: string): string[] {
  return text.match(piece) ?? [];
}

/** The longest beginning of whole parts within a number of tokens. */
export function cutToTokens(text: string, limit: number): string {
  let kept = '';
  for (const next of piecesOf(text)) {
    if (estimateTokens(kept + next) > limit) return kept;
    kept += next;
  }
  return kept;
}
