import { ModelError } from '@palabre/llm-client';
import { failure, finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { disconnect, type ProviderReply, raw, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newIdAfter } from '../../src/common/ids.js';
import { GetCompanyProfileSkill } from '../../src/skills/functions/get-company-profile.skill.js';
import { ImpatientClock } from '../harness/impatient-clock.js';
import { seenToEnd } from '../harness/laws.js';
import { type BookReply, newQuestion, ScriptBook } from '../harness/script-book.js';
import { toolsOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, kindsOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { messagesOf, turnOf } from '../harness/turn-view.js';

const LOOK = 'get_company_profile';
const retrying = expect.objectContaining({
  __typename: 'StatusChanged',
  status: 'RUNNING',
  detail: 'RETRYING',
});

/** One reply after the other, whatever is asked; the last one again and again. */
function inTurn(...replies: readonly [ProviderReply, ...ProviderReply[]]): BookReply {
  const left = [...replies];
  return () => (left.length > 1 ? left.shift() : left[0]) ?? [];
}
const well: ProviderReply = [text('Tout va '), text('bien.'), finish()];

/** The product with a model that plays a book, and no pause between two tries. */
async function start(env: Record<string, string> = {}) {
  const book = new ScriptBook();
  const clock = new ImpatientClock();
  const app = await startApp(book.replyTo, env, { clock });
  return { app, book, clock, client: await app.client() };
}

async function readiness(app: TestApp): Promise<object> {
  const response = await fetch(`${app.url}/health/ready`);
  return { httpStatus: response.status, ...((await response.json()) as object) };
}

afterEach(() => void vi.restoreAllMocks());

describe('a model that fails and is back', () => {
  let app: TestApp;
  let book: ScriptBook;
  let clock: ImpatientClock;
  let client: TestClient;

  beforeAll(async () => void ({ app, book, clock, client } = await start()));
  afterAll(() => app[Symbol.asyncDispose]());

  /** Asks, and gives the events by the laws, with what was waited and how often the model was called. */
  const ask = async (...replies: readonly BookReply[]) => {
    const before = { requests: app.provider.requests.length, pauses: clock.pauses.length };
    const { turnId } = await client.ask(book.add(...replies));
    const events = await seenToEnd(client, turnId);
    const turn = await turnOf(client, turnId);
    const pauses = clock.pauses.slice(before.pauses);
    return { events, turn, pauses, requests: app.provider.requests.length - before.requests };
  };

  const retries = (events: readonly WireEvent[]): WireEvent[] =>
    events.filter(({ detail }) => detail === 'RETRYING');

  it('is asked again after the time that it names', async () => {
    const busy = status(429, { error: { message: 'Slow down.' } }, { 'retry-after': '7' });
    const { events, turn, pauses, requests } = await ask(inTurn([busy], well));
    expect(kindsOf(events)).toEqual([
      'StatusChanged',
      'StatusChanged',
      'StatusChanged',
      'TextDelta',
      'TurnDone',
    ]);
    expect(events[2]).toEqual(retrying);
    expect(pauses).toEqual([7000]);
    expect(requests).toBe(2);
    expect(turn).toMatchObject({ status: 'COMPLETED', answer: { text: 'Tout va bien.' } });
  });

  it('is asked again after the time that its words alone name, also where they speak of billing', async () => {
    const message =
      'Rate limit reached. Please try again in 4.35s. Upgrade at https://provider.example/billing';
    const busy = status(429, { error: { message, type: 'tokens', code: 'rate_limit_exceeded' } });
    const { turn, pauses } = await ask(inTurn([busy], well));
    expect(pauses).toEqual([4350]);
    expect(turn).toMatchObject({ status: 'COMPLETED', answer: { text: 'Tout va bien.' } });
  });

  it('is asked again after pauses that grow', async () => {
    const { events, turn, pauses, requests } = await ask(inTurn([status(500)], [status(500)], well));
    expect(retries(events)).toEqual([retrying, retrying]);
    const [first = 0, second = 0, ...more] = pauses;
    expect(more).toEqual([]);
    expect(first).toBeGreaterThanOrEqual(250);
    expect(second).toBeGreaterThanOrEqual(2 * 250);
    expect(requests).toBe(3);
    expect(turn).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED', error: null });
  });

  it.each<[string, ProviderReply]>([
    ['says nothing at all', []],
    ['ends before it has begun', [raw('data: [DONE]\n\n')]],
    ['has nothing to say', [finish()]],
    ['hangs up', [raw(''), disconnect()]],
    ['sends a page of HTML', [status(200, '<html>Welcome</html>')]],
    ['sends a page of HTML in the place of an error', [status(502, '<html>Bad gateway</html>')]],
  ])('is asked again when it %s', async (_, broken) => {
    const { events, turn, requests } = await ask(inTurn(broken, well));
    expect(retries(events)).toEqual([retrying]);
    expect(requests).toBe(2);
    expect(turn).toMatchObject({ status: 'COMPLETED', answer: { text: 'Tout va bien.' } });
  });

  it('withdraws what it had said when it breaks off, and no skill is carried out again', async () => {
    const run = vi.spyOn(GetCompanyProfileSkill.prototype, 'run');
    const overloaded = failure(new ModelError('MODEL_UNAVAILABLE', 'Overloaded.', true));
    const { events, turn } = await ask(
      [toolCall(LOOK), finish()],
      inTurn([text('Une moitié'), overloaded], [text('Une autre'), disconnect()], well),
    );
    const resets = events.filter(({ __typename }) => __typename === 'TextReset');
    expect(resets.map(({ cause }) => cause)).toEqual(['RETRIED', 'RETRIED']);
    expect(retries(events)).toEqual([retrying, retrying]);
    expect(run).toHaveBeenCalledTimes(1);
    expect(turn).toMatchObject({
      answer: { text: 'Tout va bien.', status: 'COMPLETE' },
      skillCalls: [{ skill: LOOK, status: 'SUCCEEDED' }],
      usage: { modelCalls: 4, skillCalls: 1 },
    });
  });

  it('is not asked again when it refuses the key', async () => {
    const { events, turn, requests } = await ask([status(401)]);
    expect(requests).toBe(1);
    expect(retries(events)).toEqual([]);
    expect(turn).toMatchObject({
      status: 'FAILED',
      finishReason: 'ERROR',
      error: { code: 'MODEL_UNAVAILABLE', retryable: false },
      answer: null,
    });
  });
});

describe('a model that stays away', () => {
  it('fails the turn, whose question is kept, and is left alone for a while', async () => {
    const { app, book, client } = await start();
    await using _ = app;
    expect(await readiness(app)).toMatchObject({ models: [{ model: 'scripted', circuit: 'closed' }] });
    const question = book.add([status(503)]);
    const { turnId, conversationId } = await client.ask(question);
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_UNAVAILABLE', retryable: true },
      question: { text: question },
      answer: null,
    });
    expect(app.provider.requests).toHaveLength(4);

    const again = await client.ask(book.add([status(503)]), { conversationId });
    await seenToEnd(client, again.turnId);
    expect(await turnOf(client, again.turnId)).toMatchObject({ error: { code: 'MODEL_UNAVAILABLE' } });
    // The fifth failure in a row was the last that it was asked for.
    expect(app.provider.requests).toHaveLength(5);
    expect(await readiness(app)).toMatchObject({
      httpStatus: 200,
      status: 'ready',
      models: [{ model: 'scripted', circuit: 'open' }],
    });
    expect(await messagesOf(client, conversationId)).toHaveLength(2);
  });

  it('is stood in for by the fallback; when both are away, the turn fails', async () => {
    const { app, book, clock, client } = await start({ LLM_FALLBACK_MODEL: 'second' });
    await using _ = app;
    const { turnId } = await client.ask(book.add(({ model }) => (model === 'second' ? well : [status(500)])));
    const events = await seenToEnd(client, turnId);
    expect(events.filter(({ detail }) => detail === 'RETRYING')).toHaveLength(4);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      answer: { text: 'Tout va bien.' },
    });
    expect(app.provider.requests.map(({ model }) => model)).toEqual([
      ...Array<string>(4).fill('scripted'),
      'second',
    ]);
    expect(clock.pauses).toHaveLength(3);

    const gone = await client.ask(book.add([status(500)]));
    await seenToEnd(client, gone.turnId);
    expect(await turnOf(client, gone.turnId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'MODEL_UNAVAILABLE', retryable: true },
    });
  });
});

