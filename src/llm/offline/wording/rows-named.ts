const row = /^[ \t]*\|(.*)\|[ \t]*$/;
const rule = /^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:-]*$/;

const cellsOf = (line: string): string[] | null =>
  row
    .exec(line)?.[1]
    ?.split(/(?<!\\)\|/)
    .map((cell) => cell.trim()) ?? null;

const named = (names: readonly string[], cells: readonly string[]): string =>
  cells.flatMap((cell, at) => (cell === '' ? [] : [names[at] ? `${names[at]} ${cell}` : cell])).join(' – ');

/** A text whose tables, in Markdown, have the names of their columns in every row: a row alone is figures of nothing. */
export function rowsNamed(text: string): string {
  const lines = text.split('\n');
  const told: string[] = [];
  let names: string[] | null = null;
  for (const [at, line] of lines.entries()) {
    const cells = cellsOf(line);
    if (cells === null) names = null;
    else if (rule.test(line)) continue;
    else if (rule.test(lines[at + 1] ?? '')) {
      names = cells;
      continue;
    }
    told.push(cells && names ? named(names, cells) : line);
  }
  return told.join('\n');
}
