import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { eventually } from '../harness/eventually.js';
import {
  CREATE_UPLOAD,
  createUpload,
  REMOVE_PACK,
  sendArchive,
  skillMd,
  uploadPacks,
  zipOf,
} from '../harness/pack-uploads.js';
import { systemOf } from '../harness/provider-request.js';
import { type BookReply, ScriptBook } from '../harness/script-book.js';
import { loadableIn, requestsFor, setActive, skillOf, skillsOf, skillStory } from '../harness/skill-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const SALE = 'escrituras/compraventa';
const done: ProviderReply = [text('Hecho.'), finish()];
function load(skill: string): ProviderReply {
  return [toolCall('load_skill', { skill }), finish()];
}

const book = new ScriptBook();
let app: TestApp;
/** An admin of a company that nobody else has to do with. */
let admin: TestClient;
let company: string;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  admin = await app.client({ company });
});

async function play(replies: readonly BookReply[], asker = admin, assistantKey = 'solven') {
  const question = book.add(...replies);
  const { turnId } = await asker.ask(question, { assistantKey });
  const events = await asker.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ finishReason: 'ANSWERED' });
  return { events, requests: requestsFor(app, question) };
}

/** What the company's uploads have left in the storage. */
async function stored(): Promise<string[]> {
  const { viewer } = await admin.get<{ viewer: { company: { id: string } } }>(
    '{ viewer { company { id } } }',
  );
  return app.storage.keys.filter((key) => key.startsWith(`companies/${viewer.company.id}/packs/`));
}

/** The same, once it is so many files: those of earlier versions are removed soon after. */
function whenStored(count: number): Promise<string[]> {
  return eventually(stored, ({ length }) => length === count);
}

async function remove(client: TestClient, key: string): Promise<string> {
  return (await client.get<{ removePack: string }>(REMOVE_PACK, { key })).removePack;
}

function acta(body: string): Promise<Buffer> {
  return zipOf({
    'oficina/acta/SKILL.md': skillMd('acta', 'Levanta un acta.', body),
    'oficina/acta/references/modelo.md': `Modelo: ${body}`,
  });
}

