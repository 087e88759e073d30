import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { MessagePathRepository } from '../../src/conversations/message-path.repository.js';
import { planOf } from '../harness/plan-of.js';
import { startApp } from '../harness/start-app.js';

it('finds the answer that a history ends with by its digest, however much was said', async () => {
  await using app = await startApp(() => [text('Oui.'), finish()]);
  const client = await app.client();
  const { turnId, conversationId } = await client.ask('Are you there?');
  await client.allEvents(turnId);
  const { dataSource } = app.database;
  await dataSource.query(
    `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text, text_digest)
     SELECT company_id, gen_random_uuid(), conversation_id, branch_id, role, status, 'No. ' || n, md5(n::text)
     FROM message CROSS JOIN generate_series(1, 20000) AS n WHERE conversation_id = $1 AND role = 'ASSISTANT'`,
    [conversationId],
  );
  await dataSource.query('ANALYZE message');
  const [{ memberId, assistantId, companyId }] = (await dataSource.query(
    `SELECT company_id AS "companyId", member_id AS "memberId", assistant_id AS "assistantId"
     FROM conversation WHERE id = $1`,
    [conversationId],
  )) as [{ memberId: string; assistantId: string; companyId: string }];
  const paths = new MessagePathRepository();
  const asked = { memberId, assistantId, texts: ['Oui.', 'Well.\n\nOui.'], limit: 20 };
  await app.database.read(companyId, async (tx) => {
    expect(await paths.listAnswers(tx, asked)).toMatchObject([{ conversationId, text: 'Oui.' }]);
    const plan = await planOf(tx, (explaining) => paths.listAnswers(explaining, asked));
    expect(plan).toContain('message_digest');
    expect(plan).not.toContain('Seq Scan on message');
  });
});
