import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { fill, wordingIn } from '../../src/common/wording/wording.js';
import { lastOf, readRequest, resultIn, systemOf, toolsOf } from '../harness/provider-request.js';
import { barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import {
  loadableIn,
  loadedIn,
  requestsFor,
  SET_ACCESS,
  setActive,
  skillOf,
  skillsOf,
  skillStory,
} from '../harness/skill-view.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

/** One that mefali is offered in every call. */
const SCORE = 'calculate_esg_score';
const FOOTPRINT = 'calculate_carbon_footprint';
const SALE = 'escrituras/compraventa';
const LOAN = 'escrituras/hipoteca';
const LEASE = 'contratos/arrendamiento';

const done: ProviderReply = [text('Fait.'), finish()];
function call(skill: string, input: JsonObject = {}): ProviderReply {
  return [toolCall(skill, input), finish()];
}
function load(skill: string): ProviderReply {
  return call('load_skill', { skill });
}
function refusal(skill: string): string {
  return `Aucun outil ${skill} ne peut être appelé.`;
}

const book = new ScriptBook();
let app: TestApp;
let company: string;
let admin: TestClient;
let member: TestClient;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  admin = await app.client({ company });
  member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
});

async function play(replies: readonly BookReply[], asker = admin, assistantKey = 'mefali') {
  const question = book.add(...replies);
  const { turnId } = await asker.ask(question, { assistantKey });
  const events = await asker.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
  return { turnId, events, requests: requestsFor(app, question) };
}

function access(
  key: string,
  leastRole: string,
  assistants: string[] | null = null,
  client = admin,
): Promise<unknown> {
  return client.get(SET_ACCESS, { key, leastRole, assistants });
}

describe('a skill for admins alone', () => {
  it('is not offered in a member’s turn, and refused when it is called', async () => {
    await access(SCORE, 'ADMIN');
    const { requests, events } = await play([call(SCORE), done], member);
    expect(toolsOf(requests[0])).not.toContain(SCORE);
    expect(systemOf(requests[0])).not.toContain(SCORE);
    expect(skillStory(events).at(-1)).toBe(`SkillFinished ${SCORE} FAILED`);
    expect(resultIn(lastOf(requests[1]).content)).toEqual({ error: refusal(SCORE) });
    expect(await skillOf(member, SCORE)).toMatchObject({ active: true, leastRole: 'ADMIN' });
  });

  it('is offered to an admin, and to everybody again once it is opened', async () => {
    await access(SCORE, 'ADMIN');
    const theirs = await play([call(SCORE), done]);
    expect(toolsOf(theirs.requests[0])).toContain(SCORE);
    expect(skillStory(theirs.events).at(-1)).toBe(`SkillFinished ${SCORE} SUCCEEDED`);
    await access(SCORE, 'MEMBER');
    const opened = await play([call(SCORE), done], member);
    expect(skillStory(opened.events).at(-1)).toBe(`SkillFinished ${SCORE} SUCCEEDED`);
  });

  it('may be a pack', async () => {
    await access(LOAN, 'ADMIN');
    const read = call('read_skill_file', { skill: LOAN, path: 'SKILL.md' });
    const refused = await play([load(LOAN), read, done], member, 'solven');
    expect(loadableIn(refused.requests[0])).toEqual([LEASE, SALE]);
    expect(systemOf(refused.requests[0])).not.toContain(LOAN);
    expect(skillStory(refused.events).filter((word) => word.endsWith('FAILED'))).toHaveLength(2);
    const allowed = await play([load(LOAN), done], admin, 'solven');
    expect(loadedIn(systemOf(allowed.requests[1]))).toEqual([LOAN]);
  });

  it('is an admin’s to declare, for skills that are there', async () => {
    const variables = { key: SCORE, leastRole: 'ADMIN', assistants: null };
    expect(await admin.codes(SET_ACCESS, { ...variables, key: 'nope' })).toEqual(['NOT_FOUND']);
    const many = Array.from({ length: 101 }, (_, index) => `a${index}`);
    for (const assistants of [many, ['a\0b'], ['x'.repeat(101)], ['']]) {
      expect(await admin.codes(SET_ACCESS, { ...variables, assistants })).toEqual(['BAD_USER_INPUT']);
    }
    const { errors } = await admin.send(SET_ACCESS, { ...variables, assistants: ['solven', 'mefalii', 'x'] });
    expect(errors).toMatchObject([
      {
        message: 'There is no such assistant.',
        extensions: { code: 'NOT_FOUND', path: ['assistants', '1'], argument: 'assistants.1' },
      },
    ]);
    expect(await skillOf(admin, SCORE)).toMatchObject({
      leastRole: 'MEMBER',
      assistants: ['mefali', 'explorateur'],
    });
  });

  it('is so in its own company', async () => {
    const other = await app.client({ company: await app.company(), sub: 'bob', role: 'MEMBER' });
    await access(SCORE, 'ADMIN');
    const { requests } = await play([done], other);
    expect(toolsOf(requests[0])).toContain(SCORE);
    expect(await skillOf(other, SCORE)).toMatchObject({ leastRole: 'MEMBER' });
  });
});

