export interface FlatPageTree {
  /** The file with more behind it. */
  bytes: Uint8Array;
  /** Pages that are named in it and nowhere to be found, from 1. */
  missing: ReadonlySet<number>;
}

/** More pages than are read. */
const MAX_PAGES = 20_000;
const MAX_OBJECT = 1_000_000;

const catalog = /(\d{1,9}) (\d{1,5}) obj\s*<<(?:(?!endobj)[^]){0,500}?\/Type\s*\/Catalog\b/g;
const objectHead = /\b(\d{1,9})\s+\d{1,5}\s+obj\b/g;
const pagesEntry = /\/Pages\s+(\d{1,9})\s+\d{1,5}\s+R\b/;
const kidsEntry = /\/Kids\s*\[([^\]]*)\]/;
const kidsElsewhere = /\/Kids\s+(\d{1,9})\s+\d{1,5}\s+R\b/;
const reference = /\b(\d{1,9})\s+\d{1,5}\s+R\b/g;

/** The last catalog that a file has, as it is referred to; null: none is to be seen. */
export function catalogOf(text: string): { number: number; generation: number } | null {
  const last = [...text.matchAll(catalog)].at(-1);
  return last ? { number: Number(last[1]), generation: Number(last[2]) } : null;
}

/**
 * A file whose pages pdfjs finds up to the first that is not there: behind it stands a list of all of them, with an
 * empty page for each that is missing. Null: it has none, or they lie in parts that are packed.
 */
export function withFlatPageTree(bytes: Uint8Array): FlatPageTree | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const objects = new Objects(text);
  const root = catalogOf(text);
  const rootText = root && objects.textOf(root.number);
  const top = rootText ? pagesEntry.exec(rootText)?.[1] : undefined;
  if (!root || !rootText || top === undefined) return null;
  const pages = pagesBelow(Number(top), objects);
  if (pages.every((page) => page === null)) return null;
  const kids = pages.map((page) => (page === null ? '<< /Type /Page >>' : `${page} 0 R`)).join(' ');
  const list = objects.highest + 1;
  const head = `\n${list} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>\nendobj\n`;
  const changed = rootText.replace(pagesEntry, `/Pages ${list} 0 R`);
  // No table begins there, so that pdfjs goes through the file and takes the last of each object.
  const end = `${root.number} ${root.generation} obj${changed}endobj\nstartxref\n${bytes.byteLength + 1}\n%%EOF\n`;
  const missing = new Set(pages.flatMap((page, index) => (page === null ? [index + 1] : [])));
  return { bytes: Buffer.concat([bytes, Buffer.from(head + end, 'latin1')]), missing };
}

/** Where the objects of a file are that are not packed; of several versions the last. */
class Objects {
  highest = 0;
  private readonly offsets = new Map<number, number>();
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    for (const { 0: head, 1: number, index } of text.matchAll(objectHead)) {
      this.offsets.set(Number(number), index + head.length);
      this.highest = Math.max(this.highest, Number(number));
    }
  }

  /** Of a dictionary or an array; null: there is none, or it is cut off. */
  textOf(number: number): string | null {
    const start = this.offsets.get(number);
    if (start === undefined) return null;
    const object = this.text.slice(start, start + MAX_OBJECT);
    return /^\s*(?:<<|\[)(?:(?!\bstream\b)[^])*?(?=endobj)/.exec(object)?.[0] ?? null;
  }
}

/** The numbers of the pages in their order; null for one that is not there, or leads back to where it was. */
function pagesBelow(top: number, objects: Objects): (number | null)[] {
  const pages: (number | null)[] = [];
  const seen = new Set<number>();
  const waiting = [top];
  while (pages.length < MAX_PAGES) {
    const number = waiting.pop();
    if (number === undefined) break;
    const text = seen.has(number) ? null : objects.textOf(number);
    seen.add(number);
    const kids = text === null ? null : kidsOf(text, objects);
    if (kids === null) pages.push(text === null ? null : number);
    else for (const [, kid] of [...kids.matchAll(reference)].toReversed()) waiting.push(Number(kid));
  }
  return pages;
}

/** Null: it is a page. */
function kidsOf(text: string, objects: Objects): string | null {
  const [, kids] = kidsEntry.exec(text) ?? [];
  const [, elsewhere] = kidsElsewhere.exec(text) ?? [];
  return kids ?? (elsewhere === undefined ? null : (objects.textOf(Number(elsewhere)) ?? ''));
}
