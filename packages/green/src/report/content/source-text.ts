import type { Block } from '../report.js';

interface Published {
  publisher: string;
  title?: string;
  year: number | null;
  licence?: string | null;
  /** Official, press … */
  type?: string;
}

/** A page in one line: who, what, when, under which licence. */
function pageText(page: readonly Published[]): string {
  const pieces = (['publisher', 'title', 'year', 'type', 'licence'] as const).flatMap((key) =>
    page.map((published) => String(published[key] ?? '')),
  );
  return [...new Set(pieces)].filter((piece) => piece !== '').join(' · ');
}

/** Each page of a year once, with all that it is given for. */
export function sourcesBlock(published: readonly (Published & { url: string })[]): Block {
  const pages = Map.groupBy(published, ({ url, year }) => `${url} ${year}`);
  return {
    type: 'sources',
    sources: [...pages.values()].map((page) => ({ text: pageText(page), url: page[0]?.url ?? null })),
  };
}
