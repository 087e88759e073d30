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
  // Chinese has no blanks. If the last blank is far from the end, the text is cut within a word.
  return (end > mostCharacters / 2 ? cut.slice(0, end) : cut).toWellFormed();
}

const ELEMENT = /<([a-z][\w-]*)(?:\s[^>]*)?>\n([\s\S]*?)\n<\/\1>/g;

/** The contents of elements such as `<page number="1">…</page>`, whose tags are on lines of their own. */
export function elementsIn(text: string): string[] {
  return Array.from(text.matchAll(ELEMENT), ([, , inner = '']) => inner);
}

/** A line of its own that a program has put into a message, such as `[image plan.png]`. */
const NOTE = /^\[[^[\]\n]+\]$/gm;

export function withoutElements(text: string): string {
  return text.replaceAll(ELEMENT, '').replaceAll(NOTE, '').trim();
}

/**
 * The parts of a text that is to be worked on: its quotations, one by one; else the text beside elements and headings;
 * else the contents of the elements.
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
