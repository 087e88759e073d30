import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply, ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { ManualClock } from '../../src/common/manual-clock.double.js';
import { GetCompanyProfileSkill } from '../../src/skills/functions/get-company-profile.skill.js';
import { resolve, untilWaiting } from '../harness/approval-view.js';
import { answerInput, untilAsked } from '../harness/input-view.js';
import { seenToEnd } from '../harness/laws.js';
import { follow, notificationsOf, take } from '../harness/notification-view.js';
import { readRequest, toolsOf } from '../harness/provider-request.js';
import { barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const LOOK = 'get_company_profile';
const MOVE = 'continue_in_background';
const assistant = { assistantKey: 'explorateur' };
const CITY = { type: 'object', properties: { city: { type: 'string' } } };

function calls(...steps: ProviderStep[]): ProviderReply {
  return [...steps, finish()];
}
/** The planner has the answer written, which then is these words. */
function answers(...words: readonly string[]): BookReply {
  return answersBy(...words.map((one) => text(one)), finish());
}
function answersBy(...steps: ProviderStep[]): BookReply {
  return (body) =>
    toolsOf(body).length > 0 ? calls(toolCall('synthesize_answer', { reason: 'Je sais.' })) : steps;
}
/** The planner goes on in the background, where the step is this. */
function moves(then: BookReply): BookReply {
  return (body) => {
    if (toolsOf(body).includes(MOVE)) return calls(toolCall(MOVE, { reason: 'C’est long.' }));
    return typeof then === 'function' ? then(body) : then;
  };
}

/** Without what model calls and claims are told by. */
function storyOf(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename, status, action, nextSkill, callStatus }) =>
    [__typename, status, action, nextSkill, callStatus].filter((word) => typeof word === 'string').join(' '),
  );
}

/** Follows a turn until an event of this type. */
async function until(client: TestClient, turnId: string, type: string): Promise<WireEvent> {
  for await (const event of client.turnEvents(turnId)) if (event.__typename === type) return event;
  throw new Error(`The turn has ended without ${type}.`);
}

function budget(client: TestClient, changes: object): Promise<unknown> {
  return client.get(
    `mutation ($input: UpdateAssistantInput!) { updateAssistant(key: "explorateur", input: $input) { key } }`,
    {
      input: changes,
    },
  );
}