describe('a skill for some assistants', () => {
  const assistantsSkills = async (): Promise<Map<string, string[]>> => {
    const { assistants } = await admin.get<{ assistants: { key: string; skills: { key: string }[] }[] }>(
      '{ assistants { key skills { key } } }',
    );
    return new Map(assistants.map(({ key, skills }) => [key, skills.map((skill) => skill.key)]));
  };

  it('is offered to them and to no other', async () => {
    await access(FOOTPRINT, 'MEMBER', ['solven', 'explorateur', 'solven']);
    expect(await skillOf(admin, FOOTPRINT)).toMatchObject({ assistants: ['explorateur', 'solven'] });
    const mefali = await play([call(FOOTPRINT), done]);
    expect(toolsOf(mefali.requests[0])).not.toContain(FOOTPRINT);
    expect(resultIn(lastOf(mefali.requests[1]).content)).toEqual({ error: refusal(FOOTPRINT) });
    const solven = await play([done], admin, 'solven');
    expect(toolsOf(solven.requests[0])).toContain(FOOTPRINT);
    await access(FOOTPRINT, 'MEMBER', null);
    expect(toolsOf((await play([done])).requests[0])).toContain(FOOTPRINT);
    await access(FOOTPRINT, 'MEMBER', []);
    expect(toolsOf((await play([done])).requests[0])).not.toContain(FOOTPRINT);
  });

  it('may be a pack, for others than it says itself', async () => {
    expect(await skillOf(admin, LEASE)).toMatchObject({ assistants: ['solven'] });
    await access(LEASE, 'MEMBER', ['mefali']);
    const mefali = await play([load(LEASE), done]);
    expect(loadableIn(mefali.requests[0])).toEqual([LEASE]);
    expect(loadedIn(systemOf(mefali.requests[1]))).toEqual([LEASE]);
    expect(loadableIn((await play([done], admin, 'solven')).requests[0])).toEqual([SALE, LOAN]);
    await access(LEASE, 'MEMBER', null);
    expect(loadableIn((await play([done], admin, 'solven')).requests[0])).toEqual([LEASE, SALE, LOAN]);
  });

  it('is listed with each of them, switched on or not', async () => {
    const before = await assistantsSkills();
    expect(before.get('solven')).toEqual(expect.arrayContaining([SALE, LOAN, LEASE, FOOTPRINT]));
    expect(before.get('mefali')).toContain(FOOTPRINT);
    expect(before.get('mefali')).not.toContain(SALE);
    await access(FOOTPRINT, 'ADMIN', ['solven']);
    await access(SALE, 'MEMBER', ['mefali']);
    await setActive(admin, SALE, false);
    const after = await assistantsSkills();
    expect(after.get('mefali')).toContain(SALE);
    expect(after.get('mefali')).not.toContain(FOOTPRINT);
    expect(after.get('solven')).toContain(FOOTPRINT);
    expect(after.get('solven')).not.toContain(SALE);
  });
});

