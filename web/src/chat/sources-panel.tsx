import { lazy, Suspense, useEffect, useRef, useState } from 'react';

import { t, withTexts } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { marked } from './marked-words.js';
import { OpenDocument, type Source } from './open-document.js';

const PageViewer = lazy(() =>
  withTexts(import('./cited-page/page-viewer.js')).then(({ PageViewer }) => ({ default: PageViewer })),
);

export interface OpenSources {
  sources: readonly Source[];
  /** The one that was asked for. */
  marker: number;
  /** What the answer says there: its words are marked in the source. */
  sentence: string;
}

/** The passages that an answer rests on, beside it. */
export function SourcesPanel({ sources, marker, sentence, onClose }: OpenSources & { onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const shown = panel.current?.querySelector<HTMLElement>(`[data-source="${marker}"]`);
    shown?.scrollIntoView({ block: 'nearest' });
    shown?.focus();
  }, [marker]);
  return (
    <aside
      ref={panel}
      className="sources"
      aria-label={t('sources.label')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <header className="dialog-head">
        <h2>{t('sources.label')}</h2>
        <button type="button" className="icon-button" aria-label={t('action.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <ol className="plain">
        {sources.map((source) => (
          <li key={source.marker}>
            <Passage
              source={source}
              sentence={source.marker === marker ? sentence : ''}
              isOpen={source.marker === marker}
            />
          </li>
        ))}
      </ol>
    </aside>
  );
}

interface PassageProps {
  source: Source;
  sentence: string;
  isOpen: boolean;
}

function Passage({ source, sentence, isOpen }: PassageProps) {
  const { marker, documentName, page, quote } = source;
  return (
    <article
      className={isOpen ? 'passage card open' : 'passage card'}
      data-source={marker}
      tabIndex={-1}
      aria-current={isOpen}
    >
      <h3>
        <span className="number">{marker}</span> {documentName}
      </h3>
      {page !== null && <p className="soft small">{t('sources.page', { page })}</p>}
      <blockquote>
        {marked(quote, sentence).map(({ text, isMarked }, index) =>
          isMarked ? <mark key={index}>{text}</mark> : text,
        )}
      </blockquote>
      <div className="source-actions">
        {page !== null && /\.pdf$/i.test(documentName) && <ShowPage source={source} />}
        <OpenDocument source={source} />
      </div>
    </article>
  );
}

function ShowPage({ source }: { source: Source }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="button main" onClick={() => setIsOpen(true)}>
        <Icon name="source" />
        {t('sources.show')}
      </button>
      {isOpen && (
        <Suspense>
          <PageViewer source={source} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
