import { finish, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { disconnect, type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { unansweredText } from '../../src/agent/unanswered.js';
import { newId } from '../../src/common/ids.js';
import { ImpatientClock } from '../harness/impatient-clock.js';
import { lastOf, spokenIn } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient } from '../harness/test-client.js';
import { cancelTurn, messagesOf, turnOf } from '../harness/turn-view.js';

function echo(body: JsonObject): ProviderReply {
  return [text(`re ${lastOf(body).content}`), finish()];
}

describe('a turn that meets with trouble', () => {
  let app: TestApp;
  let client: TestClient;
  let reply: (body: JsonObject) => ProviderReply;

  beforeAll(async () => {
    app = await startApp((body) => reply(body), {}, { clock: new ImpatientClock() });
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => void (reply = echo));

  const sql = <Row>(query: string, values: unknown[] = []): Promise<Row[]> =>
    app.database.dataSource.query<Row[]>(query, values);

  describe('when the provider', () => {
    it.each<[string, ProviderReply, string, boolean, string]>([
      ['answers 500', [status(500)], 'MODEL_UNAVAILABLE', true, ''],
      ['answers a page of HTML', [status(502, '<html>Bad gateway</html>')], 'MODEL_UNAVAILABLE', true, ''],
      ['answers HTML as if all were well', [status(200, '<html>Hi</html>')], 'MODEL_UNAVAILABLE', true, ''],
      ['refuses the key', [status(401)], 'MODEL_UNAVAILABLE', false, ''],
      ['cuts the stream', [text('So far'), disconnect()], 'MODEL_UNAVAILABLE', true, 'So far'],
      ['says nothing', [finish()], 'MODEL_UNAVAILABLE', true, ''],
    ])('%s: it fails in its own words, and can be asked again', async (_, broken, code, retryable, said) => {
      reply = () => broken;
      const { turnId, conversationId } = await client.ask('How much?');
      const events = await client.allEvents(turnId);
      const turn = await turnOf(client, turnId);
      expect(turn).toMatchObject({
        status: 'FAILED',
        finishReason: 'ERROR',
        error: { code, retryable },
        question: { text: 'How much?' },
        usage: { skillCalls: 0 },
      });
      expect(turn.error?.message).not.toMatch(/html|401|127\.0\.0\.1/i);
      expect(turn.answer?.text ?? '').toBe(said);
      expect(turn.answer?.status ?? 'FAILED').toBe('FAILED');
      expect(answerOf(events)).toBe(said);
      expect(events.at(-1)).toMatchObject({
        __typename: 'TurnDone',
        status: 'FAILED',
        error: turn.error,
        messageId: turn.answer?.id ?? null,
      });
      reply = echo;
      const again = await client.ask('Again?', { conversationId });
      expect((await client.allEvents(again.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      expect(spokenIn(app.provider.requests.at(-1))).toEqual([
        'user: How much?',
        `assistant: ${said === '' ? unansweredText('FAILED', 'fr') : said}`,
        'user: Again?',
      ]);
      expect(await messagesOf(client, conversationId)).toEqual([
        'USER COMPLETE: How much?',
        ...(said === '' ? [] : [`ASSISTANT FAILED: ${said}`]),
        'USER COMPLETE: Again?',
        expect.stringMatching(/^ASSISTANT COMPLETE: re /),
      ]);
    });
  });

  describe('when time is up', () => {
    const withOneSecond = async (ask: () => Promise<void>): Promise<void> => {
      await sql(`UPDATE assistant SET max_seconds = 1 WHERE key = 'mefali'`);
      try {
        await ask();
      } finally {
        await sql(`UPDATE assistant SET max_seconds = 60 WHERE key = 'mefali'`);
      }
    };

    it('answers with what there is', () =>
      withOneSecond(async () => {
        reply = () => [text('So far'), hang()];
        const { turnId } = await client.ask('first');
        const events = await client.allEvents(turnId);
        await app.provider.nextAbort();
        expect(events.at(-1)).toMatchObject({
          status: 'COMPLETED',
          finishReason: 'MAX_SECONDS',
          error: null,
        });
        expect((await turnOf(client, turnId)).answer).toMatchObject({ text: 'So far', status: 'COMPLETE' });
      }));

    it('fails when there is nothing', () =>
      withOneSecond(async () => {
        reply = () => [hang()];
        const { turnId } = await client.ask('first');
        const events = await client.allEvents(turnId);
        await app.provider.nextAbort();
        expect(events.at(-1)).toMatchObject({
          status: 'FAILED',
          finishReason: 'MAX_SECONDS',
          messageId: null,
          error: { code: 'MODEL_UNAVAILABLE', retryable: true },
        });
      }));
  });

  describe('when its process is gone', () => {
    /** A turn as the process leaves it that died in its attempt `attempt`, having said something. */
    const leaveBehind = async (likeTurnId: string, attempt: number, stopReason: string | null = null) => {
      const turnId = newId();
      const questionId = newId();
      const answerId = newId();
      await sql(
        `INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status,
           attempt, lost_leases, lease_until, started_at, stop_reason, last_sequence)
         SELECT company_id, $2, conversation_id, member_id, role, $3, $4, 'RUNNING', $5, $5 - 1,
           now() + interval '1 hour', now(), $6, 3 FROM turn WHERE id = $1`,
        [likeTurnId, turnId, questionId, answerId, attempt, stopReason],
      );
      await sql(
        `INSERT INTO message (company_id, id, conversation_id, branch_id, turn_id, role, status, text)
         SELECT company_id, $2, conversation_id, conversation_id, $3, 'USER', 'COMPLETE', 'left behind' FROM turn WHERE id = $1`,
        [likeTurnId, questionId, turnId],
      );
      await sql(
        `INSERT INTO turn_event (company_id, turn_id, sequence, type, data)
         SELECT company_id, $2, event.sequence, event.type, event.data::jsonb FROM turn,
           (VALUES (1, 'status-changed', '{"status":"QUEUED","detail":null}'),
                   (2, 'status-changed', '{"status":"RUNNING","detail":null}'),
                   (3, 'text-delta', '{"text":"Half a"}')) AS event (sequence, type, data)
         WHERE id = $1`,
        [likeTurnId, turnId],
      );
      return turnId;
    };

    /** Its lease is over: whoever has room finds it. */
    const endLease = (turnId: string): Promise<unknown> =>
      sql(`UPDATE turn SET lease_until = now() WHERE id = $1`, [turnId]);

    const begin = async () => {
      const first = await client.ask('first');
      await client.allEvents(first.turnId);
      return first;
    };

    it('is answered by another attempt, what was shown withdrawn', async () => {
      const { turnId: likeTurnId } = await begin();
      const turnId = await leaveBehind(likeTurnId, 2);
      await endLease(turnId);
      const events = await client.allEvents(turnId);
      expect(events.slice(3, 5)).toMatchObject([
        { __typename: 'StatusChanged', status: 'RUNNING' },
        { __typename: 'TextReset', cause: 'RETRIED' },
      ]);
      expect(answerOf(events)).toBe('re left behind');
      expect(await turnOf(client, turnId)).toMatchObject({
        status: 'COMPLETED',
        answer: { text: 're left behind' },
      });
    });

    it('fails when three of its owners were lost, without asking the model, and the next in line is answered', async () => {
      const { turnId: likeTurnId, conversationId } = await begin();
      const turnId = await leaveBehind(likeTurnId, 3);
      const next = await client.ask('next', { conversationId });
      const requests = app.provider.requests.length;
      await endLease(turnId);
      const events = await client.allEvents(turnId);
      expect(answerOf(events)).toBe('');
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)).toMatchObject({
        __typename: 'TurnDone',
        status: 'FAILED',
        finishReason: 'ERROR',
        messageId: null,
        error: { code: 'LEASE_LOST', retryable: true },
      });
      expect(await turnOf(client, turnId)).toMatchObject({
        status: 'FAILED',
        answer: null,
        question: { text: 'left behind' },
      });
      expect((await client.allEvents(next.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      expect(app.provider.requests).toHaveLength(requests + 1);
      expect(spokenIn(app.provider.requests.at(-1)).slice(-3)).toEqual([
        'user: left behind',
        `assistant: ${unansweredText('FAILED', 'fr')}`,
        'user: next',
      ]);
    });

    it('is cancelled, not failed, when that is what was asked for', async () => {
      const { turnId: likeTurnId } = await begin();
      const turnId = await leaveBehind(likeTurnId, 3, 'CANCELLED');
      await endLease(turnId);
      expect((await client.allEvents(turnId)).at(-1)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        error: null,
      });
    });

    it('can be cancelled, though nobody is there to hear of it yet', async () => {
      const { turnId: likeTurnId } = await begin();
      const turnId = await leaveBehind(likeTurnId, 1);
      expect((await cancelTurn(client, turnId)).status).toBe('RUNNING');
      const requests = app.provider.requests.length;
      await endLease(turnId);
      expect((await client.allEvents(turnId)).at(-1)).toMatchObject({ status: 'CANCELLED' });
      expect(app.provider.requests).toHaveLength(requests);
    });
  });

  it('keeps an answer whose end could not be stored at first', async () => {
    await sql(`CREATE SEQUENCE hiccup`);
    await sql(`GRANT USAGE ON SEQUENCE hiccup TO PUBLIC`);
    await sql(`CREATE FUNCTION hiccup() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      -- A sequence does not go back with the transaction: only the first try fails.
      IF NEW.role = 'ASSISTANT' AND nextval('hiccup') = 1 THEN RAISE EXCEPTION 'hiccup'; END IF;
      RETURN NEW; END $$`);
    await sql(`CREATE TRIGGER hiccup BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION hiccup()`);
    const { turnId, conversationId } = await client.ask('first');
    const next = await client.ask('second', { conversationId });
    const requests = app.provider.requests.length;
    const events = await client.allEvents(turnId);
    expect(answerOf(events)).toBe('re first');
    expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
    expect((await client.allEvents(next.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
    expect(app.provider.requests.length - requests).toBeLessThanOrEqual(2);
    expect(await sql(`SELECT FROM turn WHERE id = $1 AND attempt = 1`, [turnId])).toHaveLength(1);
    const [{ last } = { last: 0 }] = await sql<{ last: number }>(
      'SELECT last_value::int AS last FROM hiccup',
    );
    expect(last).toBe(3);
    await sql('DROP TRIGGER hiccup ON message');
  });

  it('fails for itself alone when its context cannot be read', async () => {
    const { turnId, conversationId } = await client.ask('first');
    await client.allEvents(turnId);
    await sql(`UPDATE assistant SET key = 'gone' WHERE key = 'mefali'`);
    const broken = await client.ask('second', { conversationId });
    expect((await client.allEvents(broken.turnId)).at(-1)).toMatchObject({
      status: 'FAILED',
      finishReason: 'ERROR',
      error: { code: 'INTERNAL', message: 'Une erreur est survenue. Vous pouvez reposer la question.' },
    });
    await sql(`UPDATE assistant SET key = 'mefali' WHERE key = 'gone'`);
    const again = await client.ask('third', { conversationId });
    expect((await client.allEvents(again.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  });
});