describe('an uploaded pack', () => {
  it('is one, with the files of one, when several admins upload it at once', async () => {
    const bodies = ['uno', 'dos', 'tres', 'cuatro', 'cinco'];
    await Promise.all(bodies.map(async (body) => uploadPacks(admin, await acta(body))));
    const folders = new Set((await whenStored(2)).map((key) => key.split('/')[3]));
    expect(folders.size).toBe(1);
    await remove(admin, 'oficina/acta');
    await whenStored(0);
  });

  it('is the company’s own from the next question on, with its files', async () => {
    const answer = await uploadPacks(admin, await acta('Primero la fecha.'));
    expect(answer).toEqual({
      status: expect.any(Number),
      body: { skills: [{ key: 'oficina/acta', name: 'acta', warnings: [] }], refused: [] },
    });
    expect(Math.trunc(answer.status / 100)).toBe(2);
    expect(await skillOf(admin, 'oficina/acta')).toMatchObject({
      kind: 'INSTRUCTIONS',
      name: 'acta',
      description: 'Levanta un acta.',
      category: 'oficina',
      own: true,
      active: true,
      available: true,
      assistants: null,
    });
    const file = toolCall('read_skill_file', { skill: 'oficina/acta', path: 'references/modelo.md' });
    const { requests, events } = await play([load('oficina/acta'), [file, finish()], done]);
    expect(loadableIn(requests[0])).toContain('oficina/acta');
    expect(systemOf(requests[1])).toContain('Primero la fecha.');
    expect(JSON.stringify(requests[2])).toContain('Modelo: Primero la fecha.');
    expect(skillStory(events)).toContain('SkillLoaded oficina/acta');
    await whenStored(2);
  });

  it('is nothing to another company, which may have its own of the same key', async () => {
    await uploadPacks(admin, await acta('Primero la fecha.'));
    const other = await app.client({ company: await app.company() });
    expect(await skillOf(other, 'oficina/acta')).toBeUndefined();
    const { requests, events } = await play([load('oficina/acta'), done], other);
    expect(loadableIn(requests[0])).not.toContain('oficina/acta');
    expect(skillStory(events).at(-1)).toBe('SkillFinished load_skill FAILED');
    expect(await other.codes(REMOVE_PACK, { key: 'oficina/acta' })).toEqual(['NOT_FOUND']);
    await uploadPacks(other, await acta('Primero el lugar.'));
    const theirs = await play([load('oficina/acta'), done], other);
    const ours = await play([load('oficina/acta'), done]);
    expect(systemOf(theirs.requests[1])).toContain('Primero el lugar.');
    expect(systemOf(ours.requests[1])).toContain('Primero la fecha.');
    await remove(other, 'oficina/acta');
    expect(await skillOf(admin, 'oficina/acta')).toMatchObject({ own: true });
    await whenStored(2);
  });

  it('makes way for its next version, whose files alone are kept; switches stay as they are', async () => {
    await uploadPacks(admin, await acta('Primero la fecha.'));
    const first = await stored();
    const { id } = (await skillOf(admin, 'oficina/acta'))!;
    await setActive(admin, 'oficina/acta', false);
    await uploadPacks(
      admin,
      await zipOf({ 'oficina/acta/SKILL.md': skillMd('acta', 'Otra.', 'Primero el lugar.') }),
    );
    expect(await skillOf(admin, 'oficina/acta')).toMatchObject({ id, description: 'Otra.', active: false });
    await setActive(admin, 'oficina/acta', true);
    const { requests } = await play([load('oficina/acta'), done]);
    expect(systemOf(requests[0])).toContain('**oficina/acta**: Otra.');
    expect(systemOf(requests[1])).toContain('Primero el lugar.');
    expect(systemOf(requests[1])).not.toContain('Primero la fecha.');
    const second = await whenStored(1);
    expect(first).not.toContain(second[0]);
  });

  it('stands in for one that ships, and gives it back when it is removed', async () => {
    const shipped = await skillOf(admin, SALE);
    await uploadPacks(
      admin,
      await zipOf({ [`${SALE}/SKILL.md`]: skillMd('compraventa', 'La nuestra.', 'Como aquí.') }),
    );
    expect(await skillOf(admin, SALE)).toMatchObject({
      own: true,
      description: 'La nuestra.',
      assistants: null,
    });
    const ours = await play([load(SALE), done]);
    expect(systemOf(ours.requests[1])).toContain('Como aquí.');
    expect(await remove(admin, SALE)).toBe(shipped?.id);
    expect(await skillOf(admin, SALE)).toEqual(shipped);
    const theirs = await play([load(SALE), done]);
    expect(systemOf(theirs.requests[0])).not.toContain('La nuestra.');
    expect(systemOf(theirs.requests[1])).not.toContain('Como aquí.');
    expect(skillStory(theirs.events)).toContain(`SkillLoaded ${SALE}`);
    await whenStored(0);
    expect(await admin.codes(REMOVE_PACK, { key: SALE })).toEqual(['NOT_FOUND']);
  });

  it('loses its files also if the storage fails at first', async () => {
    await uploadPacks(admin, await acta('Primero la fecha.'));
    vi.spyOn(app.storage, 'removeAll').mockRejectedValueOnce(new Error('away'));
    await remove(admin, 'oficina/acta');
    await whenStored(0);
  });

  it('is gone with its files once it is removed', async () => {
    await uploadPacks(admin, await acta('Primero la fecha.'));
    await remove(admin, 'oficina/acta');
    expect(await skillOf(admin, 'oficina/acta')).toBeUndefined();
    await whenStored(0);
    const { requests } = await play([done]);
    expect(loadableIn(requests[0])).not.toContain('oficina/acta');
  });

  it('may be meant for some assistants', async () => {
    const metadata = 'metadata:\n  palabre-assistants: mefali, mefalii\n';
    await uploadPacks(
      admin,
      await zipOf({
        'bilan/SKILL.md': `---\nname: bilan\ndescription: Dresse un bilan.\n${metadata}---\nD'abord.\n`,
      }),
      'bilan.skill',
    );
    expect(await skillOf(admin, 'bilan')).toMatchObject({
      assistants: ['mefali', 'mefalii'],
      warnings: [expect.stringMatching(/mefalii.* no assistant/)],
    });
    const { skills } = await admin.get<{ skills: { key: string; warnings: string[] }[] }>(
      '{ skills { key warnings(language: "fr") } }',
    );
    expect(skills.find(({ key }) => key === 'bilan')?.warnings).toEqual([
      'palabre-assistants nomme mefalii, qui n’est la clé d’aucun assistant.',
    ]);
    const mefali = await play([done], admin, 'mefali');
    const solven = await play([done]);
    expect(loadableIn(mefali.requests[0])).toEqual(['bilan']);
    expect(loadableIn(solven.requests[0])).not.toContain('bilan');
  });
});

