const LONGEST = 80;

/** A title from the first question: its first line, cut at a word within 80 characters. */
export const titleOf = (question: string): string => {
  const line =
    question
      .trim()
      .split(/[\r\n]/, 1)[0]
      ?.replaceAll(/\s+/g, ' ')
      .trim() ?? '';
  const graphemes = [
    ...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line.slice(0, 20 * LONGEST)),
  ];
  if (graphemes.length <= LONGEST) return line;
  const cut = graphemes
    .slice(0, LONGEST - 1)
    .map(({ segment }) => segment)
    .join('');
  const lastSpace = cut.lastIndexOf(' ');
  // Chinese and Japanese have no spaces, and a single long word leaves no better place.
  return `${lastSpace > LONGEST / 2 ? cut.slice(0, lastSpace) : cut}…`;
};
