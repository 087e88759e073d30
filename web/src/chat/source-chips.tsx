import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { Source } from './sources-panel.js';
import { useThreadActions } from './thread-actions.js';

/** The documents that an answer rests on, each once. */
export function SourceChips({ sources }: { sources: readonly Source[] }) {
  const { openSources } = useThreadActions();
  const first = [
    ...new Map(sources.toReversed().map((source) => [source.documentId, source])).values(),
  ].toReversed();
  if (first.length === 0) return null;
  return (
    <ul className="plain chips" aria-label={t('sources.label')}>
      {first.map(({ documentId, documentName, marker }) => (
        <li key={documentId}>
          <button
            type="button"
            className="chip"
            onClick={() => openSources({ sources, marker, sentence: '' })}
          >
            <Icon name="source" />
            <span className="cut">{documentName}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
