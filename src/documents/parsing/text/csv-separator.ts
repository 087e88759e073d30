const SEPARATORS = [',', ';', '\t', '|'] as const;

const SAMPLE_CHARACTERS = 20_000;
const SAMPLE_LINES = 50;

/** A line by which some programs say what stands between values. */
const SAID = /^\s*sep=(.)\n/i;

/** What stands between the values: what the file says, or what most lines have equally many of. */
export const separatorOf = (text: string): string => {
  const [, said] = SAID.exec(text) ?? [];
  if (said !== undefined) return said;
  const lines = withoutQuoted(text.slice(0, SAMPLE_CHARACTERS))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  const [best] = SEPARATORS.map((separator) => ({ separator, score: scoreOf(separator, lines) })).toSorted(
    (one, other) => other.score - one.score,
  );
  return best?.separator ?? ',';
};

export const withoutSeparatorLine = (text: string): string => text.replace(SAID, '');

const withoutQuoted = (text: string): string => text.replaceAll(/"[^"]*"/g, '');

/** The share of lines that have as many as most have, and a little more where these are many. */
const scoreOf = (separator: string, lines: readonly string[]): number => {
  const times = new Map<number, number>();
  for (const line of lines) {
    const count = line.split(separator).length - 1;
    if (count > 0) times.set(count, (times.get(count) ?? 0) + 1);
  }
  const scores = [...times].map(
    ([count, lineCount]) => (lineCount / lines.length) * (1 + Math.log(count) / 10),
  );
  return Math.max(0, ...scores);
};
