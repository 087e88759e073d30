import type { CombinedError } from '@urql/core';
import { type ReactNode, useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Failure, Loading } from './states.js';

interface RowsPageProps<Data, Row> {
  /** What useQuery gives of this page. */
  query: readonly [
    { data?: Data | undefined; error?: CombinedError | undefined },
    (options: { requestPolicy: 'network-only' }) => void,
  ];
  rowsOf: (data: Data) => {
    edges: readonly { node: Row }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
  renderRow: (row: Row) => ReactNode;
  /** The page that follows, once somebody asks for it. */
  renderNext: (after: string | null) => ReactNode;
  /** What stands in the place of no rows. */
  nothing: ReactNode;
}

/** A page of a list, and those that follow it as they are asked for. */
export function RowsPage<Data, Row>({
  query,
  rowsOf,
  renderRow,
  renderNext,
  nothing,
}: RowsPageProps<Data, Row>) {
  const [{ data, error }, again] = query;
  const [isContinued, setIsContinued] = useState(false);
  if (error && !data) return <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />;
  if (!data) return <Loading lines={6} />;
  const { edges, pageInfo } = rowsOf(data);
  if (edges.length === 0) return nothing;
  return (
    <>
      <ul className="plain rows">{edges.map(({ node }) => renderRow(node))}</ul>
      {pageInfo.hasNextPage &&
        (isContinued ? (
          renderNext(pageInfo.endCursor)
        ) : (
          <button type="button" className="button" onClick={() => setIsContinued(true)}>
            {t('action.more')}
          </button>
        ))}
    </>
  );
}
