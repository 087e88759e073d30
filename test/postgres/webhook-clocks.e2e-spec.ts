import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { eventually } from '../harness/eventually.js';
import { inboxOf } from '../harness/inbox.js';
import { identityOf } from '../harness/notification-view.js';
import { startApp } from '../harness/start-app.js';

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }';

afterEach(() => vi.restoreAllMocks());

it('tells a webhook at once where the clock of the process is behind that of the database', async () => {
  await using site = await LocalSite.start((_request, response) => response.end());
  await using app = await startApp([], { OUTBOUND_ALLOW: site.host });
  const admin = await app.client();
  const { id: memberId, companyId } = await identityOf(admin);
  await admin.get(CREATE, { input: { url: site.url } });
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 600_000);
  const notification = { memberId, kind: 'TURN_COMPLETED', title: 'Done', body: '', turnId: null } as const;
  await app.database.transaction(companyId, (tx) => inboxOf(app.server.resources).add(tx, notification));
  await eventually(
    () => app.database.transaction(companyId, (tx) => tx.query('SELECT FROM webhook_delivery')),
    ({ length }) => length === 0,
  );
  expect(site.requests).toEqual(['POST /']);
});