describe('a model that', () => {
  const refusing = (field: string, message: string, reply: BookReply): BookReply => {
    const refusal = [status(400, { error: { message, type: 'invalid_request_error' } })];
    return (body) => {
      if (field in body) return refusal;
      return typeof reply === 'function' ? reply(body) : reply;
    };
  };

  it('cannot be made to call a skill plans and searches all the same', async () => {
    const { app, book, client } = await start();
    await using _ = app;
    const message = 'The tool_choice parameter does not support being set to required in thinking mode';
    const refuses = (reply: BookReply): BookReply => refusing('tool_choice', message, reply);
    const planned = book.add(
      refuses([toolCall(LOOK), finish()]),
      refuses((body) => (toolsOf(body).length > 0 ? [text('Je sais.'), finish()] : well)),
    );
    const { turnId } = await client.ask(planned, { assistantKey: 'explorateur' });
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      answer: { text: 'Tout va bien.' },
      skillCalls: [{ skill: LOOK, status: 'SUCCEEDED' }],
      usage: { modelCalls: 3 },
    });
    expect(app.provider.requests.map((body) => body['tool_choice'])).toEqual([
      'required',
      ...Array<undefined>(3).fill(undefined),
    ]);
  });

  it('begins in the midst of its thoughts has its answer alone shown, stored and told again', async () => {
    const { app, book, client } = await start();
    await using _ = app;
    const thinking: ProviderReply = [
      text('Okay, the user '),
      text('wants to be greeted.\n</th'),
      text('ink>\n\nBon'),
      text('jour'),
      finish(),
    ];
    const first = await client.ask(book.add(thinking));
    const events = await seenToEnd(client, first.turnId);
    expect(events.filter(({ __typename }) => __typename === 'TextReset')).toMatchObject([
      { cause: 'RETRIED' },
    ]);
    expect(answerOf(events)).toBe('Bonjour');
    expect(await turnOf(client, first.turnId)).toMatchObject({
      status: 'COMPLETED',
      answer: { text: 'Bonjour', status: 'COMPLETE' },
      usage: { modelCalls: 1 },
    });
    // From now on they are known, and before a call of a skill as well.
    const calling = [text('Okay, I look.\n</think>\n\n'), toolCall(LOOK), finish()];
    const { turnId } = await client.ask(book.add(calling, thinking), {
      conversationId: first.conversationId,
    });
    const later = await seenToEnd(client, turnId);
    expect(later.filter(({ __typename }) => __typename === 'TextReset')).toEqual([]);
    expect(
      later
        .filter(({ text: words }) => words)
        .map(({ text: words }) => words)
        .join(''),
    ).toBe('Bonjour');
    expect(await messagesOf(client, first.conversationId)).toEqual([
      expect.stringContaining('USER'),
      'ASSISTANT COMPLETE: Bonjour',
      expect.stringContaining('USER'),
      'ASSISTANT COMPLETE: Bonjour',
    ]);
    expect(JSON.stringify(app.provider.requests)).not.toContain('Okay, ');
  });

  it('is broken off by a content filter fails the turn, and what it had said is kept', async () => {
    const { app, book, client } = await start();
    await using _ = app;
    const { turnId } = await client.ask(book.add([text('Je'), finish('content-filter')]));
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'FAILED',
      finishReason: 'ERROR',
      error: { code: 'MODEL_REFUSED', retryable: false },
      answer: { text: 'Je', status: 'FAILED' },
    });
    expect(app.provider.requests).toHaveLength(1);
  });

  it('calls no skills at all answers without them', async () => {
    const { app, book, client } = await start();
    await using _ = app;
    const { turnId } = await client.ask(book.add(refusing('tools', 'scripted does not support tools', well)));
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      answer: { text: 'Tout va bien.' },
    });
    expect(app.provider.requests.map((body) => 'tools' in body)).toEqual([true, false]);
  });
});

