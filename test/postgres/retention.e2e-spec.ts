import { setTimeout as sleep } from 'node:timers/promises';

import { v7 } from 'uuid';
import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import type { Config } from '../../src/common/config/config.js';
import { addPartitions } from '../../src/platform/database/time-partitions.js';
import type { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { TurnEventRepository } from '../../src/conversations/turns/log/turn-event.repository.js';
import { EventRetention } from '../../src/conversations/turns/log/event-retention.service.js';
import { PromptTextRepository } from '../../src/conversations/turns/model-calls/prompt-text.repository.js';
import { spokenIn } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

/** What is kept of a turn only for a time. */
const KEPT = ['turn_event', 'model_call'];
const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

function reply(body: JsonObject): ProviderReply {
  const said = spokenIn(body).at(-1) ?? '';
  if (said.endsWith('for ever')) return [hang()];
  if (said.startsWith('user:')) return [text('Let me see.'), toolCall('get_company_profile'), finish()];
  return [text('You are '), text('in Dakar.'), finish()];
}

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startApp(reply, { EVENT_RETENTION_DAYS: String(RETENTION_DAYS) });
  client = await app.client();
  // What the server does by itself at its start must not happen in the middle of a test.
  await nextRound();
});
afterAll(() => app[Symbol.asyncDispose]());

function sql<Row>(query: string, values: unknown[] = []): Promise<Row[]> {
  return app.database.dataSource.query<Row[]>(query, values);
}

/** Resolves when the server has done a round, and the next one waits for its hour. */
async function nextRound(): Promise<void> {
  const waits = `SELECT FROM pgboss.job
    WHERE name = 'keep-event-log' AND state = 'created' AND start_after > now() + interval '50 minutes'`;
  // Nothing tells of it but the table.
  while ((await sql(waits)).length === 0) await sleep(50);
}

/** What one replica does every hour. */
function keep(days = RETENTION_DAYS): Promise<void> {
  const { config, jobs } = app.server.resources;
  const turns = { ...config.turns, eventRetentionDays: days };
  return retention({ ...config, turns }, jobs).keep(new AbortController().signal);
}

function retention(config: Config, jobs: JobQueue): EventRetention {
  const { database, logger } = app.server.resources;
  return new EventRetention(
    config,
    database,
    jobs,
    new TurnEventRepository(config),
    new PromptTextRepository(),
    logger,
  );
}

async function ask(message = 'Where are we?'): Promise<string> {
  const { turnId } = await client.ask(message);
  await client.allEvents(turnId);
  return turnId;
}

