const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text on one line, at most `most` UTF-16 units long, cut between words where there are any. */
export const beginningOf = (text: string, most: number): string => {
  // A long text is not worth reading to its end, nor is one that begins with a lot of white space.
  const line = text
    .slice(0, most * 5)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= most && text.length <= most * 5) return line;
  let end = 0;
  for (const { segment, index } of graphemes.segment(line.slice(0, most))) {
    // One unit is left for the ellipsis.
    if (index + segment.length > most - 1) break;
    end = index + segment.length;
  }
  const lastSpace = line.lastIndexOf(' ', end);
  // Chinese and Japanese have no spaces, and a single long word leaves no better place.
  return `${line.slice(0, lastSpace > most / 2 ? lastSpace : end)}…`;
};
