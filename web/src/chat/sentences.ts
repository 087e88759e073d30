import { useEffect, useRef } from 'react';

import { language } from '../i18n/catalogue.js';
import { announce } from '../parts/announcer.js';

/** Has new text read out by whole sentences, also the last one once it has ended. */
export function useSentences(text: string, hasEnded: boolean): void {
  const said = useRef(0);
  useEffect(() => {
    if (text.length < said.current) said.current = 0;
    const end = hasEnded ? text.length : said.current + endOfSentences(text.slice(said.current));
    if (end === said.current) return;
    announce(spoken(text.slice(said.current, end)));
    said.current = end;
  }, [text, hasEnded]);
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Making one takes longer than using it. */
function segmenter(): Intl.Segmenter {
  const known = segmenters.get(language());
  if (known) return known;
  const made = new Intl.Segmenter(language(), { granularity: 'sentence' });
  segmenters.set(language(), made);
  return made;
}

/** Where the last sentence that is complete ends: the next one has begun. */
export function endOfSentences(text: string): number {
  const sentences = segmenter().segment(text);
  let last = 0;
  for (const { index } of sentences) last = index;
  return last;
}

/** Without the signs of Markdown, which would be read out. */
function spoken(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/[*_`#>|~]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
