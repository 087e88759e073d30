import { useState } from 'react';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Failure, Loading } from '../parts/states.js';
import { auditQuery } from './company-operations.js';

/** Who changed what, the latest first. */
export function AuditLog() {
  return (
    <section className="company-part" aria-label={t('audit.title')}>
      <h2>{t('audit.title')}</h2>
      <AuditPage after={null} />
    </section>
  );
}

function AuditPage({ after }: { after: string | null }) {
  const [{ data, error }, again] = useQuery({
    query: auditQuery,
    variables: { after },
    requestPolicy: 'cache-and-network',
  });
  const [isContinued, setIsContinued] = useState(false);
  if (error && !data) return <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />;
  if (!data) return <Loading />;
  const { edges, pageInfo } = data.auditEntries;
  if (edges.length === 0) return <p className="soft">{t('audit.none')}</p>;
  return (
    <>
      <ul className="plain rows">
        {edges.map(({ node: { id, action, subject, memberName, createdAt, details } }) => (
          <li key={id} className="company-row">
            <details>
              <summary>
                <strong>{action}</strong> {subject}
              </summary>
              <pre className="data">{JSON.stringify(details, null, 2)}</pre>
            </details>
            <p className="soft small">
              {memberName ?? '–'} · {momentOf(createdAt)}
            </p>
          </li>
        ))}
      </ul>
      {pageInfo.hasNextPage &&
        (isContinued ? (
          <AuditPage after={pageInfo.endCursor} />
        ) : (
          <button type="button" className="button" onClick={() => setIsContinued(true)}>
            {t('action.more')}
          </button>
        ))}
    </>
  );
}