describe('a planned turn', () => {
  const book = new ScriptBook();
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await shareApp(book.replyTo);
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  afterEach(() => void vi.restoreAllMocks());

  /** Asks, and watches to the end by the laws. */
  const ask = async (...replies: BookReply[]) => {
    const asking = await client.ask(book.add(...replies), assistant);
    return { ...asking, ended: seenToEnd(client, asking.turnId) };
  };

  it('tells of each decision before it is carried out, and writes the answer from all of them', async () => {
    const before = app.provider.requests.length;
    const { turnId, ended } = await ask(
      calls(text('D’abord le profil.'), toolCall(LOOK)),
      calls(toolCall('update_company_profile', { city: 'Thiès' })),
      answers('Vous êtes ', 'à Thiès.'),
    );
    const events = await ended;
    expect(storyOf(events).filter((word) => word !== 'TextDelta')).toEqual([
      'StatusChanged QUEUED',
      'StatusChanged RUNNING',
      `PlanDecided CALL_SKILL ${LOOK}`,
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided CALL_SKILL update_company_profile',
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided SYNTHESIZE',
      'TurnDone COMPLETED',
    ]);
    const reasons = events
      .filter(({ __typename }) => __typename === 'PlanDecided')
      .map(({ reason }) => reason);
    expect(reasons).toEqual(['D’abord le profil.', null, 'Je sais.']);
    expect(await turnOf(client, turnId)).toMatchObject({
      finishReason: 'ANSWERED',
      answer: { text: 'Vous êtes à Thiès.' },
      usage: { modelCalls: 4, skillCalls: 2 },
    });
    const requests = app.provider.requests.slice(before);
    expect(requests.map((body) => body.tool_choice)).toEqual(['required', 'required', 'required', undefined]);
    expect(requests.map((body) => toolsOf(body).includes(MOVE))).toEqual([true, true, true, false]);
    expect(requests.map((body) => toolsOf(body).length > 0)).toEqual([true, true, true, false]);
    expect((await notificationsOf(client)).edges).toEqual([]);
  });

  it('goes on in the background when its planner wants to, and leaves the conversation free', async () => {
    const told = await follow(client);
    const { step, reached, open } = barrier();
    const { turnId, conversationId, ended } = await ask(
      calls(toolCall(LOOK)),
      moves(calls(step, toolCall(LOOK))),
      answers('Voilà.'),
    );
    const moved = await until(client, turnId, 'MovedToBackground');
    expect(moved).toMatchObject({ reason: 'C’est long.', message: expect.stringContaining('notification') });
    expect((await turnOf(client, turnId)).status).toBe('IN_BACKGROUND');
    await reached;
    const next = await client.ask(book.add(answers('Oui.')), { conversationId });
    expect((await seenToEnd(client, next.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    expect((await turnOf(client, turnId)).status).toBe('IN_BACKGROUND');
    open();
    expect(storyOf(await ended).filter((word) => word !== 'TextDelta')).toEqual([
      'StatusChanged QUEUED',
      'StatusChanged RUNNING',
      `PlanDecided CALL_SKILL ${LOOK}`,
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided CONTINUE_IN_BACKGROUND',
      'StatusChanged IN_BACKGROUND',
      'MovedToBackground',
      `PlanDecided CALL_SKILL ${LOOK}`,
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided SYNTHESIZE',
      'TurnDone COMPLETED',
    ]);
    const [notification] = await take(told, 1);
    expect(notification).toMatchObject({ kind: 'TURN_COMPLETED', body: 'Voilà.', turn: { id: turnId } });
    expect((await notificationsOf(client)).edges[0]?.node).toEqual(notification);
    await told.return();
  });

  it('may wait for people in the background while its conversation is busy with another', async () => {
    await client.get(`mutation { setSkillApproval(key: "${LOOK}", required: true) { key } }`);
    const { step, reached, open } = barrier();
    const { turnId, conversationId, ended } = await ask(
      moves(calls(step, toolCall(LOOK))),
      answers('Voilà.'),
    );
    await reached;
    const other = barrier();
    const busy = await client.ask(book.add(answersBy(text('Un '), other.step, text('mot.'), finish())), {
      conversationId,
    });
    await other.reached;
    open();
    const [approval] = await untilWaiting(client, turnId);
    expect((await turnOf(client, turnId)).status).toBe('WAITING_FOR_APPROVAL');
    expect((await turnOf(client, busy.turnId)).status).toBe('RUNNING');
    other.open();
    expect((await seenToEnd(client, busy.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    const next = await client.ask(book.add(answers('Encore.')), { conversationId });
    expect((await seenToEnd(client, next.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    await client.get(`mutation { setSkillApproval(key: "${LOOK}", required: false) { key } }`);
    await resolve(client, { approvalId: approval?.id ?? '', approve: true });
    const story = storyOf(await ended);
    expect(story.slice(story.indexOf('StatusChanged WAITING_FOR_APPROVAL') + 1)).toEqual([
      'InputResolved',
      'StatusChanged IN_BACKGROUND',
      'StatusChanged IN_BACKGROUND',
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided SYNTHESIZE',
      'TextDelta',
      'TurnDone COMPLETED',
    ]);
  });

  it('may ask its member from the background, who answers when others have been asked meanwhile', async () => {
    const { turnId, conversationId, ended } = await ask(
      moves(calls(toolCall('ask_user', { prompt: 'Dans quelle ville ?', schema: CITY }))),
      answers('À Thiès.'),
    );
    const [question] = await untilAsked(client, turnId);
    expect(question).toMatchObject({ kind: 'QUESTION', prompt: 'Dans quelle ville ?' });
    expect((await turnOf(client, turnId)).status).toBe('WAITING_FOR_INPUT');
    expect((await notificationsOf(client)).edges[0]?.node).toMatchObject({
      kind: 'INPUT_REQUESTED',
      body: 'Dans quelle ville ?',
      turn: { id: turnId },
    });
    const next = await client.ask(book.add(answers('Oui.')), { conversationId });
    expect((await seenToEnd(client, next.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });

    await answerInput(client, { question: { id: question!.id, value: { city: 'Thiès' } } });
    const story = storyOf(await ended);
    expect(story.slice(story.indexOf('StatusChanged WAITING_FOR_INPUT') + 1)).toEqual([
      'InputResolved',
      'StatusChanged IN_BACKGROUND',
      'StatusChanged IN_BACKGROUND',
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided SYNTHESIZE',
      'TextDelta',
      'TurnDone COMPLETED',
    ]);
    const told = readRequest(app.provider.requests.at(-1)).messages.filter(({ role }) => role === 'tool');
    expect(told.at(-1)?.content).toContain('Thiès');
    expect((await turnOf(client, turnId)).answer).toMatchObject({ text: 'À Thiès.' });
    expect((await notificationsOf(client)).edges[0]?.node).toMatchObject({ kind: 'TURN_COMPLETED' });
  });

  it('is answered from what there is when its skills fail', async () => {
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockRejectedValue(new Error('It broke.'));
    const { turnId, ended } = await ask(
      calls(toolCall(LOOK), toolCall('no_such_skill'), toolCall('update_company_profile', '{"city"')),
      answers('Je n’ai pas trouvé.'),
    );
    const events = await ended;
    const ends = events.filter(({ __typename }) => __typename === 'SkillFinished');
    expect(ends.map(({ callStatus }) => callStatus)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      answer: { text: 'Je n’ai pas trouvé.' },
    });
    const results = readRequest(app.provider.requests.at(-1)).messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(3);
    expect(JSON.stringify(results)).not.toContain('It broke.');
  });

  it('ends with an answer, though its planner asks for the same again and again', async () => {
    const run = vi.spyOn(GetCompanyProfileSkill.prototype, 'run');
    await budget(client, { maxSteps: 2, backgroundMaxSteps: 3 });
    const again = (body: JsonObject): ProviderReply =>
      toolsOf(body).length > 0 ? calls(toolCall(LOOK)) : [text('Voilà tout.'), finish()];
    const { turnId, ended } = await ask(again, again, again, again, again, again);
    const story = storyOf(await ended);
    expect(story.filter((word) => word === `PlanDecided CALL_SKILL ${LOOK}`)).toHaveLength(5);
    expect(story.filter((word) => word === 'MovedToBackground')).toHaveLength(1);
    expect(run).toHaveBeenCalledTimes(2);
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'MAX_STEPS',
      answer: { text: 'Voilà tout.', status: 'COMPLETE' },
      usage: { modelCalls: 6, skillCalls: 5 },
    });
    await budget(client, { maxSteps: 5, backgroundMaxSteps: 30 });
  });

  describe('can be cancelled', () => {
    const check = async (turnId: string, ended: Promise<WireEvent[]>, answer: string | null) => {
      expect(await cancelTurn(client, turnId)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        answer: answer === null ? null : { text: answer, status: 'INTERRUPTED' },
      });
      expect((await ended).at(-1)).toMatchObject({ status: 'CANCELLED' });
      expect((await notificationsOf(client)).edges.map(({ node }) => node.turn?.id)).not.toContain(turnId);
    };

    it('while it plans', async () => {
      const { step, reached } = barrier();
      const { turnId, ended } = await ask([step, hang()]);
      await reached;
      await check(turnId, ended, null);
      await app.provider.nextAbort();
    });

    it('in a skill', async () => {
      const aborted = Promise.withResolvers<unknown>();
      vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockImplementation(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted.resolve(signal.reason);
              reject(signal.reason as Error);
            });
          }),
      );
      const { turnId, ended } = await ask(calls(toolCall(LOOK)));
      await until(client, turnId, 'SkillStarted');
      await check(turnId, ended, null);
      await aborted.promise;
      expect((await turnOf(client, turnId)).skillCalls).toMatchObject([{ status: 'UNKNOWN' }]);
    });

    it('in the background', async () => {
      const { turnId, ended } = await ask(moves([hang()]));
      await until(client, turnId, 'MovedToBackground');
      await check(turnId, ended, null);
    });

    it('while it writes the answer', async () => {
      const { turnId, ended } = await ask(answersBy(text('Le début '), hang()));
      await until(client, turnId, 'TextDelta');
      await check(turnId, ended, 'Le début ');
      await app.provider.nextAbort();
    });
  });
});

it('waits for room in the background where there is none, and keeps nobody else waiting', async () => {
  const book = new ScriptBook();
  await using app = await startApp(book.replyTo, { MAX_BACKGROUND_TURNS: '1' });
  const client = await app.client();
  const { step, reached, open } = barrier();
  const first = await client.ask(book.add(moves(calls(step, toolCall(LOOK))), answers('Un.')), assistant);
  await reached;
  const second = await client.ask(book.add(moves(answers('Deux.'))), assistant);
  const cancelled = await client.ask(book.add(moves(answers('Trois.'))), assistant);
  for (const { turnId, conversationId } of [second, cancelled]) {
    for await (const { detail } of client.turnEvents(turnId)) if (detail === 'HANDED_OVER') break;
    expect((await turnOf(client, turnId)).status).toBe('IN_BACKGROUND');
    const next = await client.ask(book.add(answers('Oui.')), { conversationId });
    expect((await seenToEnd(client, next.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
  }
  expect(await cancelTurn(client, cancelled.turnId)).toMatchObject({ status: 'CANCELLED' });
  expect(await turnOf(client, second.turnId)).toMatchObject({ status: 'IN_BACKGROUND', answer: null });
  open();
  for (const { turnId } of [first, second, cancelled]) await seenToEnd(client, turnId);
  expect((await turnOf(client, first.turnId)).answer?.text).toBe('Un.');
  expect(await turnOf(client, second.turnId)).toMatchObject({
    status: 'COMPLETED',
    answer: { text: 'Deux.' },
    usage: { modelCalls: 3 },
  });
});

it('gets the room in the background that is free, though all others are waited for', async () => {
  const book = new ScriptBook();
  await using app = await startApp(book.replyTo, { MAX_TURNS: '1', MAX_BACKGROUND_TURNS: '1' });
  const client = await app.client();
  const [long, full] = [barrier(), barrier()];
  const first = await client.ask(
    book.add(moves(calls(long.step, toolCall(LOOK))), answers('Un.')),
    assistant,
  );
  await long.reached;
  const second = await client.ask(book.add(moves(answers('Deux.'))), assistant);
  for await (const { detail } of client.turnEvents(second.turnId)) if (detail === 'HANDED_OVER') break;
  const third = await client.ask(book.add([full.step, text('Trois.'), finish()]), { assistantKey: 'mefali' });
  await full.reached;
  long.open();
  for (const { turnId } of [first, second]) {
    expect((await seenToEnd(client, turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
  }
  expect((await turnOf(client, third.turnId)).status).toBe('RUNNING');
  full.open();
  await seenToEnd(client, third.turnId);
});

describe('a planned turn that takes long', () => {
  const start = async (book: ScriptBook) => {
    const clock = new ManualClock(new Date());
    const app = await startApp(book.replyTo, { SHUTDOWN_GRACE_SECONDS: '0' }, { clock, isLasting: true });
    return { app, clock };
  };

  /** Has so much time of a turn be over. When it began is stored by the machine’s clock. */
  const pass = async (client: TestClient, turnId: string, clock: ManualClock, ms: number): Promise<void> => {
    const { turn } = await client.get<{ turn: { createdAt: string } }>(
      'query ($id: ID!) { turn(id: $id) { createdAt } }',
      { id: turnId },
    );
    clock.advance(Date.parse(turn.createdAt) + ms - clock.now().getTime());
  };

  it('tells at that moment that it goes on in the background, survives a restart there, and is answered', async () => {
    const book = new ScriptBook();
    const { app, clock } = await start(book);
    await using _ = app;
    const client = await app.client();
    const { step, reached, open } = barrier();
    const question = book.add(calls(toolCall(LOOK)), calls(step, toolCall(LOOK)), answers('Voilà.'));
    const { turnId, conversationId } = await client.ask(question, assistant);
    const events = client.turnEvents(turnId);
    await reached;
    expect((await turnOf(client, turnId)).status).toBe('RUNNING');
    const next = await client.ask(book.add(answers('Oui.')), { conversationId });
    expect((await turnOf(client, next.turnId)).status).toBe('QUEUED');
    await pass(client, turnId, clock, 46_000);
    // The step is still under way.
    for await (const event of events) if (event.__typename === 'MovedToBackground') break;
    expect(await turnOf(client, turnId)).toMatchObject({ status: 'IN_BACKGROUND', answer: null });
    expect((await seenToEnd(client, next.turnId)).at(-1)).toMatchObject({ finishReason: 'ANSWERED' });

    await app.restart();
    const later = await app.client();
    const told = await follow(later);
    expect((await turnOf(later, turnId)).status).toBe('IN_BACKGROUND');
    open();
    const story = storyOf(await seenToEnd(later, turnId));
    expect(story.slice(story.indexOf('MovedToBackground') + 1)).toEqual([
      'StatusChanged IN_BACKGROUND',
      'StatusChanged IN_BACKGROUND',
      `PlanDecided CALL_SKILL ${LOOK}`,
      'SkillStarted',
      'SkillFinished SUCCEEDED',
      'PlanDecided SYNTHESIZE',
      'TextDelta',
      'TurnDone COMPLETED',
    ]);
    expect(await turnOf(later, turnId)).toMatchObject({
      finishReason: 'ANSWERED',
      answer: { text: 'Voilà.' },
      // With the one that the restart broke off.
      usage: { modelCalls: 5, skillCalls: 2 },
    });
    expect(await take(told, 1)).toMatchObject([{ kind: 'TURN_COMPLETED', turn: { id: turnId } }]);
    await told.return();
  });

  it('is answered from what there is when the time in the background is over as well', async () => {
    const book = new ScriptBook();
    const { app, clock } = await start(book);
    await using _ = app;
    const client = await app.client();
    const { step, reached, open } = barrier();
    const lateLook = (body: JsonObject): ProviderReply =>
      toolsOf(body).length > 0 ? calls(step, toolCall(LOOK)) : [text('Voilà ce que j’ai.'), finish()];
    const question = book.add(moves(lateLook));
    const { turnId } = await client.ask(question, assistant);
    const ended = seenToEnd(client, turnId);
    await reached;
    // The last 15 seconds are the answer’s.
    clock.advance(886_000);
    open();
    expect(storyOf(await ended)).not.toContain('SkillStarted');
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'MAX_SECONDS',
      answer: { text: 'Voilà ce que j’ai.' },
    });
  });
});
