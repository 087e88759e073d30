import type { PDFPageProxy } from 'pdfjs-dist';

import type { HeadingsById } from './pages/page-text.js';

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