function dayOf(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

async function makeDay(days: number): Promise<void> {
  for (const table of KEPT) {
    await addPartitions(
      app.database.dataSource,
      { table, column: 'turn_id' },
      { from: dayOf(days), days: 0 },
    );
  }
}

/** Makes it so that the turn began and ended so many days ago, and gives its new id. */
async function age(turnId: string, days: number): Promise<string> {
  const id = v7({ msecs: dayOf(days).getTime() });
  await app.database.dataSource.transaction(async (manager) => {
    await manager.query('DELETE FROM skill_call WHERE turn_id = $1', [turnId]);
    await manager.query(
      `UPDATE turn SET id = $2, created_at = created_at - $3 * interval '1 day',
         finished_at = finished_at - $3 * interval '1 day' WHERE id = $1`,
      [turnId, id, days],
    );
    await manager.query('UPDATE message SET turn_id = $2 WHERE turn_id = $1', [turnId, id]);
    for (const table of KEPT) {
      await manager.query(`UPDATE ${table} SET turn_id = $2 WHERE turn_id = $1`, [turnId, id]);
    }
  });
  return id;
}

async function askLongAgo(days: number): Promise<string> {
  return age(await ask(), days);
}

/** Makes it so that the turn has not ended: it waits for somebody's approval. */
async function reopen(turnId: string): Promise<void> {
  await sql(`DELETE FROM turn_event WHERE turn_id = $1 AND type = 'turn-done'`, [turnId]);
  await sql(
    `UPDATE turn SET status = 'WAITING_FOR_APPROVAL', finish_reason = NULL, finished_at = NULL,
       last_sequence = last_sequence - 1 WHERE id = $1`,
    [turnId],
  );
}

/** Where the turn's events are, or its model calls, and how many. */
async function placeOf(
  turnId: string,
  table = 'turn_event',
): Promise<{ partition: string; count: number }[]> {
  return sql(
    `SELECT tableoid::regclass::text AS partition, count(*)::int AS count FROM ${table}
     WHERE turn_id = $1 GROUP BY 1`,
    [turnId],
  );
}

function partitionOf(table: string, days: number): string {
  return `${table}_${dayOf(days).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

type Prompt = { messages: { role: string; content: string }[]; tools: object[] };

/** The prompts that the turn's models were sent, as an admin sees them. */
async function promptsOf(turnId: string, viewer = client): Promise<Prompt[]> {
  const query = 'query ($id: ID!) { turn(id: $id) { prompts { messages tools } } }';
  return (await viewer.get<{ turn: { prompts: Prompt[] } }>(query, { id: turnId })).turn.prompts;
}

/** How many model calls the company is told that it made. */
async function callsCounted(): Promise<number> {
  const [from, to] = [dayOf(1), dayOf(-1)].map((day) => day.toISOString().slice(0, 10));
  const query =
    'query ($from: LocalDate!, $to: LocalDate!) { usage(from: $from, to: $to, groupBy: []) { modelCalls } }';
  const { usage } = await client.get<{ usage: { modelCalls: number }[] }>(query, { from, to });
  return usage.reduce((sum, { modelCalls }) => sum + modelCalls, 0);
}

async function finishedAt(turnId: string): Promise<string> {
  const [turn] = await sql<{ finished_at: Date }>('SELECT finished_at FROM turn WHERE id = $1', [turnId]);
  return turn!.finished_at.toISOString();
}

function typesOf(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename }) => __typename);
}

describe.each([
  ['a partition of their day', true, 40],
  ['the default partition', false, 50],
])('events in %s', (_, hasPartition, days) => {
  beforeAll(async () => {
    if (hasPartition) await makeDay(days);
  });

  it('are read until they are past the retention, and go then', async () => {
    const young = await askLongAgo(RETENTION_DAYS - 1);
    const id = await askLongAgo(days);
    const events = await client.allEvents(id);
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(['SkillStarted', 'TextReset', 'TextDelta', 'TurnDone']),
    );
    expect(await placeOf(id)).toEqual([
      {
        partition: hasPartition ? partitionOf('turn_event', days) : 'turn_event_rest',
        count: events.length,
      },
    ]);
    const youngEvents = await client.allEvents(young);
    await keep();
    expect(await placeOf(id)).toEqual([]);
    expect(await client.allEvents(young)).toEqual(youngEvents);
  });

  it('take the model calls with them, and leave what these are counted in', async () => {
    if (hasPartition) await makeDay(days);
    const young = await askLongAgo(RETENTION_DAYS - 1);
    const id = await askLongAgo(days);
    expect(await placeOf(id, 'model_call')).toEqual([
      { partition: hasPartition ? partitionOf('model_call', days) : 'model_call_rest', count: 2 },
    ]);
    const prompts = await promptsOf(young);
    expect(prompts.map(({ messages }) => messages.length)).toEqual([2, 4]);
    expect((await promptsOf(id)).map(({ messages }) => messages.length)).toEqual([2, 4]);
    const counted = await callsCounted();
    expect(counted).toBeGreaterThanOrEqual(4);
    await keep();
    expect([await placeOf(id, 'model_call'), await promptsOf(id)]).toEqual([[], []]);
    expect(await promptsOf(young)).toEqual(prompts);
    expect(await callsCounted()).toBe(counted);
  });

  it('leave the answer and the end to be told, wherever somebody stands', async () => {
    if (hasPartition) await makeDay(days);
    const id = await askLongAgo(days);
    const whole = await client.allEvents(id);
    await keep();
    const at = await finishedAt(id);
    const told = { turnId: id, at };
    // The text was withdrawn before the last step's, after all that is not known any more.
    const reset = whole.findLastIndex(({ __typename }) => __typename === 'TextReset');
    for (let after = 0; after < whole.length; after += 1) {
      const events = await client.allEvents(id, after);
      const bodies = whole.map((event, index) => {
        if (index === reset && after > 0) return { __typename: 'TextReset', cause: 'RETRIED' };
        if (event.__typename === 'TurnDone') return event;
        const isOfAnswer = index > reset && event.__typename === 'TextDelta';
        return { __typename: 'TextDelta', text: isOfAnswer ? event.text : '' };
      });
      expect(events).toEqual(
        bodies.map((body, index) => ({ ...body, ...told, sequence: index + 1 })).slice(after),
      );
      expect(answerOf([...whole.slice(0, after), ...events])).toBe(answerOf(whole));
    }
    expect(await client.allEvents(id, whole.length)).toEqual([]);
    expect(await client.allEvents(id, whole.length + 1)).toEqual([]);
    expect(await turnOf(client, id)).toMatchObject({
      status: 'COMPLETED',
      lastSequence: whole.length,
      answer: { text: 'You are in Dakar.' },
    });
  });

  it('stay for as long as their turn has not ended', async () => {
    if (hasPartition) await makeDay(days);
    const id = await askLongAgo(days);
    const ended = await askLongAgo(days);
    const events = (await client.allEvents(id)).slice(0, -1);
    await reopen(id);
    await keep();
    const seen: WireEvent[] = [];
    for await (const event of client.turnEvents(id)) {
      seen.push(event);
      if (seen.length === events.length) break;
    }
    expect(seen).toEqual(events);
    // A whole day waits; of the default partition, the one turn.
    for (const table of KEPT) {
      expect([table, (await placeOf(id, table)).length]).toEqual([table, 1]);
      expect([table, (await placeOf(ended, table)).length]).toEqual([table, hasPartition ? 1 : 0]);
    }

    await sql(
      `UPDATE turn SET status = 'CANCELLED', finish_reason = 'CANCELLED', finished_at = now() WHERE id = $1`,
      [id],
    );
    await keep();
    for (const table of KEPT) {
      expect([table, await placeOf(id, table), await placeOf(ended, table)]).toEqual([table, [], []]);
    }
  });

  it('stay for ever when there is no retention', async () => {
    const id = await askLongAgo(days);
    await keep(0);
    expect(await placeOf(id)).toHaveLength(1);
  });
});

it('replays a turn that ended without an answer as its end', async () => {
  const { turnId } = await client.ask('Wait for ever');
  await cancelTurn(client, turnId);
  const id = await age(turnId, 60);
  const done = (await client.allEvents(id)).at(-1)!;
  expect(done).toMatchObject({ status: 'CANCELLED', messageId: null });
  await keep();
  const at = await finishedAt(id);
  const events = await client.allEvents(id);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect([answerOf(events), events.at(-1)]).toEqual(['', { ...done, at }]);
  expect(new Set(typesOf(events))).toEqual(new Set(['TextDelta', 'TurnDone']));
});

it('keeps the texts that prompts share for as long as calls that are kept may hold them', async () => {
  const own = await app.client({ sub: 'fatou' });
  const { turnId } = await own.ask('Where are we?');
  await own.allEvents(turnId);
  const { viewer } = await own.get<{ viewer: { id: string } }>('{ viewer { id } }');
  const lastUsed = async (days: number): Promise<void> => {
    await sql('UPDATE prompt_text SET used_on = $2 WHERE member_id = $1', [
      viewer.id,
      dayOf(days).toISOString().slice(0, 10),
    ]);
    await keep();
  };
  const prompts = await promptsOf(turnId, own);
  expect(prompts.map(({ tools }) => tools.length > 0)).toEqual([true, true]);
  await lastUsed(RETENTION_DAYS);
  expect(await promptsOf(turnId, own)).toEqual(prompts);
  await lastUsed(RETENTION_DAYS + 1);
  expect(await sql('SELECT FROM prompt_text WHERE member_id = $1', [viewer.id])).toEqual([]);
  expect(await sql('SELECT FROM prompt_text LIMIT 1')).toHaveLength(1);
  const [first] = await promptsOf(turnId, own);
  // Of the skills, another member's calls hold the same text.
  expect(first).toEqual({
    ...prompts[0],
    messages: [{ role: 'system', content: '[no longer kept]' }, prompts[0]?.messages[1]],
  });
});

it('makes room for the coming days as soon as the server starts', async () => {
  const partitions = await sql<{ name: string | null }>(
    'SELECT to_regclass(name)::text AS name FROM unnest($1::text[]) AS name',
    [KEPT.flatMap((table) => [0, 1, 2, 3].map((days) => partitionOf(table, -days)))],
  );
  expect(partitions.filter(({ name }) => name === null)).toEqual([]);
});

it('leaves the work to others in a process that only answers', async () => {
  const asked: string[] = [];
  const enqueue = async (_tx: unknown, job: { name: string }): Promise<void> => void asked.push(job.name);
  const jobs = {
    work: async () => undefined,
    listMissing: async () => [],
    removeOf: async () => undefined,
    enqueue,
  };
  const { config } = app.server.resources;
  for (const takesWork of [true, false]) {
    await retention(config, { ...jobs, takesWork }).onApplicationBootstrap();
  }
  expect(asked).toEqual(['keep-event-log']);
});

it('removes by itself what is old, when the hour is over', async () => {
  const id = await askLongAgo(70);
  await sql(`UPDATE pgboss.job SET start_after = now() WHERE name = 'keep-event-log' AND state = 'created'`);
  await nextRound();
  expect(new Set(typesOf(await client.allEvents(id)))).toEqual(new Set(['TextDelta', 'TurnDone']));
});

it('does no harm on several replicas at once, nor to turns under way', async () => {
  const old: string[] = [];
  for (const days of [80, 81, 82]) {
    await makeDay(days);
    old.push(await askLongAgo(days));
  }
  const turns = await Promise.all(Array.from({ length: 5 }, () => client.ask('Where are we?')));
  const seen = Promise.all(turns.map(({ turnId }) => client.allEvents(turnId)));
  await Promise.all([keep(), keep(), keep()]);
  await keep();
  for (const events of await seen) {
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
  }
  for (const id of old) {
    expect(new Set(typesOf(await client.allEvents(id)))).toEqual(new Set(['TextDelta', 'TurnDone']));
  }
});
