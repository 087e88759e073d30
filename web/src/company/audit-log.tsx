import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { RowsPage } from '../parts/rows-page.js';
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
  const query = useQuery({
    query: auditQuery,
    variables: { after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <RowsPage
      query={query}
      rowsOf={({ auditEntries }) => auditEntries}
      renderRow={({ id, action, subject, memberName, createdAt, details }) => (
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
      )}
      renderNext={(cursor) => <AuditPage after={cursor} />}
      nothing={<p className="soft">{t('audit.none')}</p>}
    />
  );
}