describe('a conversation that is longer than the model can take', () => {
  const WINDOW = 12_000;
  let app: TestApp;
  let book: ScriptBook;
  let client: TestClient;

  beforeAll(async () => void ({ app, book, client } = await start({ LLM_CONTEXT_WINDOW: String(WINDOW) })));
  afterAll(() => app[Symbol.asyncDispose]());

  /** What the provider was sent, as it is counted here. */
  const tokensOf = (body: JsonObject): number => {
    const { tokenizer } = app.server.resources;
    const words = wordsOf(body).map((one) => tokenizer.count(one));
    return words.reduce((sum, count) => sum + count, tokenizer.count(JSON.stringify(body.tools ?? [])));
  };

  it('sends what fits, with every call beside its result, and is answered', async () => {
    const long = 'Nous avons parlé de nos ateliers et de nos émissions. '.repeat(80);
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockImplementation(async (_, { callId }) => ({
      callId,
      words: long.repeat(4),
    }));
    const first = await client.ask(book.add(well));
    await seenToEnd(client, first.turnId);
    await addMessages(app, first.conversationId, 300, long);
    const before = app.provider.requests.length;
    const { turnId } = await client.ask(
      book.add([toolCall(LOOK), toolCall(LOOK), finish()], [toolCall('no_such_skill'), finish()], well),
      { conversationId: first.conversationId },
    );
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'ANSWERED',
      answer: { text: 'Tout va bien.' },
    });
    // Besides, the job sums up what left the window.
    const requests = app.provider.requests.slice(before).filter(({ tool_choice: choice }) => !choice);
    expect(requests).toHaveLength(3);
    expect(wordsOf(requests[0] ?? {}).some((words) => words.startsWith('299. '))).toBe(true);
    for (const body of requests) {
      expect(tokensOf(body) + Number(body.max_completion_tokens ?? body.max_tokens)).toBeLessThanOrEqual(
        WINDOW,
      );
      expectPairs(body);
    }
  });

  it('fails when the question does not fit by itself, and the model is not asked', async () => {
    const before = app.provider.requests.length;
    const question = newQuestion();
    const { turnId } = await client.ask(`${'mot '.repeat(20_000)}${question}`);
    await seenToEnd(client, turnId);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'CONTEXT_TOO_LARGE', retryable: false },
      answer: null,
    });
    // The summary of what was said before may still be made.
    const requests = app.provider.requests.slice(before).map((body) => JSON.stringify(body));
    expect(requests.filter((request) => request.includes(question))).toEqual([]);
  });
});

