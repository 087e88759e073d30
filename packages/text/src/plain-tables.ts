const row = /^[ \t]*\|.*\|[ \t]*$/;
const rule = /^[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*$/;

export function isTableRow(line: string): boolean {
  return row.test(line);
}

/** Whether a line is the delimiter row below the header of a Markdown table. */
export function isTableRule(line: string): boolean {
  return rule.test(line);
}

/** Cells are separated by a middle dot, and delimiter rows left out. The part may begin or end within a row. */
export function withPlainTables(markdown: string, start = 0, end = markdown.length): string {
  const shown: string[] = [];
  let at = 0;
  for (const line of markdown.split('\n')) {
    const part = line.slice(Math.max(0, start - at), Math.max(0, end - at));
    const isInside = at + line.length >= start && at <= end;
    at += line.length + 1;
    if (isInside && !isTableRule(line)) shown.push(isTableRow(line) ? cellsIn(part) : part);
  }
  return shown.join('\n');
}

function cellsIn(part: string): string {
  const cells = part.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
  return cells.filter((cell) => cell !== '').join(' · ');
}
