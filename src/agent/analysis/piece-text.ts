import { withoutEndOf, withoutHidden } from '@palabre/text';

import type { Passage } from '../../documents/passages/passage.repository.js';

export type ReadPassage = Pick<Passage, 'page' | 'startOffset' | 'endOffset' | 'text'>;

/** The text of a page. A passage that continues on the next page counts for its first. */
export interface PageText {
  page: number | null;
  text: string;
}

export function pagesOf(passages: readonly ReadPassage[]): PageText[] {
  const pages: PageText[] = [];
  let end = -1;
  for (const passage of passages) {
    const { startOffset, endOffset, page } = passage;
    const last = pages.at(-1);
    const text = withoutBeginning(passage, end - startOffset);
    const between = startOffset <= end ? '' : '\n\n';
    end = Math.max(end, endOffset);
    if (text === '') continue;
    if (last && last.page === page) last.text += `${between}${text}`;
    else pages.push({ page, text });
  }
  return pages;
}

/** The passage without its overlap with the previous one. Complete if it is not a plain part of the document. */
function withoutBeginning({ text, startOffset, endOffset }: ReadPassage, repeated: number): string {
  return repeated > 0 && text.length === endOffset - startOffset ? text.slice(repeated) : text;
}

/** The pages as data for a model. No text in them can close the element. */
export function shownPages(pages: readonly PageText[]): string {
  return pages
    .map(({ page, text }) => {
      const mark = page === null ? '<page>' : `<page number="${page}">`;
      return `${mark}\n${withoutEndOf('page', withoutHidden(text.toWellFormed()))}\n</page>`;
    })
    .join('\n');
}
