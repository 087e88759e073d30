import './page-viewer.css';
import { useEffect, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';

import { t } from '../../i18n/catalogue.js';
import { Dialog } from '../../parts/dialog.js';
import { FailureText, Loading } from '../../parts/states.js';
import { documentLinkQuery } from '../conversation-operations.js';
import { OpenDocument, type Source } from '../open-document.js';
import { drawPage } from './draw-page.js';
import type { DrawnPage } from './page-worker.js';
import type { Range } from './quoted-words.js';

/** More pixels than this are seen by nobody, and take long to draw. */
const MAX_WIDTH = 2_000;

/** The page that a citation names, with its words marked. */
export function PageViewer({ source, onClose }: { source: Source; onClose: () => void }) {
  const client = useClient();
  const [drawn, setDrawn] = useState<DrawnPage | 'failed' | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const show = (result: DrawnPage | 'failed'): void => {
      if (!leaving.signal.aborted) setDrawn(result);
    };
    drawSource(client, source, leaving.signal).then(show, () => show('failed'));
    return () => leaving.abort();
  }, [client, source]);
  return (
    <Dialog title={source.documentName} onClose={onClose} className="wide page-viewer">
      <div className="content">
        <div className="actions">
          <span className="soft">{t('sources.page', { page: source.page ?? 1 })}</span>
          <OpenDocument source={source} />
        </div>
        {drawn === null && <Loading lines={12} />}
        {drawn === 'failed' && <FailureText text={t('sources.notDrawn')} />}
        {drawn !== null && drawn !== 'failed' && <Page drawn={drawn} />}
      </div>
    </Dialog>
  );
}

async function drawSource(
  client: Client,
  { documentId, page, quote }: Source,
  signal: AbortSignal,
): Promise<DrawnPage> {
  const { data, error } = await client.query(
    documentLinkQuery,
    { id: documentId },
    { requestPolicy: 'network-only' },
  );
  const url = data?.document?.url;
  if (url == null) throw error ?? new Error('It is no longer there.');
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`The file was not given: ${response.status}`);
  const width = Math.min(MAX_WIDTH, Math.min(innerWidth, 900) * devicePixelRatio);
  return drawPage({ data: await response.arrayBuffer(), page: page ?? 1, width, quote }, signal);
}

function Page({ drawn: { image, text, quoted, marks } }: { drawn: DrawnPage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const first = useRef<SVGRectElement>(null);
  useEffect(() => {
    canvas.current?.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
    first.current?.scrollIntoView({ block: 'center' });
  }, [image]);
  return (
    <figure className="cited-page">
      <canvas ref={canvas} width={image.width} height={image.height} aria-hidden="true" />
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {marks.map(({ left, top, width, height }, index) => (
          <rect
            key={index}
            ref={index === 0 ? first : undefined}
            x={left}
            y={top}
            width={width}
            height={height}
          />
        ))}
      </svg>
      <figcaption className="unseen">
        <MarkedText text={text} quoted={quoted} />
      </figcaption>
    </figure>
  );
}

function MarkedText({ text, quoted }: { text: string; quoted: readonly Range[] }) {
  return (
    <>
      {quoted.map(({ start, end }, index) => [
        text.slice(quoted[index - 1]?.end ?? 0, start),
        <mark key={start}>{text.slice(start, end)}</mark>,
      ])}
      {text.slice(quoted.at(-1)?.end ?? 0)}
    </>
  );
}
