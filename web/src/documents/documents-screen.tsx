import './documents.css';
import { useState } from 'react';
import { useQuery } from 'urql';

import { language, t } from '../i18n/catalogue.js';
import { bytesOf } from '../i18n/numbers.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { RowsPage } from '../parts/rows-page.js';
import { Nothing } from '../parts/states.js';
import { DocumentRow } from './document-row.js';
import { DocumentSearch } from './document-search.js';
import { documentsQuery, documentStorageQuery } from './documents-operations.js';
import { Uploads, useUploads } from './uploads.js';

/** What the company's assistants read and cite. */
export function DocumentsScreen() {
  const [{ data: storage }, readStorage] = useQuery({ query: documentStorageQuery });
  const [revision, setRevision] = useState(0);
  const refresh = (): void => {
    setRevision((before) => before + 1);
    readStorage({ requestPolicy: 'network-only' });
  };
  const { uploads, add, dismiss } = useUploads(refresh);
  const [isOver, setIsOver] = useState(false);
  return (
    <Page
      title={t('screen.documents')}
      lead={t('documents.lead')}
      actions={
        <label className="button main">
          <Icon name="add" />
          {t('documents.add')}
          <input
            type="file"
            multiple
            className="unseen"
            onChange={({ target }) => {
              add([...(target.files ?? [])]);
              target.value = '';
            }}
          />
        </label>
      }
    >
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          add([...event.dataTransfer.files]);
        }}
      >
        <p className="soft">{t('documents.drop')}</p>
        {storage && (
          <p className="soft small">
            {t('documents.storage', {
              count: storage.documentStorage.documents,
              bytes: bytesOf(storage.documentStorage.bytes),
              maxBytes: bytesOf(storage.documentStorage.maxBytes),
            })}
          </p>
        )}
      </div>
      <Uploads uploads={uploads} dismiss={dismiss} />
      <DocumentSearch />
      <DocumentPage key={revision} after={null} refresh={refresh} />
    </Page>
  );
}

function DocumentPage({ after, refresh }: { after: string | null; refresh: () => void }) {
  const query = useQuery({
    query: documentsQuery,
    variables: { after, language: language() },
    requestPolicy: 'cache-and-network',
  });
  return (
    <RowsPage
      query={query}
      rowsOf={({ documents }) => documents}
      renderRow={(document) => <DocumentRow key={document.id} listed={document} refresh={refresh} />}
      renderNext={(cursor) => <DocumentPage after={cursor} refresh={refresh} />}
      nothing={
        <Nothing icon="documents" title={t('documents.none')}>
          {t('documents.noneText')}
        </Nothing>
      }
    />
  );
}
