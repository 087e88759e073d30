const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Cuts a line to at most `most`, by the sizes of its graphemes, at the last blank of its second half, and adds an
 * ellipsis of size 1. Without such a blank (Chinese, Japanese, one long word) it cuts between graphemes. `hasMore`: the
 * text goes on after the line, so that even a line that fits ends in an ellipsis.
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
    // Includes a blank directly after the cut: the word before it is complete.
    if (segment === ' ' && size === cut.size) word = { end: index, size };
    size += sizeOf(segment);
    if (size < most) cut = { end: index + segment.length, size };
    else if (size > most) break;
  }
  if (size <= most && !hasMore) return line;
  const { end } = word.size > most / 2 ? word : cut;
  return `${line.slice(0, end).toWellFormed()}…`;
}
