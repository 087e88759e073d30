import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { awaitAll, type Transaction } from '../../src/platform/database/transaction.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { PendingInputRepository } from '../../src/conversations/turns/inputs/pending-input.repository.js';
import { StepEchoRepository } from '../../src/conversations/turns/model-calls/step-echo.repository.js';
import { type Append, TurnEventRepository } from '../../src/conversations/turns/log/turn-event.repository.js';
import { TurnRecords } from '../../src/conversations/turns/log/turn-records.service.js';
import type { MessageTree } from '../../src/conversations/message-tree.service.js';
import { ModelCallRepository } from '../../src/conversations/turns/model-calls/model-call.repository.js';
import { ModelCalls } from '../../src/conversations/turns/model-calls/model-calls.service.js';
import { ErasureRepository } from '../../src/conversations/turns/erasure/erasure.repository.js';
import { PromptTextRepository } from '../../src/conversations/turns/model-calls/prompt-text.repository.js';
import { SkillCallRepository } from '../../src/conversations/turns/skill-call.repository.js';
import { noUsage } from '../../src/conversations/turns/turn-event.js';
import type { Claim } from '../../src/conversations/turns/claims/turn-claim.js';
import type { Conversation } from '../../src/conversations/conversation.repository.js';
import { TurnClaimRepository } from '../../src/conversations/turns/claims/turn-claim.repository.js';
import { TurnRepository } from '../../src/conversations/turns/turn.repository.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { identityOf } from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

const STANDS_AT = 5;
/** With what PostgreSQL does not take. */
const echo = { model: 'm', data: 'thoughts\0' };