describe('a switch in mid-turn', () => {
  /** A turn in which the model calls `reply` only after `change`. */
  const changing = async (
    reply: ProviderReply,
    change: () => Promise<unknown>,
    asker = admin,
    assistantKey = 'mefali',
  ) => {
    const { step, reached, open } = barrier();
    const question = book.add([step, ...reply], done);
    const { turnId } = await asker.ask(question, { assistantKey });
    await reached;
    await change();
    open();
    const events = await asker.allEvents(turnId);
    expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    return { events, requests: requestsFor(app, question) };
  };

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'is switched off',
      () => setActive(admin, SCORE, false),
      fill(wordingIn('fr').skillUse.switchedOff, { key: SCORE }),
    ],
    ['is closed to members', () => access(SCORE, 'ADMIN'), refusal(SCORE)],
    ['is given to another assistant', () => access(SCORE, 'MEMBER', ['solven']), refusal(SCORE)],
  ])('holds for a call of what was offered and then %s', async (_, change, error) => {
    const { requests, events } = await changing(call(SCORE), change, member);
    expect(toolsOf(requests[0])).toContain(SCORE);
    expect(skillStory(events)).toEqual([`SkillStarted ${SCORE}`, `SkillFinished ${SCORE} FAILED`]);
    expect(resultIn(lastOf(requests[1]).content)).toEqual({ error });
    expect(toolsOf(requests[1])).not.toContain(SCORE);
  });

  it('holds for a pack as well', async () => {
    const off = (): Promise<unknown> => setActive(admin, SALE, false);
    const { requests, events } = await changing(load(SALE), off, admin, 'solven');
    expect(loadableIn(requests[0])).toContain(SALE);
    expect(skillStory(events)).toEqual(['SkillStarted load_skill', 'SkillFinished load_skill FAILED']);
    expect(loadedIn(systemOf(requests[1]))).toEqual([]);
    expect(loadableIn(requests[1])).not.toContain(SALE);
  });

  it('that brings it back is heard as well', async () => {
    await setActive(admin, SCORE, false);
    const { requests, events } = await changing(call(SCORE), () => setActive(admin, SCORE, true));
    expect(toolsOf(requests[0])).not.toContain(SCORE);
    expect(skillStory(events).at(-1)).toBe(`SkillFinished ${SCORE} SUCCEEDED`);
  });

  it('takes what was loaded out of the prompt, from the next model call on, and puts it back', async () => {
    const [loaded, on] = [barrier(), barrier()];
    const question = book.add(
      load(SALE),
      [loaded.step, ...call(SCORE)],
      [on.step, ...call(SCORE, { nothing: 0 })],
      done,
    );
    const { turnId } = await admin.ask(question, { assistantKey: 'solven' });
    await loaded.reached;
    await setActive(admin, SALE, false);
    loaded.open();
    await on.reached;
    await setActive(admin, SALE, true);
    on.open();
    await admin.allEvents(turnId);
    const requests = requestsFor(app, question);
    expect(requests.map((body) => loadedIn(systemOf(body)))).toEqual([[], [SALE], [], [SALE]]);
    expect(requests.map(loadableIn)[2]).toEqual([LEASE, LOAN]);
  });
});

it('what SKILLS_OFF names is off to begin with, and an admin’s to switch on', async () => {
  const own = new ScriptBook();
  await using closed = await startApp(own.replyTo, { SKILLS_OFF: `escrituras/*, ${SCORE}` });
  const client = await closed.client();
  const offered = async (assistantKey: string): Promise<JsonObject | undefined> => {
    const question = own.add(done);
    const { turnId } = await client.ask(question, { assistantKey });
    await client.allEvents(turnId);
    return requestsFor(closed, question)[0];
  };
  // Before anybody has looked at the catalogue, and after.
  expect(loadableIn(await offered('solven'))).toEqual([LEASE]);
  expect(toolsOf(await offered('mefali'))).not.toContain(SCORE);
  const off = (await skillsOf(client)).filter(({ active }) => !active).map(({ key }) => key);
  expect(off).toEqual([SCORE, SALE, LOAN]);
  expect(loadableIn(await offered('solven'))).toEqual([LEASE]);
  await setActive(client, SALE, true);
  await setActive(client, SCORE, true);
  expect(loadableIn(await offered('solven'))).toEqual([LEASE, SALE]);
  expect(toolsOf(await offered('mefali'))).toContain(SCORE);
  const other = await closed.client({ company: await closed.company() });
  expect(await skillOf(other, SALE)).toMatchObject({ active: false });
});

describe('the whole of a result', () => {
  const PROFILE = 'get_company_profile';
  const CALLS = 'query ($id: ID!) { turn(id: $id) { skillCalls { skill details } } }';
  interface Calls {
    turn: { skillCalls: { skill: string; details: JsonValue | null }[] } | null;
  }
  const detailsOf = async (client: TestClient, id: string): Promise<Calls['turn']> =>
    (await client.get<Calls>(CALLS, { id })).turn;

  it('is the asker’s to read, and neither in the prompt nor anybody else’s', async () => {
    const { turnId, requests } = await play([call(SCORE), call(PROFILE), done], member);
    const turn = await detailsOf(member, turnId);
    expect(turn?.skillCalls.map(({ skill }) => skill)).toEqual([SCORE, PROFILE]);
    const [esg, profile] = turn?.skillCalls ?? [];
    expect(profile?.details).toBeNull();
    const { indicators = [] } = (esg?.details ?? {}) as { indicators?: { id: string }[] };
    const told = readRequest(requests.at(-1)).messages.find(({ role }) => role === 'tool')?.content ?? '';
    expect(resultIn(told)).toMatchObject({ summary: expect.any(String), grade: null });
    expect(indicators.length).toBeGreaterThan(20);
    const shown = indicators.filter(({ id }) => told.includes(`"${id}"`));
    expect(shown.length).toBeLessThan(indicators.length / 2);
    expect(JSON.stringify(esg?.details).length).toBeGreaterThan(3 * told.length);
    const stranger = await app.client({ company: await app.company() });
    for (const other of [admin, stranger]) expect(await detailsOf(other, turnId)).toBeNull();
  });
});
