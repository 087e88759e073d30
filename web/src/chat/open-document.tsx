import { useClient } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { documentLinkQuery } from './conversation-operations.js';

export interface Source {
  marker: number;
  documentId: string;
  documentName: string;
  page: number | null;
  quote: string;
}

/** The whole document, in a tab of its own, at the page where the browser can. */
export function OpenDocument({ source: { documentId, page } }: { source: Source }) {
  const client = useClient();
  const open = async (): Promise<void> => {
    // Opened before the address is known: later, the browser would not let it be.
    const tab = window.open('about:blank', '_blank');
    const { data } = await client.query(
      documentLinkQuery,
      { id: documentId },
      { requestPolicy: 'network-only' },
    );
    const url = data?.document?.url;
    if (!tab) return;
    if (url == null) return tab.close();
    tab.opener = null;
    tab.location.href = page === null ? url : `${url}#page=${page}`;
  };
  return (
    <button type="button" className="button" onClick={() => void open()}>
      <Icon name="outside" />
      {t('sources.open')}
    </button>
  );
}
