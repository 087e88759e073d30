/** The sentences of a text, and its lines. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** As many whole words as fit. */
export function openingOf(text: string, mostCharacters: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= mostCharacters) return line;
  const cut = line.slice(0, mostCharacters);
  const end = cut.lastIndexOf(' ');
  // Chinese has no blanks, and a single long word leaves no better place.
  return (end > mostCharacters / 2 ? cut.slice(0, end) : cut).toWellFormed();
}

const ELEMENT = /<([a-z][\w-]*)(?:\s[^>]*)?>\n([\s\S]*?)\n<\/\1>/g;

/** What stands in elements, `<page number="1">…</page>`, each on lines of its own. */
export function elementsIn(text: string): string[] {
  return Array.from(text.matchAll(ELEMENT), ([, , inner = '']) => inner);
}

/** The same without its elements: what is said beside them. */
export function withoutElements(text: string): string {
  return text.replaceAll(ELEMENT, '').trim();
}

/**
 * What a text gives to be worked on: what it quotes, line by line, each quotation by itself; what it says beside elements
 * and headings; or else what stands in the elements.
 */
export function quotationsIn(text: string): string[] {
  const said = withoutElements(text).replaceAll(/^#.*$/gm, '').trim();
  if (said === '') return elementsIn(text);
  const blocks = said
    .split(/^(?!>).*$/m)
    .map((block) => block.replaceAll(/^> ?/gm, '').trim())
    .filter((block) => block !== '');
  const points = Array.from(said.matchAll(/^- (.+)$/gm), ([, point = '']) => point);
  return blocks.length > 0 ? [...points, ...blocks] : [said];
}
