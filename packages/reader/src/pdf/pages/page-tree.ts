export interface FlatPageTree {
  /** The file with an appended page tree. */
  bytes: Uint8Array;
  /** Numbers, from 1, of pages that are listed and missing. */
  missing: ReadonlySet<number>;
}

const MAX_PAGES = 20_000;
const MAX_OBJECT = 1_000_000;

const catalog = /(\d{1,9}) (\d{1,5}) obj\s*<<(?:(?!endobj)[^]){0,500}?\/Type\s*\/Catalog\b/g;
const objectHead = /\b(\d{1,9})\s+\d{1,5}\s+obj\b/g;
const pagesEntry = /\/Pages\s+(\d{1,9})\s+\d{1,5}\s+R\b/;
const kidsEntry = /\/Kids\s*\[([^\]]*)\]/;
const kidsElsewhere = /\/Kids\s+(\d{1,9})\s+\d{1,5}\s+R\b/;
const reference = /\b(\d{1,9})\s+\d{1,5}\s+R\b/g;

/** The last catalog of a file, as a reference; null: none is readable. */
export function catalogOf(text: string): { number: number; generation: number } | null {
  const last = [...text.matchAll(catalog)].at(-1);
  return last ? { number: Number(last[1]), generation: Number(last[2]) } : null;
}

/**
 * Appends a flat list of all pages, with an empty page for each missing one, as pdfjs stops at the first missing page.
 * Null: there is no readable page tree, or it is compressed.
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
  // No cross-reference table is there, so pdfjs scans the file and takes the last version of each object.
  const end = `${root.number} ${root.generation} obj${changed}endobj\nstartxref\n${bytes.byteLength + 1}\n%%EOF\n`;
  const missing = new Set(pages.flatMap((page, index) => (page === null ? [index + 1] : [])));
  return { bytes: Buffer.concat([bytes, Buffer.from(head + end, 'latin1')]), missing };
}

/** The positions of the uncompressed objects of a file, each in its last version. */
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

  /** The text of a dictionary or array; null: there is none, or it is cut off. */
  textOf(number: number): string | null {
    const start = this.offsets.get(number);
    if (start === undefined) return null;
    const object = this.text.slice(start, start + MAX_OBJECT);
    return /^\s*(?:<<|\[)(?:(?!\bstream\b)[^])*?(?=endobj)/.exec(object)?.[0] ?? null;
  }
}

/** The numbers of the pages in order; null for one that is missing or in a loop. */
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

/** The children of a node; null: it is a page. */
function kidsOf(text: string, objects: Objects): string | null {
  const [, kids] = kidsEntry.exec(text) ?? [];
  const [, elsewhere] = kidsElsewhere.exec(text) ?? [];
  return kids ?? (elsewhere === undefined ? null : (objects.textOf(Number(elsewhere)) ?? ''));
}
