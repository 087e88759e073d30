import { extensionOf } from '../name-extension.js';

const SEPARATORS = [',', ';', '\t', '|'] as const;
type Separator = (typeof SEPARATORS)[number];

/** What names promise. */
const byExtension: Readonly<Record<string, Separator>> = { tsv: '\t', tab: '\t', psv: '|' };

const SAMPLE_CHARACTERS = 20_000;
const SAMPLE_LINES = 50;

/** A line by which some programs say what stands between values. */
const SAID = /^\s*sep=(.)\n/i;

/** A comma that may belong to a value: to a decimal number, or to a sentence. */
const COMMA_OF_VALUE = /(?<=\d),(?=\d)|,(?= )/g;

/**
 * What stands between the values: what the file or its name says, or what most lines have equally many of. Where several
 * fit as well, it is the one that there is most of besides the commas of values.
 */
export function separatorOf(text: string, name: string): string {
  const [, said] = SAID.exec(text) ?? [];
  if (said !== undefined) return said;
  const lines = sampleLines(text);
  const named = byExtension[extensionOf(name)];
  if (named !== undefined && lines.some((line) => line.includes(named))) return named;
  const [best] = SEPARATORS.map((separator) => fitOf(separator, lines)).toSorted(
    (one, other) => other.share - one.share || other.certain - one.certain,
  );
  return best?.separator ?? ',';
}

export function withoutSeparatorLine(text: string): string {
  return text.replace(SAID, '');
}

/** Lines of the beginning, without what stands in quotation marks. */
export function sampleLines(text: string): string[] {
  return (
    text
      .slice(0, SAMPLE_CHARACTERS)
      .replaceAll(/"[^"]*"/g, '')
      .split('\n')
      // What the sample ends in is half a line.
      .slice(0, text.length > SAMPLE_CHARACTERS ? -1 : undefined)
      .filter((line) => line.trim() !== '')
      .slice(0, SAMPLE_LINES)
  );
}

interface Fit {
  separator: Separator;
  /** Of the lines: those that have as many as most have. */
  share: number;
  /** How many there are that can be nothing else. */
  certain: number;
}

function fitOf(separator: Separator, lines: readonly string[]): Fit {
  const times = new Map<number, number>();
  let certain = 0;
  for (const line of lines) {
    const count = line.split(separator).length - 1;
    if (count > 0) times.set(count, (times.get(count) ?? 0) + 1);
    certain += count - (separator === ',' ? (line.match(COMMA_OF_VALUE)?.length ?? 0) : 0);
  }
  return { separator, share: Math.max(0, ...times.values()) / lines.length, certain };
}
