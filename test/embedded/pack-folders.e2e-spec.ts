import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { skillMd, writeFiles } from '../harness/pack-uploads.js';
import { systemOf, toolsOf } from '../harness/provider-request.js';
import { type BookReply, ScriptBook } from '../harness/script-book.js';
import { ShiftedClock } from '../harness/shifted-clock.js';
import {
  loadableIn,
  loadedIn,
  requestsFor,
  setActive,
  skillOf,
  skillsOf,
  skillStory,
} from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const SHIPPED = ['contratos/arrendamiento', 'escrituras/compraventa', 'escrituras/hipoteca'];
const done: ProviderReply = [text('Hecho.'), finish()];
function load(skill: string): ProviderReply {
  return [toolCall('load_skill', { skill }), finish()];
}

const stack = new AsyncDisposableStack();
const book = new ScriptBook();
const clock = new ShiftedClock();
let folder: string;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-packs-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  app = stack.use(await startApp(book.replyTo, { SKILLS_DIR: folder }, { clock }));
  client = await app.client();
  await client.get('{ assistants { id } }');
  // A clock that is put forward takes it off the time that a turn has.
  await app.database.dataSource.query('UPDATE assistant SET max_seconds = 86400');
});
afterAll(() => stack.disposeAsync());
afterEach(async () => {
  await rm(folder, { recursive: true });
  await put({});
});

/** What is on disk is looked up once a second at most: the time goes on by more. */
async function put(files: Record<string, string>): Promise<void> {
  await writeFiles(folder, { '.keep': '', ...files });
  clock.advance(60_000);
  // Nobody waits long for a disk: whoever asks next has what was begun for this one.
  await client.get('{ skills { id } }');
}

async function play(replies: readonly BookReply[], assistantKey = 'solven') {
  const question = book.add(...replies);
  const { turnId } = await client.ask(question, { assistantKey });
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
  return { events, requests: requestsFor(app, question) };
}

async function offeredTo(assistantKey = 'solven'): Promise<JsonObject | undefined> {
  return (await play([done], assistantKey)).requests[0];
}

interface Refused {
  path: string;
  reason: string;
}
const REFUSED = '{ refusedPacks { path reason } }';
async function refusedPacks(): Promise<Refused[]> {
  return (await client.get<{ refusedPacks: Refused[] }>(REFUSED)).refusedPacks;
}

it.each(['nowhere', 'carta/SKILL.md'])(
  'SKILLS_DIR that is no folder is refused at start: %s',
  async (path) => {
    await writeFiles(folder, { 'carta/SKILL.md': skillMd('carta', 'Letters.', 'Dear') });
    const given = join(folder, path);
    await expect(startApp(book.replyTo, { SKILLS_DIR: given })).rejects.toThrow(
      `SKILLS_DIR must be a folder that can be read: ${given}.`,
    );
  },
);

