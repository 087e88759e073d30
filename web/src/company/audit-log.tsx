import { shownJson } from '@palabre/text/browser.js';
import { useState } from 'react';
import { useQuery } from 'urql';

import type { AuditFilter } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { midnight, momentOf } from '../i18n/dates.js';
import { Choice, Field } from '../parts/form.js';
import { RowsPage } from '../parts/rows-page.js';
import { CompanyPart } from './company-part.js';
import { actionText, NOUNS, nounText } from './audit-texts.js';
import { auditQuery, type ListedMember } from './company-operations.js';

/** A year that is being typed is smaller. */
const FIRST_DAY = '1970-01-02';

const NOTHING = { noun: '', memberId: '', from: '', to: '' };

/** Who changed what, the latest first. */
export function AuditLog({ members }: { members: readonly ListedMember[] }) {
  const [chosen, setChosen] = useState(NOTHING);
  const choose = (part: Partial<typeof NOTHING>): void => setChosen({ ...chosen, ...part });
  const filter = filterOf(chosen);
  const any = ['', t('turns.any')] as const;
  return (
    <CompanyPart name="audit">
      <search className="filters" aria-label={t('audit.filter')}>
        <Choice
          label={t('audit.what')}
          options={[any, ...NOUNS.map((noun) => [noun, nounText(noun)] as const)]}
          value={chosen.noun}
          onChoose={(noun) => choose({ noun })}
        />
        <Choice
          label={t('turns.member')}
          options={[any, ...members.map(({ id, name }) => [id, name] as const)]}
          value={chosen.memberId}
          onChoose={(memberId) => choose({ memberId })}
        />
        <Field
          label={t('turns.from')}
          type="date"
          value={chosen.from}
          onChange={(from) => choose({ from })}
        />
        <Field label={t('turns.to')} type="date" value={chosen.to} onChange={(to) => choose({ to })} />
      </search>
      <AuditPage key={JSON.stringify(filter)} filter={filter} after={null} />
    </CompanyPart>
  );
}

function filterOf({ noun, memberId, from, to }: typeof NOTHING): AuditFilter {
  return {
    ...(noun !== '' && { noun }),
    ...(memberId !== '' && { memberId }),
    ...(from > FIRST_DAY && { from: midnight(from).toISOString() }),
    ...(to > FIRST_DAY && { to: midnight(to, 1).toISOString() }),
  };
}

function AuditPage({ filter, after }: { filter: AuditFilter; after: string | null }) {
  const query = useQuery({
    query: auditQuery,
    variables: { filter, after },
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
              <strong>{actionText(action)}</strong> {subject}
            </summary>
            <pre className="data">{shownJson(details)}</pre>
          </details>
          <p className="soft small">
            {memberName ?? '–'} · {momentOf(createdAt)}
          </p>
        </li>
      )}
      renderNext={(cursor) => <AuditPage filter={filter} after={cursor} />}
      nothing={
        <p className="soft">{t(Object.keys(filter).length === 0 ? 'audit.none' : 'audit.noneFound')}</p>
      }
    />
  );
}
