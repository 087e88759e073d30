import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { processed, upload } from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { identityOf } from '../harness/notification-view.js';
import { lastOf } from '../harness/provider-request.js';
import { startApp } from '../harness/start-app.js';

/** What is still owed, by the row that says so. */
const OWED = `
  SELECT 'member' AS name FROM member WHERE subject = 'erased ' || id
  UNION ALL SELECT 'content' FROM document_content WHERE status = 'PENDING'
  UNION ALL SELECT 'analysis' FROM document_analysis WHERE status = 'PENDING'
  UNION ALL SELECT 'approval' FROM pending_input WHERE status = 'PENDING'
  UNION ALL SELECT 'delivery' FROM webhook_delivery WHERE tries = 0
  UNION ALL SELECT 'erasure' FROM erasure WHERE late IS NULL`;

it('is found by the rows that wait for it when their jobs are gone, and done', async () => {
  await using app = await startApp(
    (body) =>
      lastOf(body).role === 'user'
        ? [toolCall('update_company_profile', { city: 'Thiès' }), finish()]
        : [text('Bonjour.'), finish()],
    {},
    { isLasting: true },
  );
  const ada = await app.client({ sub: 'ada' });
  const { companyId, id: memberId } = await identityOf(ada);
  const { id: leaving } = await identityOf(await app.client({ sub: 'ben', role: 'MEMBER' }));
  await processed(ada, await upload(ada, 'rapport.md', '# Rapport\n\nLe verger est à Dakar.'));
  await ada.get('mutation { setSkillApproval(key: "update_company_profile", required: true) { id } }');
  const { turnId } = await ada.ask('Bonjour ?');
  for await (const { __typename } of ada.turnEvents(turnId)) if (__typename === 'ApprovalRequested') break;
  await ada.get('mutation { createWebhook(input: { url: "https://hooks.invalid/" }) { secret } }');
  // As they are when the process that was to do it has never been.
  await app.database.transaction(companyId, (tx) =>
    tx.query(`
      UPDATE member SET subject = 'erased ' || id WHERE id = '${leaving}';
      UPDATE document_content SET status = 'PENDING';
      INSERT INTO document_analysis (company_id, id, content_id, focus, language)
        SELECT company_id, '${newId()}', id, 'SUMMARY', 'fr' FROM document_content;
      INSERT INTO erasure (company_id, id, owner_id, texts, short_texts, since)
        VALUES ('${companyId}', '${newId()}', '${memberId}', '{}', '{}', now());
      UPDATE pending_input SET expires_at = now() - interval '1 day';
      INSERT INTO notification (company_id, id, member_id, kind, title, body)
        VALUES ('${companyId}', '${newId()}', '${memberId}', 'DOCUMENT_ANALYSED', 'Rapport', '');
      INSERT INTO webhook_delivery (company_id, notification_id, webhook_id)
        SELECT webhook.company_id, notification.id, webhook.id FROM webhook, notification
        WHERE kind = 'DOCUMENT_ANALYSED'`),
  );
  const owed = async (): Promise<string[]> => {
    const rows = await app.database.transaction(companyId, (tx) => tx.query<{ name: string }>(OWED));
    return rows.map(({ name }) => name);
  };
  expect(new Set(await owed())).toEqual(
    new Set(['member', 'content', 'analysis', 'approval', 'delivery', 'erasure']),
  );
  await app.database.dataSource.query('DELETE FROM pgboss.job');
  await app.restart();
  expect(await eventually(owed, (names) => names.length === 0)).toEqual([]);
});