describe('a pack in SKILLS_DIR', () => {
  const key = 'oficina/acta';

  it('is there for the next question, for every assistant, as soon as it is on disk', async () => {
    expect(loadableIn(await offeredTo())).toEqual(SHIPPED);
    await put({ 'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') });
    const { requests, events } = await play([load(key), done]);
    expect(loadableIn(requests[0])).toEqual([...SHIPPED, key]);
    expect(systemOf(requests[0])).toContain(`#### oficina\n- **${key}**: Levanta un acta.`);
    expect(systemOf(requests[1])).toContain(`<skill_content name="${key}">\n# acta\n\nPrimero la fecha.\n</`);
    expect(skillStory(events)).toContain(`SkillLoaded ${key}`);
    expect(loadableIn(await offeredTo('mefali'))).toEqual([key]);
    expect(await skillOf(client, key)).toMatchObject({
      kind: 'INSTRUCTIONS',
      category: 'oficina',
      own: false,
      active: true,
      available: true,
    });
  });

  it('is as it was changed to in the next question', async () => {
    await put({ 'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') });
    expect(systemOf(await offeredTo())).toContain('Levanta un acta.');
    await put({
      'oficina/acta/SKILL.md': skillMd('acta', 'Redacta actas.', 'Primero el lugar.'),
      'oficina/acta/references/modelo.md': 'Reunidos en el lugar.',
    });
    const file = toolCall('read_skill_file', { skill: key, path: 'references/modelo.md' });
    const { requests, events } = await play([load(key), [file, finish()], done]);
    expect(systemOf(requests[0])).toContain('Redacta actas.');
    expect(systemOf(requests[0])).not.toContain('Levanta un acta.');
    expect(systemOf(requests[1])).toContain('Primero el lugar.');
    expect(systemOf(requests[1])).toContain('- references/modelo.md');
    expect(JSON.stringify(requests[2])).toContain('Reunidos en el lugar.');
    expect(skillStory(events).at(-1)).toBe('SkillFinished read_skill_file SUCCEEDED');
  });

  it('is gone from the next question once it is taken away, and the catalogue says so', async () => {
    await put({ 'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') });
    expect(await skillOf(client, key)).toMatchObject({ available: true });
    await rm(join(folder, 'oficina'), { recursive: true });
    await put({});
    const { requests, events } = await play([load(key), done]);
    expect(loadableIn(requests[0])).toEqual(SHIPPED);
    expect(systemOf(requests[0])).not.toContain(key);
    expect(skillStory(events).at(-1)).toBe('SkillFinished load_skill FAILED');
    expect(await skillOf(client, key)).toMatchObject({
      available: false,
      unavailableReason: expect.stringContaining('not there any more'),
    });
  });

  it('that was taken away after it was offered is told of as such, and the turn is answered', async () => {
    await put({ 'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') });
    const { events, requests } = await play([
      () => {
        rmSync(join(folder, 'oficina'), { recursive: true });
        return load(key);
      },
      done,
    ]);
    expect(loadableIn(requests[0])).toContain(key);
    expect(skillStory(events)).toEqual(['SkillStarted load_skill', 'SkillFinished load_skill FAILED']);
    expect(events.find(({ __typename }) => __typename === 'SkillFinished')).toMatchObject({
      resultPreview: 'No se ha podido leer. Sigue sin ello y dilo si importa para la respuesta.',
    });
  });

  it('gives its files as links are written, with accents in any form', async () => {
    await put({
      'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Lee [esto](./references/guía.md).'),
      [`oficina/acta/references/${'guía.md'.normalize('NFC')}`]: 'Primero la firma.',
    });
    const path = './references//guía.md'.normalize('NFD');
    const file = toolCall('read_skill_file', { skill: key, path });
    const { requests, events } = await play([load(key), [file, finish()], done]);
    expect(JSON.stringify(requests[2])).toContain('Primero la firma.');
    expect(skillStory(events).at(-1)).toBe('SkillFinished read_skill_file SUCCEEDED');
  });

  it('may stand within another one, and both are offered', async () => {
    await put({
      'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.'),
      'oficina/acta/junta/SKILL.md': skillMd('junta', 'Acta de una junta.', 'Primero los socios.'),
    });
    const { requests } = await play([load('oficina/acta/junta'), done]);
    expect(loadableIn(requests[0])).toEqual([...SHIPPED, key, 'oficina/acta/junta']);
    expect(systemOf(requests[1])).toContain('Primero los socios.');
    expect(await skillOf(client, 'oficina/acta/junta')).toMatchObject({ category: 'oficina/acta' });
  });

  it('that is broken is told of to admins with the reason, and spoils nothing else', async () => {
    await put({
      'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.'),
      'oficina/rota/SKILL.md': '---\nname: rota\n---\nSin descripción.\n',
      'SKILL.md': skillMd('arriba', 'En lo alto.', 'No sirve.'),
      'oficina/ajena/leeme.txt': 'Nada que ver.',
    });
    const { requests, events } = await play([load('oficina/rota'), load(key), done]);
    expect(loadableIn(requests[0])).toEqual([...SHIPPED, key]);
    expect(skillStory(events).filter((word) => !word.startsWith('SkillStarted'))).toEqual([
      'SkillFinished load_skill FAILED',
      `SkillLoaded ${key}`,
      'SkillFinished load_skill SUCCEEDED',
    ]);
    expect(await refusedPacks()).toEqual([
      { path: 'SKILL.md', reason: expect.stringContaining('folder of its own') },
      { path: 'oficina/rota', reason: expect.stringContaining('description') },
    ]);
    const member = await app.client({ sub: 'bea', role: 'MEMBER' });
    expect(await member.codes(REFUSED)).toEqual(['FORBIDDEN']);
    await put({ 'oficina/rota/SKILL.md': skillMd('rota', 'Ya no.', 'Sirve.') });
    await rm(join(folder, 'SKILL.md'));
    await put({});
    expect(await refusedPacks()).toEqual([]);
    expect(loadableIn(await offeredTo())).toEqual([...SHIPPED, key, 'oficina/rota']);
  });

  it('takes the place of one that ships under the same key, and gives it back', async () => {
    const [, sale = ''] = SHIPPED;
    const before = await skillOf(client, sale);
    expect(before).toMatchObject({ assistants: ['solven'] });
    await put({ [`${sale}/SKILL.md`]: skillMd('compraventa', 'La de la casa.', 'Como lo hacemos aquí.') });
    const { requests } = await play([load(sale), done]);
    expect(loadableIn(requests[0])).toEqual(SHIPPED);
    expect(systemOf(requests[0])).toContain(`- **${sale}**: La de la casa.`);
    expect(systemOf(requests[1])).toContain('Como lo hacemos aquí.');
    expect(await skillOf(client, sale)).toMatchObject({ own: false, assistants: null });
    expect(loadableIn(await offeredTo('mefali'))).toEqual([sale]);
    await rm(join(folder, 'escrituras'), { recursive: true });
    await put({});
    expect(await skillOf(client, sale)).toEqual(before);
    expect(toolsOf(await offeredTo('mefali'))).not.toContain('load_skill');
  });

  it('under the key of a function stays away', async () => {
    await put({
      'get_company_profile/SKILL.md': skillMd('get_company_profile', 'No.', 'No.'),
      'load_skill/SKILL.md': skillMd('load_skill', 'No.', 'No.'),
    });
    const keys = (await skillsOf(client))
      .filter(({ kind }) => kind === 'INSTRUCTIONS')
      .map((skill) => skill.key);
    expect(keys).not.toContain('get_company_profile');
    expect(keys).not.toContain('load_skill');
    const body = await offeredTo();
    expect(loadableIn(body)).toEqual(SHIPPED);
  });

  it('stays switched off for a company when it is changed', async () => {
    const file = 'oficina/acta/SKILL.md';
    await put({ [file]: skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') });
    await setActive(client, key, false);
    await put({ [file]: skillMd('acta', 'Otra.', 'Otra.') });
    expect(loadableIn(await offeredTo())).toEqual(SHIPPED);
    await setActive(client, key, true);
    const { requests } = await play([load(key), done]);
    expect(loadedIn(systemOf(requests[1]))).toEqual([key]);
  });
});
