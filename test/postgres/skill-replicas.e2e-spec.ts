import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { REMOVE_PACK, skillMd, uploadPacks, zipOf } from '../harness/pack-uploads.js';
import { resultIn, lastOf, systemOf, toolsOf } from '../harness/provider-request.js';
import { Replica } from '../harness/replicas.js';
import { barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import {
  loadableIn,
  loadedIn,
  requestsFor,
  SET_ACCESS,
  setActive,
  skillStory,
} from '../harness/skill-view.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

// A lease has to run out, and none is shorter than ten seconds.
const onServer = testDatabaseUrl === null ? describe.skip : describe;

const SCORE = 'calculate_esg_score';
const SALE = 'escrituras/compraventa';
const LOAN = 'escrituras/hipoteca';

const done: ProviderReply = [text('Hecho.'), finish()];
function call(skill: string): ProviderReply {
  return [toolCall(skill, {}), finish()];
}
function load(skill: string): ProviderReply {
  return [toolCall('load_skill', { skill }), finish()];
}

const book = new ScriptBook();

onServer('the skills of replicas on one database', () => {
  const stack = new AsyncDisposableStack();
  let provider: ScriptedProvider;
  let testDatabase: TestDatabase;
  let a: Replica;
  let b: Replica;
  let here: TestClient;
  let there: TestClient;
  let start: () => Promise<Replica>;

  beforeAll(async () => {
    testDatabase = stack.use(await createTestDatabase());
    provider = stack.use(await startScriptedProvider(book.replyTo));
    // One storage for all of them, as a bucket would be.
    const folder = await mkdtemp(join(tmpdir(), 'palabre-shared-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const databaseUrl = testDatabase.location.database.url ?? '';
    start = () => Replica.start({ databaseUrl, provider, settings: { DATA_DIR: folder } });
    [a, b] = (await Promise.all([start(), start()])).map((replica) => stack.use(replica)) as [
      Replica,
      Replica,
    ];
    [here, there] = await Promise.all([a.client(), b.client()]);
  });
  afterAll(() => stack.disposeAsync());

  const requestsOf = (question: string) =>
    requestsFor({ provider } as Parameters<typeof requestsFor>[0], question);

  const play = async (client: TestClient, replies: readonly BookReply[], assistantKey = 'solven') => {
    const question = book.add(...replies);
    const { turnId } = await client.ask(question, { assistantKey });
    const events = await client.allEvents(turnId);
    expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    return { events, requests: requestsOf(question) };
  };

  /**
   * Has `a` change something, and gives when `b` has heard of it: hints come in the order of the commits, and so a word
   * that a turn of `a` says afterwards, followed at `b` from before, comes later.
   */
  const heardThere = async (change: () => Promise<unknown>): Promise<void> => {
    const first = barrier();
    const { turnId } = await here.ask(book.add([text('Antes.'), first.step, text('Después.'), finish()]));
    const followed = there.turnEvents(turnId);
    const until = async (words: string): Promise<void> => {
      for (let said = ''; !said.includes(words);) {
        const { value, done: isOver } = await followed.next();
        if (isOver || !value) throw new Error(`It never said ${words}`);
        said += value.__typename === 'TextDelta' ? String(value.text) : '';
      }
    };
    await until('Antes.');
    await change();
    first.open();
    await until('Después.');
    await followed.return();
  };

  /** A turn of `b` whose model is made to wait before `reply`, in the middle of which `a` changes something. */
  const changedMeanwhile = async (
    reply: ProviderReply,
    change: () => Promise<unknown>,
    assistantKey = 'solven',
  ): Promise<{ events: WireEvent[]; requests: ReturnType<typeof requestsOf> }> => {
    const { step, reached, open } = barrier();
    const question = book.add([step, ...reply], done);
    const { turnId } = await there.ask(question, { assistantKey });
    await reached;
    await heardThere(change);
    open();
    const events = await there.allEvents(turnId);
    expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
    return { events, requests: requestsOf(question) };
  };

  it('are refused in a turn of one as soon as they are switched off at the other', async () => {
    try {
      const off = (): Promise<unknown> => setActive(here, SCORE, false);
      const { requests, events } = await changedMeanwhile(call(SCORE), off, 'mefali');
      expect(toolsOf(requests[0])).toContain(SCORE);
      expect(skillStory(events)).toEqual([`SkillStarted ${SCORE}`, `SkillFinished ${SCORE} FAILED`]);
      expect(resultIn(lastOf(requests[1]).content)).toEqual({
        error: `« ${SCORE} » est désactivé pour l'entreprise : un administrateur peut l'activer.`,
      });
      expect(toolsOf(requests[1])).not.toContain(SCORE);
    } finally {
      await setActive(here, SCORE, true);
    }
  });

  it('are packs that cannot be loaded any more, likewise, whoever they were taken from', async () => {
    const give = (assistants: string[] | null): Promise<unknown> =>
      here.get(SET_ACCESS, { key: LOAN, leastRole: 'MEMBER', assistants });
    try {
      const { requests, events } = await changedMeanwhile(load(LOAN), () => give(['mefali']));
      expect(loadableIn(requests[0])).toContain(LOAN);
      expect(skillStory(events)).toEqual(['SkillStarted load_skill', 'SkillFinished load_skill FAILED']);
      expect(loadableIn(requests[1])).not.toContain(LOAN);
    } finally {
      await give(null);
    }
    expect(loadableIn((await play(there, [done])).requests[0])).toContain(LOAN);
  });

  it('are packs that are loaded at one after they were uploaded at the other', async () => {
    const key = 'oficina/acta';
    const upload = async (body: string): Promise<unknown> =>
      uploadPacks(here, await zipOf({ [`${key}/SKILL.md`]: skillMd('acta', 'Levanta un acta.', body) }));
    await upload('Primero la fecha.');
    const first = await play(there, [load(key), done]);
    expect(systemOf(first.requests[1])).toContain('Primero la fecha.');
    const { requests, events } = await changedMeanwhile(load(key), () => upload('Primero el lugar.'));
    expect(skillStory(events)).toContain(`SkillLoaded ${key}`);
    expect(systemOf(requests[1])).toContain('Primero el lugar.');
    expect(systemOf(requests[1])).not.toContain('Primero la fecha.');
    const gone = await changedMeanwhile(load(key), () => here.get(REMOVE_PACK, { key }));
    expect(skillStory(gone.events)).toEqual(['SkillStarted load_skill', 'SkillFinished load_skill FAILED']);
    expect(loadableIn(gone.requests[1])).not.toContain(key);
  });

  it('are still loaded where another takes over the turn of one that is killed', async () => {
    await using victim = await start();
    const asker = await victim.client();
    const held = barrier();
    let calls = 0;
    const question = book.add(load(SALE), () => ((calls += 1) === 1 ? [held.step, ...done] : done));
    const { turnId } = await asker.ask(question, { assistantKey: 'solven' });
    await held.reached;
    // What nobody has seen may be lost with its process, and is done again.
    for await (const event of there.turnEvents(turnId)) if (event.__typename === 'SkillFinished') break;
    await victim.down('SIGKILL');
    const events = await there.allEvents(turnId);
    held.open();
    expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
    expect(skillStory(events)).toEqual([
      'SkillStarted load_skill',
      `SkillLoaded ${SALE}`,
      'SkillFinished load_skill SUCCEEDED',
    ]);
    const systems = requestsOf(question).map(systemOf);
    expect(systems.map(loadedIn)).toEqual([[], [SALE], [SALE]]);
    expect(systems[2]).toBe(systems[1]);
  });
});
