const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A line that is at most `most` large, by the sizes of its graphemes. A longer one, or one of which there is more, is cut at
 * the last blank of its second half and ends in an ellipsis of size 1; without a blank there (Chinese, Japanese, one long
 * word) it is cut between graphemes.
 */
export function cutAtWord(
  line: string,
  most: number,
  { sizeOf, hasMore }: { sizeOf: (grapheme: string) => number; hasMore: boolean },
): string {
  let size = 0;
  let cut = { end: 0, size: 0 };
  let word = cut;
  for (const { segment, index } of segmenter.segment(line)) {
    // Also right behind what fits: a word that ends there is whole.
    if (segment === ' ' && size === cut.size) word = { end: index, size };
    size += sizeOf(segment);
    if (size < most) cut = { end: index + segment.length, size };
    else if (size > most) break;
  }
  if (size <= most && !hasMore) return line;
  const { end } = word.size > most / 2 ? word : cut;
  return `${line.slice(0, end).toWellFormed()}…`;
}
