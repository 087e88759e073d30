import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { untilWaiting } from '../harness/approval-view.js';
import { inboxOf } from '../harness/inbox.js';
import { seenToEnd } from '../harness/laws.js';
import { identityOf } from '../harness/notification-view.js';
import { askedIn, barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import { toolsOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { untilBlocked } from '../harness/until-blocked.js';

const LOOK = 'get_company_profile';
const MOVE = 'continue_in_background';
const ANSWER = 'synthesize_answer';

/** On the embedded database's one connection nobody holds what another one waits for. */
const onServer = testDatabaseUrl === null ? describe.skip : describe;

type Step = ReturnType<typeof barrier>['step'];

/** Answers, in the background, once `step` lets it. */
function answersInBackground(step: Step): BookReply {
  return (body) => {
    const tools = toolsOf(body);
    if (tools.length === 0) return [text('Voilà.'), step, finish()];
    return [toolCall(tools.includes(MOVE) ? MOVE : ANSWER, {}), finish()];
  };
}

/** Answers at once, but for `step` in the planner's first decision. */
function answers(...steps: Step[]): BookReply {
  return (body) =>
    toolsOf(body).length === 0 ? [text('Oui.'), finish()] : [toolCall(ANSWER, {}), ...steps, finish()];
}

onServer('those who hold the same rows', () => {
  const book = new ScriptBook();
  let site: LocalSite;
  let app: TestApp;

  beforeAll(async () => {
    site = await LocalSite.start((_, response) => void response.end());
    app = await startApp(book.replyTo, { LEASE_SECONDS: '10', OUTBOUND_ALLOW: site.host });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const ask = async (client: TestClient, reply: BookReply) => {
    const question = book.add(reply);
    const { turnId } = await client.ask(question, { assistantKey: 'explorateur' });
    return { question, turnId };
  };

  it('take them in one order: a question to people, and the end of another turn of the member', async () => {
    const [ada, bob] = [await app.client(), await app.client({ sub: 'bob', role: 'MEMBER' })];
    const { companyId } = await identityOf(ada);
    await ada.get(`mutation { setSkillApproval(key: "${LOOK}", required: true) { key } }`);
    await seenToEnd(bob, (await ask(bob, answers())).turnId);
    const [atEnd, atQuestion, atPlan] = [barrier(), barrier(), barrier()];
    const ending = await ask(ada, answersInBackground(atEnd.step));
    await atEnd.reached;
    const asking = await ask(ada, [toolCall(LOOK), atQuestion.step, finish()]);
    await ask(bob, answers(atPlan.step));
    await Promise.all([atQuestion.reached, atPlan.reached]);

    await app.database.transaction(companyId, async (tx) => {
      await tx.query('SELECT FROM usage_day WHERE company_id = $1 FOR UPDATE', [companyId]);
      // What is told next waits behind it, and so goes with what comes last of each turn.
      atPlan.open();
      await untilBlocked(app.database, 1);
      atEnd.open();
      await untilBlocked(app.database, 2);
      atQuestion.open();
      await untilBlocked(app.database, 3);
    });
    await untilWaiting(ada, asking.turnId);
    expect((await seenToEnd(ada, ending.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    // Not asked for again by another owner: the one that put the question could store it.
    const asked = app.provider.requests.filter((body) => askedIn(body).question === asking.question);
    expect(asked).toHaveLength(1);
  });

  it('do not keep a conversation from being deleted whose turns tell of something at that moment', async () => {
    const ada = await app.client();
    const { companyId } = await identityOf(ada);
    const [inBackground, inForeground] = [barrier(), barrier()];
    const { turnId, conversationId } = await ada.ask(
      book.add((body) =>
        toolsOf(body).includes(MOVE)
          ? [toolCall(MOVE, {}), finish()]
          : [inBackground.step, toolCall(ANSWER, {}), finish()],
      ),
      { assistantKey: 'explorateur' },
    );
    await inBackground.reached;
    await ada.ask(book.add(answers(inForeground.step)), { conversationId });
    await inForeground.reached;

    const remove = 'mutation ($id: ID!) { deleteConversation(id: $id) }';
    const removed = Promise.withResolvers<unknown>();
    await app.database.transaction(companyId, async (tx) => {
      await tx.query('SELECT FROM turn WHERE company_id = $1 AND id = $2 FOR UPDATE', [companyId, turnId]);
      inBackground.open();
      inForeground.open();
      await untilBlocked(app.database, 1);
      removed.resolve(ada.get(remove, { id: conversationId }));
      await untilBlocked(app.database, 2);
    });
    expect(await removed.promise).toEqual({ deleteConversation: conversationId });
  });

  describe('of a webhook', () => {
    const remove = 'mutation ($id: ID!) { deleteWebhook(id: $id) }';
    let ada: TestClient;
    let companyId: string;
    let memberId: string;
    let webhookId: string;

    beforeEach(async () => {
      ada = await app.client({ company: await app.company() });
      ({ companyId, id: memberId } = await identityOf(ada));
      const { createWebhook } = await ada.get<{ createWebhook: { webhook: { id: string } } }>(
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
        { input: { url: site.url } },
      );
      webhookId = createWebhook.webhook.id;
    });

    const notify = (): Promise<void> =>
      app.database.transaction(companyId, (tx) =>
        inboxOf(app.server.resources).add(tx, {
          memberId,
          kind: 'TURN_COMPLETED',
          title: 'Answered',
          body: '',
          turnId: null,
        }),
      );

    it('do not keep it from being deleted while it is noted that it was told', async () => {
      const asked = Promise.withResolvers<() => void>();
      site.handler = (_, response) => asked.resolve(() => response.end());
      await notify();
      const answer = await asked.promise;
      const removed = Promise.withResolvers<unknown>();
      await app.database.transaction(companyId, async (tx) => {
        await tx.query('SELECT FROM webhook_delivery WHERE company_id = $1 FOR UPDATE', [companyId]);
        answer();
        await untilBlocked(app.database, 1);
        removed.resolve(ada.get(remove, { id: webhookId }));
        await untilBlocked(app.database, 2);
      });
      expect(await removed.promise).toEqual({ deleteWebhook: webhookId });
    });

    it('store what it was to be told of, though it is being deleted', async () => {
      const stored = Promise.withResolvers<unknown>();
      await app.database.transaction(companyId, async (tx) => {
        await tx.query('DELETE FROM webhook WHERE company_id = $1 AND id = $2', [companyId, webhookId]);
        stored.resolve(notify());
        await untilBlocked(app.database, 1);
      });
      await stored.promise;
      const rows = await app.database.transaction(companyId, (tx) =>
        tx.query('SELECT title FROM notification WHERE company_id = $1', [companyId]),
      );
      expect(rows).toEqual([{ title: 'Answered' }]);
    });
  });
});
