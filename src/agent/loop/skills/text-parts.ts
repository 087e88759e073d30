/** About what a model reads in one go, whatever it is written in: 3,000 to 6,000 tokens. */
const PART_BYTES = 12_000;

/** A text in parts that are short enough to be read one by one; at least one. Cut at the ends of lines where it can be. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts.length > 0 ? parts : [''];
}

/** The number, from 1, of the part that the character at `index` is in. */
export function partAt(text: string, index: number): number {
  let before = 0;
  const parts = partsOf(text);
  const found = parts.findIndex((part) => (before += part.length) > index);
  return found < 0 ? parts.length : found + 1;
}

function endOfPart(text: string, start: number): number {
  // No character has fewer bytes than one.
  const beginning = text.slice(start, start + PART_BYTES);
  const end = start + charactersIn(beginning);
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  return line > start ? line : end;
}

/** How many characters of a text fit into a part, none of them half. */
function charactersIn(text: string): number {
  let bytes = 0;
  let count = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > PART_BYTES) return count;
    count += character.length;
  }
  // The last may be the first half of one that was cut in two.
  return /[\uD800-\uDBFF]$/.test(text) && count > 1 ? count - 1 : count;
}
