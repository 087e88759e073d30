import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '@palabre/llm-client/scripted-provider.double.js';

import { seenToEnd } from '../harness/laws.js';
import { Replica } from '../harness/replicas.js';
import { type BookReply, ScriptBook } from '../harness/script-book.js';
import type { TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { type Counted, promptsOf, setQuota, turnUsageOf, usageOf } from '../harness/usage-view.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const LOOK = 'get_company_profile';
const TURNS = 30;

const book = new ScriptBook();

/** A turn whose calls use up what no other's do: a failed one, one that asks for skills, and the answer. */
function turnOfNumber(index: number): BookReply[] {
  const counted = finish(null, {
    inputTokens: 1000 + index,
    outputTokens: 10 + index,
    cachedInputTokens: index,
  });
  const tries: BookReply = [toolCall(LOOK), toolCall(LOOK), counted];
  let isFirst = true;
  const failing: BookReply = () => {
    const fails = isFirst && index % 3 === 0;
    isFirst = false;
    return fails ? [status(429, {}, { 'retry-after-ms': '1' })] : tries;
  };
  return [failing, [text(`Answer ${index}.`), counted]];
}

function sum(all: readonly Counted[], field: keyof Counted): number {
  return all.reduce((total, one) => total + Number(one[field]), 0);
}

function sumOf(all: readonly Counted[]) {
  return {
    modelCalls: sum(all, 'modelCalls'),
    inputTokens: sum(all, 'inputTokens'),
    outputTokens: sum(all, 'outputTokens'),
    cachedInputTokens: sum(all, 'cachedInputTokens'),
    costUsd: expect.closeTo(sum(all, 'costUsd'), 9) as number,
  };
}

onServer('usage over two replicas', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let folder: string;
  let replicas: Replica[];
  let clients: [TestClient, TestClient];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(book.replyTo);
    folder = await mkdtemp(join(tmpdir(), 'palabre-prices-'));
    const prices = join(folder, 'prices.json');
    await writeFile(prices, JSON.stringify({ scripted: { input: 3, cachedInput: 0.3, output: 15 } }));
    const databaseUrl = testDatabase.location.database.url ?? '';
    const settings = { MODELS_FILE: prices, SHUTDOWN_GRACE_SECONDS: '1' };
    const start = (): Promise<Replica> => Replica.start({ databaseUrl, provider, settings });
    const [a, b] = await Promise.all([start(), start()]);
    replicas = [a, b];
    clients = [await a.client(), await b.client()];
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    await provider.close();
    await rm(folder, { recursive: true, force: true });
    await testDatabase[Symbol.asyncDispose]();
  });

  it('adds up to what the turns say, however many end at once', async () => {
    const [here, there] = clients;
    const ended = await Promise.all(
      Array.from({ length: TURNS }, async (_, index) => {
        const [asks, watches] = index % 2 === 0 ? clients : [there, here];
        const { turnId } = await asks.ask(book.add(...turnOfNumber(index)));
        expect((await seenToEnd(watches, turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
        return turnUsageOf(watches, turnId);
      }),
    );
    expect(sum(ended, 'modelCalls')).toBe(2 * TURNS + TURNS / 3);
    for (const client of clients) expect(await usageOf(client, [])).toMatchObject([sumOf(ended)]);
    const rows = await usageOf(here, ['MEMBER', 'ASSISTANT', 'MODEL']);
    expect(rows).toMatchObject([sumOf(ended)]);
    // The provider counted nothing of the calls that it refused.
    expect(rows.reduce((total, { estimatedCalls }) => total + estimatedCalls, 0)).toBe(TURNS / 3);
  });

  it('adds up of a turn that was handed over in the middle of a call, which is paid for as well', async () => {
    const [here, there] = clients;
    const own = { assistantKey: 'solven' };
    const isThere = ({ assistantKey }: { assistantKey: string | null }): boolean => assistantKey === 'solven';
    let isFirst = true;
    const breaks: BookReply = () => {
      const stays = isFirst;
      isFirst = false;
      return stays ? [text('So far'), hang()] : [text('Well.'), finish()];
    };
    const { turnId } = await here.ask(book.add([toolCall(LOOK), finish()], breaks), own);
    for await (const { __typename } of there.turnEvents(turnId)) if (__typename === 'TextDelta') break;
    const [first] = replicas;
    await first?.down('SIGTERM');
    expect((await seenToEnd(there, turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
    await first?.up();
    const used = await turnUsageOf(there, turnId);
    expect(used.modelCalls).toBe(3);
    const rows = (await usageOf(there, ['ASSISTANT'])).filter(isThere);
    expect(rows).toMatchObject([{ ...sumOf([used]), estimatedCalls: 1 }]);
    expect((await promptsOf(there, turnId)).map(({ outcome }) => outcome)).toEqual([
      'tool-calls',
      'ABORTED',
      'stop',
    ]);
  });

  it('is what a quota is held against, whichever replica was asked', async () => {
    const [here, there] = clients;
    await setQuota(here, { subject: 'EACH_MEMBER', period: 'DAY', maxTokens: 1 });
    const refused = { __typename: 'QuotaExceeded' };
    for (const client of clients) {
      expect(await client.startTurn({ assistantKey: 'mefali', message: book.add() })).toMatchObject(refused);
    }
    await setQuota(there, { subject: 'EACH_MEMBER', period: 'DAY' });
    const { turnId } = await here.ask(book.add([text('Again.'), finish()]));
    expect((await seenToEnd(there, turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  });
});
