import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

import { titleKey } from './layout/text-style.js';
import type { HeadingsById } from './pages/page-text.js';

type OutlineItem = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** More entries are of no help for headings. */
const MAX_ENTRIES = 1000;

/** Titles on a page by `titleKey`, with their depth in the outline from 1. */
export type PageTitles = ReadonlyMap<string, number>;

/** The titles of the outline by page from 0. Entries without a page are left out. */
export async function readOutline(document: PDFDocumentProxy): Promise<Map<number, PageTitles>> {
  const pages = new Map<number, Map<string, number>>();
  const outline: OutlineItem[] | null = await document.getOutline().catch(() => null);
  const waiting = (outline ?? []).map((item) => ({ item, level: 1 }));
  for (let count = 0; count < MAX_ENTRIES; count += 1) {
    const next = waiting.shift();
    if (!next) break;
    const { item, level } = next;
    for (const child of item.items as OutlineItem[]) waiting.push({ item: child, level: level + 1 });
    const page = await pageOf(document, item.dest);
    const title = titleKey(item.title);
    if (page === null || title === '') continue;
    const titles = pages.get(page) ?? new Map<string, number>();
    pages.set(page, titles.set(title, level));
  }
  return pages;
}

async function pageOf(document: PDFDocumentProxy, target: OutlineItem['dest']): Promise<number | null> {
  try {
    const destination: unknown = typeof target === 'string' ? await document.getDestination(target) : target;
    const page: unknown = Array.isArray(destination) ? destination[0] : null;
    if (typeof page === 'number') return page;
    if (typeof page !== 'object' || page === null || !('num' in page) || !('gen' in page)) return null;
    return await document.getPageIndex({ num: Number(page.num), gen: Number(page.gen) });
  } catch {
    return null;
  }
}

/** Deeper than any real structure. */
const MAX_DEPTH = 60;
const MAX_NODES = 100_000;

/** The headings of a tagged PDF: levels by the ids of their text. */
export async function readMarkedHeadings(page: PDFPageProxy): Promise<HeadingsById> {
  const levels = new Map<string, number>();
  const tree: unknown = await page.getStructTree().catch(() => null);
  const waiting: { node: unknown; level: number | null; depth: number }[] = [
    { node: tree, level: null, depth: 0 },
  ];
  for (let count = 0; count < MAX_NODES; count += 1) {
    const next = waiting.pop();
    if (!next) break;
    const { node, level, depth } = next;
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) continue;
    if (level !== null && 'id' in node && typeof node.id === 'string') levels.set(node.id, level);
    if (!('children' in node) || !Array.isArray(node.children)) continue;
    const own = 'role' in node ? levelOf(node.role) : null;
    for (const child of node.children) waiting.push({ node: child, level: own ?? level, depth: depth + 1 });
  }
  return levels;
}

function levelOf(role: unknown): number | null {
  if (role === 'Title') return 1;
  const level = typeof role === 'string' ? /^H([1-6])$/.exec(role)?.[1] : undefined;
  return level === undefined ? null : Number(level);
}
