import { memo, useMemo, useState } from 'react';

import { growingBlocks } from './growing-blocks.js';
import type { MarkdownContext } from './markdown-html.js';
import { safeHtml } from './safe-html.js';

/** Letters. What is longer is read and drawn in pieces, between which other things may be done. */
const MAX_WHOLE = 10_000;

interface MarkdownProps extends MarkdownContext {
  text: string;
  isGrowing?: boolean;
  /** A [n] was chosen, in the sentence given. */
  onMarker: (marker: number, sentence: string) => void;
}

/** Text of a model. Where it grows, what has been drawn stays. */
export function Markdown({ text, isGrowing = false, markers, trusted, onMarker }: MarkdownProps) {
  const [blocksOf] = useState(growingBlocks);
  const blocks = isGrowing || text.length > MAX_WHOLE ? blocksOf(text) : [text];
  // The same lists are the same object, so that blocks which are drawn need not be compared again.
  const key = JSON.stringify({ markers, trusted });
  const context = useMemo(() => JSON.parse(key) as MarkdownContext, [key]);
  return (
    <div
      className="markdown"
      onClick={({ target }) => {
        if (!(target instanceof HTMLElement) || target.dataset.marker === undefined) return;
        onMarker(Number(target.dataset.marker), target.closest('p, li, td')?.textContent ?? '');
      }}
    >
      {blocks.map((block, index) => (
        <Block key={index} source={block} context={context} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ source, context }: { source: string; context: MarkdownContext }) {
  const html = useMemo(() => safeHtml(source, context), [source, context]);
  // oxlint-disable-next-line react/no-danger -- safeHtml gives nothing that loads or runs.
  return <div className="block" dangerouslySetInnerHTML={{ __html: html }} />;
});
