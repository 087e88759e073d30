import './company.css';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Page } from '../parts/page.js';
import { Failure, Loading } from '../parts/states.js';
import { ApiKeys } from './api-keys.js';
import { AuditLog } from './audit-log.js';
import { companyQuery } from './company-operations.js';
import { Members } from './members.js';
import { Profile } from './profile.js';
import { Providers } from './providers.js';
import { Webhooks } from './webhooks.js';

/** Who is here, what programs may do, and who changed what. */
export function CompanyScreen() {
  const [{ data, error }, again] = useQuery({ query: companyQuery, requestPolicy: 'cache-and-network' });
  const refresh = (): void => again({ requestPolicy: 'network-only' });
  return (
    <Page title={t('screen.company')} lead={t('company.lead')}>
      {error && !data && <Failure error={error} again={refresh} />}
      {!data && !error && <Loading lines={8} />}
      {data && (
        <>
          <Profile key={data.company.id} company={data.company} />
          <Members members={data.members.edges.map(({ node }) => node)} />
          <ApiKeys keys={data.apiKeys.edges.map(({ node }) => node)} refresh={refresh} />
          <Webhooks webhooks={data.webhooks} refresh={refresh} />
          <Providers providers={data.providers} refresh={refresh} />
          <AuditLog />
        </>
      )}
    </Page>
  );
}
