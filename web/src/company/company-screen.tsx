import './company.css';
import { useQuery } from 'urql';

import type { CompanyScreenQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Page } from '../parts/page.js';
import { Failure, Loading } from '../parts/states.js';
import { ApiKeys } from './api-keys.js';
import { AuditLog } from './audit-log.js';
import { companyQuery } from './company-operations.js';
import { CompanyParts } from './company-part.js';
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
      {data && <CompanyData data={data} refresh={refresh} />}
    </Page>
  );
}

function CompanyData({ data, refresh }: { data: CompanyScreenQuery; refresh: () => void }) {
  const keys = data.apiKeys.edges.map(({ node }) => node);
  const members = data.members.edges.map(({ node }) => node);
  // A key is a member too: as such it stands where it was made and is revoked.
  const programs = new Set(keys.map(({ memberId }) => memberId));
  return (
    <>
      <CompanyParts />
      <Profile key={data.company.id} company={data.company} />
      <Members members={members.filter(({ id }) => !programs.has(id))} />
      <ApiKeys keys={keys} refresh={refresh} />
      <Webhooks webhooks={data.webhooks} refresh={refresh} />
      <Providers providers={data.providers} refresh={refresh} />
      <AuditLog members={members} />
    </>
  );
}