describe('an archive', () => {
  it('with several packs is taken in but for those that cannot be', async () => {
    const archive = await zipOf({
      'uno/SKILL.md': skillMd('uno', 'El primero.', 'Uno.'),
      'dos/SKILL.md': skillMd('dos', 'El segundo.', 'Dos.'),
      'rota/SKILL.md': '---\nname: rota\n---\nSin descripción.\n',
      'get_company_profile/SKILL.md': skillMd('get_company_profile', 'No.', 'No.'),
      'load_skill/SKILL.md': skillMd('load_skill', 'No.', 'No.'),
    });
    const { body } = await uploadPacks(admin, archive);
    expect(body.skills?.map(({ key }) => key)).toEqual(['dos', 'uno']);
    expect(body.refused).toEqual([
      { path: 'rota', reason: expect.stringContaining('description') },
      { path: 'get_company_profile', reason: expect.stringContaining('another skill') },
      { path: 'load_skill', reason: expect.stringContaining('is reserved') },
    ]);
    expect((await skillsOf(admin)).filter(({ own }) => own).map(({ key }) => key)).toEqual(['dos', 'uno']);
    await whenStored(2);
  });

  it('whose only pack has the key of a function is a conflict, and leaves nothing', async () => {
    const before = await skillsOf(admin);
    const key = 'get_company_profile';
    const { status, body } = await uploadPacks(
      admin,
      await zipOf({ [`${key}/SKILL.md`]: skillMd(key, 'No.', 'No.') }),
    );
    expect(status).toBe(409);
    expect(body.errors).toEqual([
      { message: expect.stringContaining(key), extensions: { code: 'CONFLICT' } },
    ]);
    expect(await skillsOf(admin)).toEqual(before);
    await whenStored(0);
  });

  it('is sent once', async () => {
    const archive = await acta('Primero la fecha.');
    const issued = await createUpload(admin, archive.byteLength);
    expect((await sendArchive(admin, issued, archive)).body.skills).toHaveLength(1);
    const again = await sendArchive(admin, issued, await acta('Primero nada....'));
    expect(again).toMatchObject({ status: 409, body: { errors: [{ extensions: { code: 'CONFLICT' } }] } });
    const { requests } = await play([load('oficina/acta'), done]);
    expect(systemOf(requests[1])).toContain('Primero la fecha.');
  });

  it('is one by its name and of a size that may be, and an admin’s to send', async () => {
    const codes = (name: string, bytes: number, client = admin): Promise<string[]> =>
      client.codes(CREATE_UPLOAD, { input: { name, bytes } });
    expect(await codes('packs.tar.gz', 10)).toEqual(['BAD_USER_INPUT']);
    expect(await codes('packs.zip', 0)).toEqual(['BAD_USER_INPUT']);
    expect(await codes('packs.zip', 10_000_001)).toEqual(['BAD_USER_INPUT']);
    const member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    expect(await codes('packs.zip', 10, member)).toEqual(['FORBIDDEN']);
    await uploadPacks(admin, await acta('Primero la fecha.'));
    expect(await member.codes(REMOVE_PACK, { key: 'oficina/acta' })).toEqual(['FORBIDDEN']);
    expect(await skillOf(member, 'oficina/acta')).toMatchObject({ own: true });
  });
});

const good = { 'a/SKILL.md': skillMd('a', 'Buena.', 'Nada malo.') };

/** The same bytes with another name in them: no honest program packs such a file. */
async function renamed(from: string, to: string): Promise<Buffer> {
  const archive = await zipOf({ ...good, [from]: 'x' });
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}

async function withLink(): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(good)) archive.addBuffer(Buffer.from(content), path);
  archive.addBuffer(Buffer.from('/etc/passwd'), 'a/references/x.md', { mode: 0o120777 });
  archive.end();
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}

describe('an archive that is not in order is refused with a reason, and leaves nothing:', () => {
  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['no zip', async () => Buffer.from('Buenos días.'), /not a zip archive/],
    ['half a zip', async () => (await zipOf(good)).subarray(0, 60), /not a zip archive/],
    ['one without a SKILL.md', () => zipOf({ 'a/leeme.md': 'x' }), /no SKILL\.md/],
    ['one whose SKILL.md says nothing', () => zipOf({ 'a/SKILL.md': 'Nada.' }), /front matter/],
    ['a file that would lie outside', () => renamed('aa/b.md', '../b.md'), /lies outside/],
    ['a file with an absolute path', () => renamed('eetc/x.md', '/etc/x.md'), /absolute path/],
    ['a link', withLink, /link or a device/],
    [
      'a file that unpacks to very much',
      () => zipOf({ ...good, 'a/references/x.md': Buffer.alloc(9_000_000) }),
      /unpacks to more than 150 times/,
    ],
    [
      'a file that is too large',
      () => zipOf({ ...good, 'a/x.md': Buffer.from('abcdefgh'.repeat(1_300_000)) }),
      /larger than|unpacks to more/,
    ],
  ])('%s', async (_, pack, reason) => {
    const before = await skillsOf(admin);
    const { status, body } = await uploadPacks(admin, await pack());
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { message: expect.stringMatching(reason), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(await skillsOf(admin)).toEqual(before);
    await whenStored(0);
  });
});
