import { useState } from 'react';
import { useMutation, useSubscription } from 'urql';

import { language, t } from '../i18n/catalogue.js';
import { whenOf } from '../i18n/dates.js';
import { bytesOf } from '../i18n/numbers.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import {
  deleteDocumentMutation,
  documentProgressSubscription,
  type ListedDocument,
} from './documents-operations.js';

const TONES = { PENDING: 'wait', PROCESSING: 'wait', COMPLETED: 'good', FAILED: 'bad' } as const;

/** A document, and how far reading it has got. */
export function DocumentRow({ listed, refresh }: { listed: ListedDocument; refresh: () => void }) {
  const isListedAsRead = listed.status === 'COMPLETED' || listed.status === 'FAILED';
  const [{ data }] = useSubscription({
    query: documentProgressSubscription,
    variables: { id: listed.id, language: language() },
    pause: isListedAsRead,
  });
  const { id, name, bytes, pages, status, progress, error, warnings, createdAt } =
    data?.documentProgress ?? listed;
  const [isAsking, setIsAsking] = useState(false);
  const [deleted, remove] = useMutation(deleteDocumentMutation);
  return (
    <li className="document">
      <div className="document-facts">
        <p className="document-name">
          <strong>{name}</strong>
          <span className={`tag ${TONES[status]}`}>{t(`documents.${status}`)}</span>
        </p>
        <p className="soft small">
          {[bytesOf(bytes), pages === null ? null : t('documents.pages', { count: pages }), whenOf(createdAt)]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
        {status === 'PROCESSING' && (
          <progress value={progress} max={1} aria-label={t('documents.reading', { name })} />
        )}
        {error !== null && <p className="problem">{error}</p>}
        {warnings.length > 0 && (
          <details>
            <summary>{t('documents.warnings', { count: warnings.length })}</summary>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('documents.deleteOf', { name })}
        onClick={() => setIsAsking(true)}
      >
        <Icon name="remove" />
      </button>
      {isAsking && (
        <Confirm
          title={t('documents.deleteTitle')}
          text={t('documents.deleteText', { name })}
          action={t('conversations.delete')}
          isBusy={deleted.fetching}
          error={deleted.error}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void remove({ id }).then(({ error: refused }) => refused ?? refresh())}
        />
      )}
    </li>
  );
}
