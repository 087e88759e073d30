/** Bullets, including those of symbol fonts, which have no character of their own. */
const bullet = /^[•‣◦⁃∙●○◉▪▫■□◆◇◊►▸▶➢➤➔✓✔✗❖★☐☑·\uf000-\uf0ff\ufffd–—*+-]$/u;
const bulletAtStart = /^([•‣◦⁃∙●○◉▪▫■□◆◇◊►▸▶➢➤➔✓✔✗❖★☐☑·\uf000-\uf0ff\ufffd]\s*|[–—*+-]\s+)(?=\S)/u;
const number = /^(\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})\))$/iu;
const numberAtStart = /^(\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})\))\s+(?=\S)/iu;

/** Whether the text is just the marker of a list item. */
export function isMarker(text: string): boolean {
  return bullet.test(text) || number.test(text);
}

/** Splits a list item into its marker as in Markdown and its text; null: not an item. */
export function readItem(line: string): { marker: string; text: string } | null {
  const [signs] = bulletAtStart.exec(line) ?? [];
  if (signs !== undefined) return { marker: '-', text: line.slice(signs.length) };
  const [whole, label = ''] = numberAtStart.exec(line) ?? [];
  if (whole === undefined) return null;
  const text = line.slice(whole.length);
  // Markdown counts in digits only. A letter becomes part of the text.
  return /^\d+[.)]$/.test(label) ? { marker: label, text } : { marker: '-', text: `${label} ${text}` };
}
