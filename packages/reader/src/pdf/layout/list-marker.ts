/** Signs that begin an item, those of symbol fonts among them, which have no meaning of their own. */
const bullet = /^[•‣◦⁃∙●○◉▪▫■□◆◇◊►▸▶➢➤➔✓✔✗❖★☐☑·\uf000-\uf0ff\ufffd–—*+-]$/u;
const bulletAtStart = /^([•‣◦⁃∙●○◉▪▫■□◆◇◊►▸▶➢➤➔✓✔✗❖★☐☑·\uf000-\uf0ff\ufffd]\s*|[–—*+-]\s+)(?=\S)/u;
const number = /^(\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})\))$/iu;
const numberAtStart = /^(\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})\))\s+(?=\S)/iu;

/** Whether this stands before an item of a list and says nothing else. */
export function isMarker(text: string): boolean {
  return bullet.test(text) || number.test(text);
}

/** A line that begins an item: its marker as Markdown writes it, and what follows; null for any other line. */
export function readItem(line: string): { marker: string; text: string } | null {
  const [signs] = bulletAtStart.exec(line) ?? [];
  if (signs !== undefined) return { marker: '-', text: line.slice(signs.length) };
  const [whole, label = ''] = numberAtStart.exec(line) ?? [];
  if (whole === undefined) return null;
  const text = line.slice(whole.length);
  // Markdown counts in figures only: a letter stays part of what the item says.
  return /^\d+[.)]$/.test(label) ? { marker: label, text } : { marker: '-', text: `${label} ${text}` };
}
