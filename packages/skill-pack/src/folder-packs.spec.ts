import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mapWithConcurrency } from '@palabre/async';

import { folderPacks } from './folder-packs.js';
import type { KeptPacks, PackListing } from './pack-listing.js';
import { keyOfRemark } from './pack-remark.js';

const never = new AbortController().signal;
function md(name: string, description = 'What it is for.', body = `# ${name} in full`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

let outside: string;
let root: string;
let nowMs = 0;
const clock = { now: () => new Date(nowMs) };
let packs: KeptPacks;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'packs-'));
  root = join(outside, 'skills');
  await mkdir(root);
  packs = folderPacks(root, clock);
});
afterEach(() => rm(outside, { recursive: true }));

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
function link(target: string, path: string): Promise<void> {
  return symlink(target, join(root, path));
}

function later(): Promise<PackListing> {
  nowMs += 1001;
  return packs.current();
}
function keysOf({ packs }: PackListing): string[] {
  return packs.map(({ key }) => key);
}
function reasonsOf({ refused }: PackListing): Record<string, string> {
  return Object.fromEntries(refused.map(({ path, reason }) => [path, reason]));
}

describe('packs in folders', () => {
  it('are found at any depth up to six, with categories, titles and files, and read when somebody asks', async () => {
    await write('carta/SKILL.md', md('carta'));
    await write('escrituras/compraventa/SKILL.md', md('compraventa', 'Deeds.'));
    await write('escrituras/compraventa/references/borrador.md', 'Borrador');
    await write('escrituras/compraventa/.git/config', 'hidden');
    await write('a/b/c/d/e/f/SKILL.md', md('f'));
    await write('README.md', 'of the whole');
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['a/b/c/d/e/f', 'carta', 'escrituras/compraventa']);
    expect(listing.refused).toEqual([]);
    const pack = listing.packs[2]!;
    expect(pack).toMatchObject({
      name: 'compraventa in full',
      category: 'escrituras',
      description: 'Deeds.',
      assistants: null,
      warnings: [],
      files: [{ path: 'references/borrador.md', bytes: 8 }],
    });
    await expect(pack.readBody(never)).resolves.toBe('# compraventa in full');
    await expect(pack.readFile('references/borrador.md', never)).resolves.toEqual(Buffer.from('Borrador'));
  });

  it('may stand within others, and take their own files from those', async () => {
    await write('router/SKILL.md', md('router'));
    await write('router/notes/a.md', 'a');
    await write('router/paths/SKILL.md', md('paths'));
    await write('router/paths/references/b.md', 'b');
    await write('router/paths/references/example/SKILL.md', 'a template');
    await write('router/notes/deep/SKILL.md', md('deep'));
    await write('router/broken/SKILL.md', 'x');
    await write('router/broken/c.md', 'c');
    await write('router/scripts/tool/SKILL.md', 'another');
    await write('references/guide/SKILL.md', md('guide'));
    const listing = await packs.current();
    expect(
      listing.packs.map(({ key, category, files }) => [key, category, files.map(({ path }) => path)]),
    ).toEqual([
      ['references/guide', 'references', []],
      ['router', null, ['notes/a.md', 'scripts/tool/SKILL.md']],
      ['router/notes/deep', 'router/notes', []],
      ['router/paths', 'router', ['references/b.md', 'references/example/SKILL.md']],
    ]);
    expect(listing.packs.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(reasonsOf(listing)).toEqual({ 'router/broken': expect.stringMatching(/front matter/) });
  });

  it('within others keep to the same limits, and stay when the outer one cannot be used', async () => {
    await write('a/b/c/d/e/f/SKILL.md', md('f'));
    await write('a/b/c/d/e/f/g/SKILL.md', md('g'));
    await write('outer/SKILL.md', 'x');
    await write('outer/inner/SKILL.md', md('inner'));
    await mkdir(join(root, 'odd/SKILL.md'), { recursive: true });
    await write('odd/inner/SKILL.md', md('inner'));
    await write('full/inner/SKILL.md', md('inner'));
    const numbers = Array.from({ length: 1001 }, (_, number) => number);
    await write('full/SKILL.md', md('full'));
    await mapWithConcurrency(numbers, (number) => writeFile(join(root, `full/${number}`), ''));
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['a/b/c/d/e/f', 'full/inner', 'odd/inner', 'outer/inner']);
    expect(reasonsOf(listing)).toEqual({
      'a/b/c/d/e/f/g': expect.stringMatching(/more than 6 folders deep/),
      full: expect.stringMatching(/more than 1000 files/),
      odd: expect.stringMatching(/no ordinary file/),
      outer: expect.stringMatching(/front matter/),
    });
  });

  it('with two files of that name warn of the one that is not read', async () => {
    await write('a/SKILL.md', md('a'));
    await write('a/skill.md', md('b'));
    const [pack] = (await packs.current()).packs;
    expect(pack).toMatchObject({
      name: 'a in full',
      files: [],
      warnings: [{ code: 'SECOND_SKILL_FILE', values: { spare: 'skill.md', file: 'SKILL.md' } }],
    });
  });

  it.each([
    './references/a.md',
    'references/%61.md',
    'references//a.md',
    'references/./a.md',
    './/references/././a.md',
  ])('give a file by its path as links are written: %s', async (path) => {
    await write('carta/SKILL.md', md('carta'));
    await write('carta/references/a.md', 'a');
    const [pack] = (await packs.current()).packs;
    await expect(pack!.readFile(path, never)).resolves.toEqual(Buffer.from('a'));
  });

  it('give a file whichever way its accents are written', async () => {
    const [composed, apart] = ['guía.md'.normalize('NFC'), 'guía.md'.normalize('NFD')];
    await write('a/SKILL.md', md('a'));
    await write(`a/${apart}`, 'guía');
    await write('b/SKILL.md', md('b'));
    await write(`b/${composed}`, 'guía');
    await write('c/SKILL.md', md('c'));
    await write(`c/${composed}`, 'together');
    await write(`c/${apart}`, 'apart');
    const [a, b, c] = (await packs.current()).packs;
    for (const path of [composed, apart]) {
      await expect(a!.readFile(path, never)).resolves.toEqual(Buffer.from('guía'));
      await expect(b!.readFile(path, never)).resolves.toEqual(Buffer.from('guía'));
    }
    await expect(c!.readFile(composed, never)).resolves.toEqual(Buffer.from('together'));
    await expect(c!.readFile(apart, never)).resolves.toEqual(Buffer.from('apart'));
  });

  it('name what is nearest to a file that is not there', async () => {
    await write('a/SKILL.md', md('a'));
    for (let number = 10; number < 30; number += 1) await write(`a/assets/picture-${number}.svg`, '');
    await write('a/references/borrador.md', '');
    const [pack] = (await packs.current()).packs;
    const refusal = await pack!.readFile('reference/borador.md', never).catch((error: unknown) => error);
    expect(String(refusal)).toMatch(
      /no file reference\/borador\.md\. Nearest to it: references\/borrador\.md, /,
    );
    expect(String(refusal).split(', ')).toHaveLength(10);
    await expect(pack!.readFile('./paths/SKILL.md', never)).rejects.toThrow(
      /a skill of its own, to be loaded/,
    );
  });

  it.each([
    '../carta/SKILL.md',
    '/etc/passwd',
    'SKILL.md',
    'references',
    '',
    'references/../references/a.md',
  ])('give no file but their own: %s', async (path) => {
    await write('carta/SKILL.md', md('carta'));
    await write('carta/references/a.md', 'a');
    const [pack] = (await packs.current()).packs;
    await expect(pack!.readFile(path, never)).rejects.toThrow(
      expect.objectContaining({ name: 'SkillError', message: expect.stringMatching(/has no file/) }),
    );
  });

  it('that cannot be used are listed with the reason, and keep none of the others', async () => {
    await write('good/SKILL.md', md('good'));
    await write('broken/SKILL.md', '# no front matter');
    await write('latin/SKILL.md', Buffer.from(md('latin', 'fran\xe7ais'), 'latin1'));
    await write('huge/SKILL.md', md('huge'));
    await truncate(join(root, 'huge/SKILL.md'), 3_000_000_000);
    await mkdir(join(root, 'folder/SKILL.md'), { recursive: true });
    await mkdir(join(root, 'pipe'));
    execFileSync('mkfifo', [join(root, 'pipe/SKILL.md')]);
    await mkdir(join(root, 'empty'));
    await write('Odd & Co/SKILL.md', md('odd'));
    await write('1/2/3/4/5/6/7/SKILL.md', md('7'));
    await write('SKILL.md', md('top'));
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['good']);
    expect(reasonsOf(listing)).toEqual({
      '1/2/3/4/5/6/7': expect.stringMatching(/more than 6 folders deep/),
      'Odd & Co': expect.stringMatching(/letters, digits.*rename it/),
      'SKILL.md': expect.stringMatching(/put it into a folder of its own/),
      broken: expect.stringMatching(/does not begin with front matter/),
      folder: expect.stringMatching(/no ordinary file/),
      huge: expect.stringMatching(/larger than 1 MB/),
      latin: expect.stringMatching(/not UTF-8/),
      pipe: expect.stringMatching(/no ordinary file/),
    });
  });

  it('with names in other bytes than UTF-8 are told so, not that nobody may read them', async () => {
    const raw = (path: string): Buffer => Buffer.from(join(root, path), 'latin1');
    await write('a/SKILL.md', md('a'));
    for (const folder of ['gu\xeda', 'a/ma\xf1ana']) await mkdir(raw(folder));
    await writeFile(raw('gu\xeda/SKILL.md'), md('b'));
    await writeFile(raw('a/a\xf1o.md'), 'x');
    const listing = await packs.current();
    expect(reasonsOf(listing)).toEqual({ 'gu\ufffda': 'Its name is not UTF-8: rename it.' });
    expect(listing.packs[0]?.warnings.map(keyOfRemark)).toEqual([
      expect.stringMatching(/FILE_NAME_NOT_UTF8.*a\ufffdo.md/),
      expect.stringMatching(/FOLDER_NAME_NOT_UTF8.*ma\ufffdana\//),
    ]);
  });

  it('may be linked to from within the folder, and not from elsewhere', async () => {
    await write('shelf/carta/SKILL.md', md('carta'));
    await mkdir(join(root, 'mounted/..data'), { recursive: true });
    await write('mounted/..data/SKILL.md', md('mounted'));
    await link('..data/SKILL.md', 'mounted/SKILL.md');
    await mkdir(join(outside, 'secret'));
    await writeFile(join(outside, 'secret/SKILL.md'), md('secret'));
    await link('shelf/carta', 'alias');
    await link('../secret', 'outward');
    await link('nowhere', 'broken');
    await link('..', 'shelf/round');
    await mkdir(join(root, 'stolen'));
    await link('../../secret/SKILL.md', 'stolen/SKILL.md');
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['alias', 'mounted', 'shelf/carta']);
    expect(reasonsOf(listing)).toEqual({
      broken: expect.stringMatching(/link to nothing/),
      outward: expect.stringMatching(/leads out/),
      'shelf/round': expect.stringMatching(/in circles/),
      stolen: expect.stringMatching(/no ordinary file/),
    });
  });

  it('leave out files that lead elsewhere, are too many folders deep or are none, and say so', async () => {
    await write('a/SKILL.md', md('a'));
    await writeFile(join(outside, 'secret.md'), 'secret');
    await link('../../secret.md', 'a/secret.md');
    await link('missing', 'a/broken.md');
    await write('a/1/2/3/4/5/deep.md', 'deep');
    await write('a/assets/large.bin', Buffer.alloc(1_000_001));
    const [pack] = (await packs.current()).packs;
    expect(pack?.files).toEqual([{ path: 'assets/large.bin', bytes: 1_000_001 }]);
    expect(pack?.warnings.map(keyOfRemark).toSorted()).toEqual([
      expect.stringMatching(/FILE_UNREADABLE.*broken.md/),
      expect.stringMatching(/FOLDER_TOO_DEEP.*1\/2\/3\/4\/5\//),
      expect.stringMatching(/LARGE_FILE.*assets\/large.bin.*1 MB/),
      expect.stringMatching(/LINK_LEADS_OUT.*secret.md/),
    ]);
    await expect(pack!.readFile('assets/large.bin', never)).rejects.toThrow(/larger than 1 MB/);
  });

  it('do not follow a link that was put in a file’s place since', async () => {
    await write('a/SKILL.md', md('a'));
    await write('a/notes.md', 'notes');
    await writeFile(join(outside, 'secret.md'), 'secret');
    const [pack] = (await packs.current()).packs;
    await unlink(join(root, 'a/notes.md'));
    await expect(pack!.readFile('notes.md', never)).rejects.toThrow(/not there any more/);
    await link('../../secret.md', 'a/notes.md');
    await expect(pack!.readFile('notes.md', never)).rejects.toThrow(/leads out of the pack/);
    await unlink(join(root, 'a/SKILL.md'));
    await expect(pack!.readBody(never)).rejects.toThrow(
      expect.objectContaining({ name: 'SkillError', message: expect.stringMatching(/not there any more/) }),
    );
  });

  it('are not read once nobody waits for them', async () => {
    await write('a/SKILL.md', md('a'));
    const [pack] = (await packs.current()).packs;
    const reason = new Error('gone');
    await expect(pack!.readBody(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('changes on disk', () => {
  it('of packs within others are seen, and of what is no pack any more', async () => {
    await write('outer/SKILL.md', md('outer'));
    await write('outer/notes/a.md', 'a');
    await write('outer/inner/SKILL.md', md('inner', 'First.'));
    await write('outer/inner/b.md', 'b');
    const first = await packs.current();
    expect(keysOf(first)).toEqual(['outer', 'outer/inner']);
    // Long ago, as files of an hour ago are to a listing.
    for (const folder of ['', 'outer', 'outer/notes', 'outer/inner']) await utimes(join(root, folder), 0, 0);
    const settled = await later();
    expect(await later()).toBe(settled);
    await write('outer/inner/SKILL.md', md('inner', 'Second.'));
    const second = await later();
    expect(second.packs).toMatchObject([{ key: 'outer' }, { key: 'outer/inner', description: 'Second.' }]);
    expect(second.packs[0]).toBe(settled.packs[0]);
    await write('outer/notes/SKILL.md', md('notes'));
    expect(keysOf(await later())).toEqual(['outer', 'outer/inner', 'outer/notes']);
    await unlink(join(root, 'outer/inner/SKILL.md'));
    const last = await later();
    expect(keysOf(last)).toEqual(['outer', 'outer/notes']);
    expect(last.packs[0]?.files).toEqual([{ path: 'inner/b.md', bytes: 1 }]);
  });

  it('are seen a second later, each with a revision of its own', async () => {
    await write('a/SKILL.md', md('a', 'First.'));
    const first = await packs.current();
    await write('a/SKILL.md', md('a', 'Second.', '# New'));
    await write('b/SKILL.md', md('b'));
    expect(await packs.current()).toBe(first);
    const second = await later();
    expect(second.packs).toMatchObject([{ key: 'a', description: 'Second.', name: 'New' }, { key: 'b' }]);
    expect(second.revision).toBe(first.revision + 1);
    await rename(join(root, 'b'), join(root, 'c'));
    expect(keysOf(await later())).toEqual(['a', 'c']);
    await write('c/references/x.md', 'x');
    expect((await later()).packs[1]?.files).toEqual([{ path: 'references/x.md', bytes: 1 }]);
    await write('c/SKILL.md', 'broken');
    expect(reasonsOf(await later())).toEqual({ c: expect.stringMatching(/front matter/) });
    await write('c/SKILL.md', md('c'));
    expect(await later()).toMatchObject({ refused: [], revision: first.revision + 5 });
  });

  it('that are none give the same listing again, and only what has changed is read again', async () => {
    await write('a/SKILL.md', md('a'));
    await write('b/SKILL.md', md('b'));
    const first = await packs.current();
    expect(await later()).toBe(first);
    await write('b/SKILL.md', md('b', 'Another one.'));
    const second = await later();
    expect(second.packs[0]).toBe(first.packs[0]);
    expect(second.packs[1]).not.toBe(first.packs[1]);
  });

  it('are seen when neither length nor time of the file tell', async () => {
    await write('a/SKILL.md', md('a', 'One.'));
    const date = new Date('2026-01-01T00:00:00Z');
    await utimes(join(root, 'a/SKILL.md'), date, date);
    await packs.current();
    await write('draft', md('a', 'Two.'));
    await rename(join(root, 'draft'), join(root, 'a/SKILL.md'));
    await utimes(join(root, 'a/SKILL.md'), date, date);
    expect((await later()).packs).toMatchObject([{ description: 'Two.' }]);
  });

  it('of where a link leads are seen', async () => {
    await write('shelf/one/SKILL.md', md('one'));
    await write('shelf/two/SKILL.md', md('two'));
    await link('shelf/one', 'alias');
    await utimes(join(root, 'shelf/one'), 0, 0);
    await utimes(join(root, 'shelf/two'), 0, 0);
    await packs.current();
    await link('shelf/two', 'draft');
    await rename(join(root, 'draft'), join(root, 'alias'));
    expect((await later()).packs[0]).toMatchObject({ key: 'alias', name: 'two in full' });
  });

  it('of a reference in its place show in its size half a minute later', async () => {
    await write('a/SKILL.md', md('a'));
    await write('a/references/x.md', 'x');
    const [pack] = (await packs.current()).packs;
    await write('a/references/x.md', 'longer');
    await expect(pack!.readFile('references/x.md', never)).resolves.toEqual(Buffer.from('longer'));
    nowMs += 30_000;
    expect((await packs.current()).packs[0]?.files).toEqual([{ path: 'references/x.md', bytes: 6 }]);
  });

  it('are looked for once, for many who ask at a time', async () => {
    await write('a/SKILL.md', md('a'));
    const listings = await Promise.all(Array.from({ length: 20 }, () => packs.current()));
    expect(new Set(listings)).toHaveProperty('size', 1);
    expect(listings[0]?.revision).toBe(1);
  });
});

describe('a SKILL.md that cannot be read at the moment', () => {
  /** An event during the next read. */
  const meet = (happen: () => AbortSignal) => vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(happen);
  const failing = (error: Error) => () => AbortSignal.abort(error);
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [Object.assign(new Error('i/o error'), { code: 'EIO' }), /cannot be read \(EIO\): it is tried again/],
    [
      Object.assign(new Error('denied'), { code: 'EPERM' }),
      /cannot be read \(EPERM\): check its permissions/,
    ],
    [
      new DOMException('The operation timed out.', 'TimeoutError'),
      /cannot be read in time: it is tried again/,
    ],
  ])('is read at the next look: %s', async (error, reason) => {
    await write('a/SKILL.md', md('a'));
    meet(failing(error));
    expect(reasonsOf(await packs.current())).toEqual({ a: expect.stringMatching(reason) });
    const next = await later();
    expect([keysOf(next), next.refused]).toEqual([['a'], []]);
  });

  it('stays as it was, and changes at the next look', async () => {
    await write('a/SKILL.md', md('a', 'First.'));
    const first = await packs.current();
    await write('a/SKILL.md', md('a', 'Second.'));
    meet(failing(Object.assign(new Error('too many'), { code: 'EMFILE' })));
    const meanwhile = await later();
    expect(meanwhile.packs).toEqual(first.packs);
    expect(reasonsOf(meanwhile)).toEqual({
      a: expect.stringMatching(/EMFILE.*Until then it stays as it was/),
    });
    expect(await later()).toMatchObject({ packs: [{ description: 'Second.' }], refused: [] });
  });

  it('as its folder was away for a moment, is there again with it', async () => {
    await write('a/SKILL.md', md('a'));
    meet(() => {
      renameSync(join(root, 'a'), join(outside, 'a'));
      return never;
    });
    expect(reasonsOf(await packs.current())).toEqual({ a: expect.stringMatching(/not there any more/) });
    await rename(join(outside, 'a'), join(root, 'a'));
    expect(keysOf(await later())).toEqual(['a']);
  });

  it('is no SKILL.md that says nothing: that one is read again when it has changed', async () => {
    await write('a/SKILL.md', 'broken');
    await write('b/SKILL.md', '---\nname: [\n---\nbroken');
    const broken = await packs.current();
    const reading = vi.spyOn(AbortSignal, 'timeout');
    expect(await later()).toBe(broken);
    expect(reading).not.toHaveBeenCalled();
  });
});

describe('the folder itself', () => {
  it('may be empty', async () => {
    expect(await packs.current()).toEqual({ packs: [], refused: [], revision: 0 });
  });

  it('may be missing, and come later', async () => {
    await rm(root, { recursive: true });
    const missing = await packs.current();
    expect(missing).toEqual({
      packs: [],
      refused: [{ path: '', reason: expect.stringMatching(/does not exist/) }],
      revision: 1,
    });
    expect(await later()).toBe(missing);
    await write('a/SKILL.md', md('a'));
    expect(keysOf(await later())).toEqual(['a']);
  });

  it('may be a file', async () => {
    const file = join(outside, 'file');
    await writeFile(file, '');
    expect((await folderPacks(file, clock).current()).refused).toEqual([
      { path: '', reason: expect.stringMatching(/cannot be read \(ENOTDIR\)/) },
    ]);
  });

  it('may be a link', async () => {
    await write('a/SKILL.md', md('a'));
    await symlink(root, join(outside, 'link'));
    expect(keysOf(await folderPacks(join(outside, 'link'), clock).current())).toEqual(['a']);
  });

  it('may hold a thousand packs', async () => {
    const numbers = Array.from({ length: 1000 }, (_, number) => number);
    await mapWithConcurrency(numbers, (number) =>
      write(`group-${number % 10}/pack-${number}/SKILL.md`, md(`pack-${number}`)),
    );
    const listing = await packs.current();
    expect(listing.packs).toHaveLength(1000);
    expect(await later()).toBe(listing);
  });

  it('is read up to a limit', async () => {
    const numbers = Array.from({ length: 10_001 }, (_, number) => number);
    await mapWithConcurrency(numbers, (number) => writeFile(join(root, `file-${number}`), ''));
    await write('a/SKILL.md', md('a'));
    expect(reasonsOf(await packs.current())).toEqual({ '': expect.stringMatching(/more than 10000 files/) });
  });
});

// Root reads everything.
(process.getuid?.() === 0 ? describe.skip : describe)('what nobody may read', () => {
  it('is listed with the reason', async () => {
    await write('a/SKILL.md', md('a'));
    await write('b/SKILL.md', md('b'));
    await mkdir(join(root, 'c'));
    await chmod(join(root, 'b/SKILL.md'), 0);
    await chmod(join(root, 'c'), 0);
    const listing = await packs.current();
    await chmod(join(root, 'c'), 0o700);
    expect(keysOf(listing)).toEqual(['a']);
    expect(reasonsOf(listing)).toEqual({
      b: expect.stringMatching(/EACCES/),
      c: expect.stringMatching(/EACCES/),
    });
  });
});