describe('what goes with events', () => {
  let app: TestApp;
  let events: TurnEventRepository;
  let records: TurnRecords;
  let payer: { companyId: string; memberId: string };

  beforeAll(async () => {
    app = await shareApp(() => [text('Oui.'), finish()]);
    events = new TurnEventRepository(readConfig({}));
    records = new TurnRecords(
      new TurnRepository(readConfig({})),
      new TurnClaimRepository(readConfig({})),
      new SkillCallRepository(),
      new ModelCalls(
        app.database,
        new ModelCallRepository(),
        new PromptTextRepository(),
        new ErasureRepository(),
        new Metrics(),
      ),
      new PendingInputRepository(),
      new StepEchoRepository(),
      {} as MessageTree,
    );
    const { companyId, id: memberId } = await identityOf(await app.client());
    payer = { companyId, memberId };
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    app.database.dataSource.query<Row[]>(text, values);

  /** A turn that is the second attempt's, in a conversation of its own. */
  const running = async (): Promise<string> => {
    const client = await app.client();
    const { turnId: likeTurnId } = await client.ask('first');
    await client.allEvents(likeTurnId);
    const turnId = newId();
    await sql(
      `INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status, attempt,
         lease_until, started_at, last_sequence)
       SELECT company_id, $2, conversation_id, member_id, role, $3, $4, 'RUNNING', 2, now() + interval '1 hour', now(), $5
       FROM turn WHERE id = $1`,
      [likeTurnId, turnId, newId(), newId(), STANDS_AT],
    );
    return turnId;
  };

  const partOf = (
    turnId: string,
    { attempt = 2, before = STANDS_AT, memberId = payer.memberId } = {},
  ): Append => {
    const callId = newId();
    const asked = { step: 0, preamble: '', modelCallId: 'call_1', modelArguments: '{}', echo };
    const usage = { inputTokens: 10, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
    return {
      claim: { companyId: payer.companyId, turnId, attempt },
      before,
      entries: [
        {
          type: 'skill-started',
          callId,
          skill: 'look',
          arguments: {},
          asked,
          usage: { ...noUsage, inputTokens: 10 },
        },
        {
          type: 'skill-finished',
          callId,
          skill: 'look',
          callStatus: 'SUCCEEDED',
          resultPreview: 'seen',
          durationMs: 1,
          result: 'seen',
        },
        { type: 'moved-to-background', reason: null, message: 'Later.' },
      ],
      calls: [
        {
          id: newId(),
          purpose: 'ANSWER',
          model: 'counted',
          provider: 'INSTALLATION',
          messages: [
            { role: 'system', content: `You are ${turnId}. `.repeat(20) },
            { role: 'user', content: 'first' },
          ],
          kept: 0,
          tools: [{ name: 'look', description: 'Looks.', parameters: {} }],
          hasSummary: false,
          usage: { ...usage, source: 'PROVIDER' },
          costUsd: null,
          outcome: 'stop',
          durationMs: 1,
          at: new Date(),
          memberId,
          assistantKey: 'mefali',
        },
      ],
    };
  };

  const store = (parts: readonly Append[]): Promise<Set<string>> =>
    app.database.systemTransaction(
      async (tx) => {
        const at = new Date();
        const [added] = await awaitAll([events.append(tx, parts, at), records.applyEntries(tx, parts, at)]);
        return added;
      },
      { ahead: true, atOnce: true },
    );

  const stored = async (turnIds: readonly string[]) => ({
    skillCalls: await sql('SELECT turn_id, status, result FROM skill_call WHERE turn_id = ANY($1)', [
      turnIds,
    ]),
    echoes: await sql('SELECT turn_id, step, model, data FROM step_echo WHERE turn_id = ANY($1)', [turnIds]),
    modelCalls: await sql('SELECT turn_id FROM model_call WHERE turn_id = ANY($1)', [turnIds]),
    turns: await sql(
      `SELECT id, last_sequence, status, input_tokens FROM turn WHERE id = ANY($1) AND last_sequence > $2`,
      [turnIds, STANDS_AT],
    ),
    texts: await sql(
      `SELECT content FROM prompt_text WHERE EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE position(id IN content) > 0)`,
      [turnIds],
    ),
    counted: await sql(`SELECT model_calls, input_tokens::int FROM usage_day WHERE model = 'counted'`),
  });

  it('is stored of the turns that are still their owners’, once, and of no other', async () => {
    const [own, lost, resent, gone] = [await running(), await running(), await running(), newId()];
    const parts = [
      partOf(lost, { attempt: 1 }),
      partOf(own),
      // By a commit whose answer was lost: the turn stands where it would bring it.
      partOf(resent, { before: STANDS_AT - 3 }),
      partOf(gone, { memberId: newId() }),
    ];
    expect(await store(parts)).toEqual(new Set([own]));
    const expected = {
      skillCalls: [{ turn_id: own, status: 'SUCCEEDED', result: 'seen' }],
      echoes: [{ turn_id: own, step: 0, model: 'm', data: 'thoughts' }],
      modelCalls: [{ turn_id: own }],
      texts: [{ content: `You are ${own}. `.repeat(20) }],
      turns: [{ id: own, last_sequence: STANDS_AT + 3, status: 'IN_BACKGROUND', input_tokens: 10 }],
      counted: [{ model_calls: 1, input_tokens: 10 }],
    };
    const all = [own, lost, resent, gone];
    expect(await stored(all)).toEqual(expected);
    expect(await store(parts)).toEqual(new Set());
    expect(await stored(all)).toEqual(expected);
  });

  describe('the time in which nobody runs a turn', () => {
    const turns = new TurnRepository(readConfig({}));
    const claims = new TurnClaimRepository(readConfig({}));
    const undone = new Error('Nobody else is to see it.');

    const claimOf = async (tx: Transaction, turnId: string): Promise<Claim> => {
      const { attempt } = await turns.get(tx, turnId);
      return { companyId: payer.companyId, turnId, attempt };
    };

    /** So much of it passes. */
    const pass = (tx: Transaction, turnId: string, seconds: number): Promise<unknown> =>
      tx.query(
        `UPDATE turn SET started_at = started_at - make_interval(secs => $2),
           background_at = background_at - make_interval(secs => $2), seen_at = seen_at - make_interval(secs => $2)
         WHERE id = $1`,
        [turnId, seconds],
      );

    const claim = async (tx: Transaction, turnId: string): Promise<void> => {
      expect(await claims.claim(tx, turnId, { background: true })).not.toBeNull();
    };

    const putBackFor = async (tx: Transaction, turnId: string, seconds: number): Promise<void> => {
      const { backgroundAt } = await turns.get(tx, turnId);
      await claims.release(tx, await claimOf(tx, turnId), backgroundAt ? 'IN_BACKGROUND' : 'QUEUED');
      await pass(tx, turnId, seconds);
      await claim(tx, turnId);
    };

    /** How much of it there was after `work`. */
    const idleAfter = async (work: (tx: Transaction, turnId: string) => Promise<void>): Promise<number> => {
      const turnId = await running();
      let seconds = Number.NaN;
      const worked = app.database.transaction(payer.companyId, async (tx) => {
        await work(tx, turnId);
        seconds = (await turns.get(tx, turnId)).idleSeconds;
        throw undone;
      });
      await expect(worked).rejects.toBe(undone);
      return Math.round(seconds);
    };

    it('is that from when it was put back to when it was claimed, each time', async () => {
      const seconds = await idleAfter(async (tx, turnId) => {
        await putBackFor(tx, turnId, 60);
        await pass(tx, turnId, 7);
        await putBackFor(tx, turnId, 30);
      });
      expect(seconds).toBe(90);
    });

    it('is that in which it waited for people, and for room after they had answered', async () => {
      const seconds = await idleAfter(async (tx, turnId) => {
        await claims.release(tx, await claimOf(tx, turnId), 'WAITING_FOR_APPROVAL');
        await pass(tx, turnId, 3_600);
        await claims.unpark(tx, turnId, 0);
        await pass(tx, turnId, 400);
        await claim(tx, turnId);
      });
      expect(seconds).toBe(4_000);
    });

    it('is that since the last sign of life of an owner that died', async () => {
      const seconds = await idleAfter(async (tx, turnId) => {
        await claims.renew(tx, [await claimOf(tx, turnId)]);
        await pass(tx, turnId, 120);
        await tx.query(`UPDATE turn SET lease_until = now() - interval '1 second' WHERE id = $1`, [turnId]);
        await claim(tx, turnId);
      });
      expect(seconds).toBe(120);
    });

    it('is counted anew in the background', async () => {
      const seconds = await idleAfter(async (tx, turnId) => {
        await putBackFor(tx, turnId, 60);
        await tx.query(`SELECT set_config('palabre.added_turns', $1, true)`, [`{${turnId}}`]);
        await claims.moveToBackground(tx, [await claimOf(tx, turnId)], new Date());
        const { status, idleSeconds } = await turns.get(tx, turnId);
        expect(status).toBe('IN_BACKGROUND');
        expect(idleSeconds).toBeCloseTo(0, 0);
        await putBackFor(tx, turnId, 900);
      });
      expect(seconds).toBe(900);
    });

    it.each([
      ['with the database’s clock', 0],
      ['with a clock that is an hour behind', -3_600],
      ['with a clock that is an hour ahead', 3_600],
    ])(
      'is none of the time of a turn that was begun and moved by a process %s',
      async (_clock, aheadSeconds) => {
        const taken: number[] = [];
        await idleAfter(async (tx, likeTurnId) => {
          const at = new Date(Date.now() + 1000 * aheadSeconds);
          const like = await turns.get(tx, likeTurnId);
          const id = newId();
          await tx.query(`UPDATE turn SET status = 'COMPLETED', lease_until = NULL WHERE id = $1`, [
            likeTurnId,
          ]);
          const turn = { ...like, id, questionId: newId(), answerId: newId(), createdAt: at, startedAt: at };
          await turns.create(tx, {
            turn,
            opening: [],
            question: { text: 'Encore ?', withheld: false, attachmentIds: [] },
            conversation: { shownBranchId: newId() } as Conversation,
            isFirst: false,
          });
          const takeOver = async (): Promise<void> => {
            await tx.query(`UPDATE turn SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);
            taken.push(
              Math.round((await claims.claim(tx, id, { background: true }))?.phaseSeconds ?? Number.NaN),
            );
          };
          await pass(tx, id, 20);
          await claims.renew(tx, [await claimOf(tx, id)]);
          await pass(tx, id, 300);
          await takeOver();
          await tx.query(`SELECT set_config('palabre.added_turns', $1, true)`, [`{${id}}`]);
          await claims.moveToBackground(tx, [await claimOf(tx, id)], at);
          await pass(tx, id, 40);
          await claims.renew(tx, [await claimOf(tx, id)]);
          await takeOver();
        });
        expect(taken).toEqual([20, 40]);
      },
    );

    it('is none before it was begun', async () => {
      const seconds = await idleAfter(async (tx, turnId) => {
        await tx.query(
          `UPDATE turn SET status = 'QUEUED', started_at = NULL, created_at = created_at - interval '1 hour'
           WHERE id = $1`,
          [turnId],
        );
        await claim(tx, turnId);
      });
      expect(seconds).toBe(0);
    });

    it('is not counted while its owner gives signs of life, which the installation notes for all', async () => {
      const turnId = await running();
      const { companyId } = payer;
      await app.database.systemTransaction((tx) =>
        claims.renew(tx, [{ companyId, turnId, attempt: 2 }]).then(() => undefined),
      );
      expect(
        await sql('SELECT seen_at >= started_at AS seen, idle_seconds AS idle FROM turn WHERE id = $1', [
          turnId,
        ]),
      ).toEqual([{ seen: true, idle: 0 }]);
    });
  });
});
