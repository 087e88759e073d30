import type { Block, Source } from '../report.js';

/** What is told of a published source. */
export interface Published {
  publisher: string;
  title?: string;
  year: number | null;
  licence?: string | null;
  /** Official, press … */
  type?: string;
}

/** A source in one line: who, what, when, under which licence. */
function sourceText({ publisher, title, year, licence, type }: Published): string {
  return [publisher, title, year === null ? null : String(year), type, licence]
    .filter((piece): piece is string => typeof piece === 'string' && piece !== '')
    .join(' · ');
}

export function sourceOf({ url, ...published }: Published & { url: string }): Source {
  return { text: sourceText(published), url };
}

export function sourcesBlock(published: readonly (Published & { url: string })[]): Block {
  return { type: 'sources', sources: published.map(sourceOf) };
}
