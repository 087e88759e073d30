import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { Source } from './open-document.js';
import { useThreadActions } from './thread-actions.js';

/** More would be a wall: the rest are in the panel beside the answer. */
const MOST = 8;

/** The documents that an answer rests on, each once. */
export function SourceChips({ sources }: { sources: readonly Source[] }) {
  const { openSources } = useThreadActions();
  const first = [
    ...new Map(sources.toReversed().map((source) => [source.documentId, source])).values(),
  ].toReversed();
  if (first.length === 0) return null;
  const shown = first.length > MOST ? first.slice(0, MOST - 1) : first;
  return (
    <ul className="plain chips" aria-label={t('sources.label')}>
      {shown.map(({ documentId, documentName, marker }) => (
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
      {shown.length < first.length && (
        <li>
          <button
            type="button"
            className="chip"
            onClick={() => openSources({ sources, marker: sources[0]?.marker ?? 1, sentence: '' })}
          >
            {t('sources.all', { count: sources.length })}
          </button>
        </li>
      )}
    </ul>
  );
}
