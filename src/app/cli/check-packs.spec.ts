import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';
import { PackRefused } from '@palabre/skill-pack';

import { checkPacks } from './check-packs.js';
import { runPalabre } from './palabre-program.js';

function skillMd(name: string, rest = ''): string {
  return `---\nname: ${name}\ndescription: Says what it is for.\n${rest}---\n# ${name}\n\nDo it.\n`;
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-check-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

function zipOf(files: Record<string, string>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}

function inOrder(path: string) {
  return { path, faults: [] };
}
function faulty(path: string, words: string) {
  return { path, faults: [expect.stringContaining(words)] };
}

describe('checking packs', () => {
  it('looks at each of a folder, at every depth', async () => {
    await write({
      'deeds/sale/SKILL.md': skillMd('sale'),
      'deeds/sale/references/a.md': 'A.',
      'plain/skill.md': skillMd('plain'),
      'misnamed/SKILL.md': skillMd('other'),
      'silent/SKILL.md': 'Nothing.',
      'empty/notes.txt': 'x',
    });
    const checked = await checkPacks(folder);
    expect(checked.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      inOrder('deeds/sale'),
      faulty('misnamed', 'make them the same'),
      inOrder('plain'),
      faulty('silent', 'front matter'),
    ]);
  });

  it('looks at one pack alone, in the folder that it stands in', async () => {
    await write({ 'deeds/sale/SKILL.md': skillMd('sale'), 'deeds/gift/SKILL.md': 'Nothing.' });
    expect(await checkPacks(join(folder, 'deeds/sale'))).toEqual([inOrder('sale')]);
    expect(await checkPacks(`${join(folder, 'deeds/gift')}/`)).toEqual([faulty('gift', 'front matter')]);
  });

  it('looks at those in a pack as well, and at what of it is left out', async () => {
    await write({
      'router/SKILL.md': skillMd('router'),
      'router/paths/SKILL.md': skillMd('paths'),
      'router/silent/SKILL.md': 'Nothing.',
      'router/odd&/SKILL.md/x': 'A folder.',
      'router/twice/SKILL.md': skillMd('twice'),
      'router/twice/skill.md': skillMd('twice'),
      'router-2/SKILL.md': 'Nothing.',
    });
    expect(await checkPacks(join(folder, 'router'))).toEqual([
      inOrder('router'),
      inOrder('router/paths'),
      faulty('router/silent', 'front matter'),
      faulty('router/twice', 'a skill.md beside the SKILL.md'),
      faulty('router/odd&', 'no ordinary file'),
    ]);
  });

  it('tells of what cannot be looked at', async () => {
    await write({ 'sale/SKILL.md': skillMd('sale') });
    await symlink('/nowhere/at/all', join(folder, 'gone'));
    expect(await checkPacks(folder)).toEqual([inOrder('sale'), faulty('gone', 'link')]);
  });

  it('looks into an archive, with several packs or one at its top', async () => {
    await write({
      'many.zip': await zipOf({
        'deeds/sale/SKILL.md': skillMd('sale'),
        'plain/SKILL.md': skillMd('plain', 'odd-key: yes\n'),
        'silent/SKILL.md': 'Nothing.',
      }),
      'one.skill': await zipOf({ 'SKILL.md': skillMd('gift') }),
    });
    expect(await checkPacks(join(folder, 'many.zip'))).toEqual([
      inOrder('deeds/sale'),
      faulty('plain', 'odd-key'),
      faulty('silent', 'front matter'),
    ]);
    expect(await checkPacks(join(folder, 'one.skill'))).toEqual([inOrder('gift')]);
  });

  it.each<[string, string, RegExp]>([
    ['nothing there', 'nope', /There is no/],
    ['a folder without packs', '.', /no SKILL\.md in/],
    ['an archive that is none', 'a.zip', /not a zip archive/],
  ])('rejects with words for %s', async (_, path, words) => {
    await write({ 'a.zip': 'Not really.' });
    const checked = checkPacks(join(folder, path));
    await expect(checked).rejects.toThrow(PackRefused);
    await expect(checked).rejects.toThrow(words);
  });
});

describe('palabre skills check', () => {
  const run = async (path: string) => {
    let out = '';
    let error = '';
    const code = await runPalabre(['skills', 'check', path], {
      env: {},
      out: (text) => (out += text),
      error: (text) => (error += text),
    });
    return { code, out, error };
  };

  it('says of each that it is in order', async () => {
    await write({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    expect(await run(folder)).toEqual({ code: 0, out: 'a: in order\nb: in order\n', error: '' });
  });

  it('fails with every fault of each, a line each', async () => {
    await write({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('C-', 'odd-key: 1\n') });
    const { code, out, error } = await run(folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^a: in order\nb:\n(?: {2}- .+\n){4}$/);
    expect(error).toBe('1 of 2 packs have faults.\n');
  });

  it.each(['nope', '.'])('says what is missing: %s', async (path) => {
    expect(await run(join(folder, path))).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(/^There is no .+\n$/),
    });
  });

  it('finds the packs that ship in order', async () => {
    const { code, error } = await run(new URL('../../../skills', import.meta.url).pathname);
    expect([code, error]).toEqual([0, '']);
  });
});
