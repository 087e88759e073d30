import { memo, useMemo, useState } from 'react';

import { growingBlocks } from './growing-blocks.js';
import { type MarkdownContext, safeHtml } from './safe-html.js';

interface MarkdownProps extends MarkdownContext {
  text: string;
  /** A [n] was chosen, in the sentence given. */
  onMarker: (marker: number, sentence: string) => void;
}

/** Text of a model. It may grow: what has been drawn stays. */
export function Markdown({ text, markers, foreignLinks, onMarker }: MarkdownProps) {
  const [blocksOf] = useState(growingBlocks);
  const blocks = blocksOf(text);
  // The same lists are the same object, so that blocks which are drawn need not be compared again.
  const key = JSON.stringify({ markers, foreignLinks });
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