/** Messages that were said before, as many as one would not care to ask for. */
async function addMessages(
  app: TestApp,
  conversationId: string,
  count: number,
  words: string,
): Promise<void> {
  const [like] = await app.database.dataSource.query<{ id: string; company_id: string }[]>(
    'SELECT id, company_id FROM message WHERE conversation_id = $1 ORDER BY id DESC LIMIT 1',
    [conversationId],
  );
  let id = like?.id ?? null;
  const rows = Array.from({ length: count }, (_, index) => {
    id = newIdAfter(id);
    return { id, role: index % 2 === 0 ? 'USER' : 'ASSISTANT', text: `${index}. ${words}` };
  });
  await app.database.dataSource.query(
    `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text)
     SELECT $1, said.id, $2, $2, said.role, 'COMPLETE', said.text
     FROM jsonb_to_recordset($3::jsonb) AS said (id uuid, role text, text text)`,
    [like?.company_id, conversationId, JSON.stringify(rows)],
  );
}

interface SentMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { arguments: string } }[];
  tool_call_id?: string;
}

function sentIn(body: JsonObject): SentMessage[] {
  return body.messages as unknown as SentMessage[];
}

function wordsOf(body: JsonObject): string[] {
  return sentIn(body).flatMap(({ content, tool_calls: made = [] }) => [
    content ?? '',
    ...made.map((call) => call.function.arguments),
  ]);
}

function expectPairs(body: JsonObject): void {
  let open: string[] = [];
  for (const message of sentIn(body)) {
    if (message.role === 'tool') expect(open).toContain(message.tool_call_id);
    else expect(open).toEqual([]);
    open = message.role === 'tool' ? open.filter((id) => id !== message.tool_call_id) : [];
    if (message.tool_calls) open = message.tool_calls.map(({ id }) => id);
  }
  expect(open).toEqual([]);
}
