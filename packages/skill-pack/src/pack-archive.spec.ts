import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { ZipFile } from 'yazl';

import { readPackArchive, readPackArchiveFile } from './pack-archive.js';
import { PackRefused } from './pack-refused.js';
import { keyOfRemark } from './pack-remark.js';

const options = { fileName: 'upload.skill', signal: new AbortController().signal };
function read(archive: Buffer) {
  return readPackArchive(archive, options);
}

function md(name: string, description = 'What it is for.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name} in full\n`;
}

/** Packed by an ordinary program. */
function zip(files: Record<string, string | Buffer>, comment = ''): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end({ comment, forceZip64Format: false });
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}

interface RawEntry {
  name: string | Buffer;
  content?: string | Buffer;
  /** The real bytes instead of the deflated content. */
  packed?: Buffer;
  method?: number;
  flags?: number;
  attributes?: number;
  crc?: number;
  declaredBytes?: number;
  packedBytes?: number;
  offset?: number;
  extra?: Buffer;
}

/** Fields of two bytes (numbers) and four (in lists). */
function fields(...values: (number | [number])[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(typeof value === 'number' ? 2 : 4);
      if (typeof value === 'number') bytes.writeUInt16LE(value);
      else bytes.writeUInt32LE(value[0]);
      return bytes;
    }),
  );
}

/** Packed in an invalid way. */
function rawZip(entries: readonly RawEntry[], declaredEntries = entries.length): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const { method = 8, flags = 0x800, attributes = 0, extra = Buffer.alloc(0) } = entry;
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.packed ?? (method === 0 ? content : deflateRawSync(content));
    const { crc = crc32(content), declaredBytes = content.length, packedBytes = packed.length } = entry;
    const common = fields(
      20,
      flags,
      method,
      0,
      0,
      [crc],
      [packedBytes],
      [declaredBytes],
      name.length,
      extra.length,
    );
    const local = Buffer.concat([fields([0x04034b50]), common, name, extra, packed]);
    const { offset = position } = entry;
    const place = fields(0, 0, 0, [attributes], [offset]);
    directory.push(fields([0x02014b50], 0x0314), common, place, name, extra);
    locals.push(local);
    position += local.length;
  }
  const index = Buffer.concat(directory);
  const end = fields([0x06054b50], 0, 0, declaredEntries, declaredEntries, [index.length], [position], 0);
  return Buffer.concat([...locals, index, end]);
}

const skillMd: RawEntry = { name: 'a/SKILL.md', content: md('a') };
function withFile(entry: RawEntry): Buffer {
  return rawZip([skillMd, entry]);
}
const symlink = (0o120777 << 16) >>> 0;

describe('what an archive holds', () => {
  it('is packs in hidden folders as well, where tools keep them', async () => {
    const repository = {
      'shop-main/README.md': 'x',
      'shop-main/.git/config': 'x',
      'shop-main/.claude/settings.json': '{}',
      'shop-main/.claude/skills/offers/SKILL.md': md('offers'),
      'shop-main/.claude/skills/offers/references/prices.md': 'x',
      'shop-main/.claude/skills/offers/.env': 'SECRET=1',
      'shop-main/.github/skills/offers/SKILL.md': md('offers'),
      'shop-main/sales/invoices/SKILL.md': md('invoices'),
    };
    const { packs, refused } = await read(await zip(repository));
    expect(refused).toEqual([]);
    expect(packs.map(({ key, files }) => [key, files.map(({ path }) => path)])).toEqual([
      ['claude/skills/offers', ['references/prices.md']],
      ['github/skills/offers', []],
      ['sales/invoices', []],
    ]);
    expect(packs.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('is a pack in a hidden folder of its own, and those hidden in another one', async () => {
    const { packs } = await read(
      await zip({ '.offers/SKILL.md': md('offers'), 'a/SKILL.md': md('a'), 'a/.agents/b/SKILL.md': md('b') }),
    );
    expect(packs.map(({ key, files }) => [key, files])).toEqual([
      ['a', []],
      ['a/agents/b', []],
      ['offers', []],
    ]);
  });

  it('is a pack at the top, called as its front matter says', async () => {
    const archive = await zip({
      'SKILL.md': md('Compra Venta'),
      'references/guía.md': 'Guía',
      'references/nested/SKILL.md': 'part of it',
      '.DS_Store': 'x',
      '__MACOSX/._SKILL.md': 'x',
      'assets/Thumbs.db': 'x',
      '.env': 'SECRET=1',
    });
    const { packs, refused } = await read(archive);
    expect(refused).toEqual([]);
    expect(packs).toMatchObject([
      {
        key: 'compra-venta',
        name: 'Compra Venta in full',
        category: null,
        description: 'What it is for.',
        files: [
          { path: 'references/guía.md', bytes: 5 },
          { path: 'references/nested/SKILL.md', bytes: 10 },
        ],
      },
    ]);
    expect(packs[0]?.contents.map(String)).toEqual(['Guía', 'part of it']);
    expect(String(packs[0]?.skillMd)).toBe(md('Compra Venta'));
  });

  it('is called as the file when it has no name itself', async () => {
    const { packs } = await read(await zip({ 'SKILL.md': '---\ndescription: b\n---\n' }));
    expect(packs).toMatchObject([{ key: 'upload', name: 'upload' }]);
  });

  it('is packs in folders, with those above as categories', async () => {
    const { packs, refused } = await read(
      await zip({
        'README.md': 'not of a pack',
        'escrituras/compraventa/SKILL.md': md('compraventa'),
        'escrituras/compraventa/references/a.md': 'a',
        'escrituras/hipoteca/skill.md': md('hipoteca'),
        '契約/租賃/SKILL.md': md('租賃'),
        'カテゴリー/SKILL.md': md('カテゴリー'),
        'broken/SKILL.md': 'no front matter',
        'odd!/SKILL.md': md('odd'),
        '1/2/3/4/5/6/7/SKILL.md': md('7'),
      }),
    );
    expect(packs.map(({ key, category, warnings }) => [key, category, warnings])).toEqual([
      ['escrituras/compraventa', 'escrituras', []],
      ['escrituras/hipoteca', 'escrituras', []],
      ['カテゴリー', null, []],
      ['契約/租賃', '契約', []],
    ]);
    expect(refused).toEqual([
      { path: '1/2/3/4/5/6/7', reason: expect.stringMatching(/more than 6 folders deep/) },
      { path: 'broken', reason: expect.stringMatching(/does not begin with front matter/) },
      { path: 'odd!', reason: expect.stringMatching(/letters, digits.*rename it/) },
    ]);
  });

  it('is packs within packs, each with its own files', async () => {
    const { packs, refused } = await read(
      await zip({
        'router/SKILL.md': md('router'),
        'router/notes.md': 'of the outer',
        'router/paths/SKILL.md': md('paths'),
        'router/paths/references/a.md': 'of the inner',
        'router/paths/Assets/template/SKILL.md': 'a template',
        'router/broken/SKILL.md': 'no front matter',
        'router/broken/x.md': 'of none',
        'references/SKILL.md': md('references'),
      }),
    );
    expect(packs.map(({ key, category, contents }) => [key, category, contents.map(String)])).toEqual([
      ['references', null, []],
      ['router', null, ['of the outer']],
      ['router/paths', 'router', ['a template', 'of the inner']],
    ]);
    expect(refused).toEqual([{ path: 'router/broken', reason: expect.stringMatching(/front matter/) }]);
  });

  it('is packs within the one at the top, as if its folder had been packed', async () => {
    const { packs } = await read(
      await zip({
        'SKILL.md': md('Router Core'),
        'notes.md': 'of the outer',
        'paths/SKILL.md': md('paths'),
        'paths/x.md': 'of the inner',
        'scripts/tool/SKILL.md': 'a file',
      }),
    );
    expect(packs.map(({ key, category, files }) => [key, category, files.map(({ path }) => path)])).toEqual([
      ['router-core', null, ['notes.md', 'scripts/tool/SKILL.md']],
      ['router-core/paths', 'router-core', ['x.md']],
    ]);
    const broken = await read(await zip({ 'SKILL.md': 'x', 'paths/SKILL.md': md('paths') }));
    expect(broken.packs).toMatchObject([{ key: 'upload/paths' }]);
  });

  it('refuses one at the top by its name, which is no folder’s', async () => {
    const refused = read(await zip({ 'SKILL.md': md('My Great Skill!') }));
    await expect(refused).rejects.toThrow(
      /^The pack at the top of the archive is called My Great Skill!, and its name may have letters/,
    );
  });

  describe('of a repository', () => {
    const files = {
      'README.md': 'x',
      'skills/w1/SKILL.md': md('w1'),
      'skills/w1/references/a.md': 'a',
      'w2/SKILL.md': md('w2'),
    };
    const within = (folder: string, comment?: string, more: Record<string, string> = {}): Promise<Buffer> => {
      const named = Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]);
      return zip({ ...Object.fromEntries(named), ...more }, comment);
    };
    const keysIn = async (archive: Buffer): Promise<string[]> =>
      (await read(archive)).packs.map(({ key }) => key);
    const commit = '0123456789abcdef0123456789abcdef01234567';

    it.each<[string, string | undefined]>([
      ['repo-main', undefined],
      ['repo-master', undefined],
      ['repo-2.0.1', undefined],
      [`repo-${commit}`, undefined],
      ['repo-a-branch', commit],
    ])('is read below the folder around everything: %s, %s', async (folder, comment) => {
      const { packs } = await read(await within(folder, comment, { '__MACOSX/x': 'x' }));
      expect(packs).toMatchObject([
        { key: 'skills/w1', category: 'skills', files: [{ path: 'references/a.md' }] },
        { key: 'w2', category: null },
      ]);
      expect(packs[0]?.contents.map(String)).toEqual(['a']);
    });

    it('is one by that folder alone: any other is a category', async () => {
      expect(await keysIn(await within('escrituras'))).toEqual(['escrituras/skills/w1', 'escrituras/w2']);
      expect(await keysIn(await within('escrituras', 'packed by hand'))).toHaveLength(2);
      expect(await keysIn(await within('repo-main', undefined, { 'other/SKILL.md': md('other') }))).toEqual([
        'other',
        'repo-main/skills/w1',
        'repo-main/w2',
      ]);
      expect(
        await keysIn(await within('repo-main', commit, { 'repo-main/SKILL.md': md('repo-main') })),
      ).toEqual(['repo-main', 'repo-main/skills/w1', 'repo-main/w2']);
    });
  });

  it('refuses the second of two packs with one key', async () => {
    const { packs, refused } = await read(
      await zip({ 'Compra Venta/SKILL.md': md('a'), 'compra-venta/SKILL.md': md('b') }),
    );
    expect(packs.map(({ key }) => key)).toEqual(['compra-venta']);
    expect(refused).toEqual([{ path: 'compra-venta', reason: expect.stringMatching(/same key/) }]);
  });

  it('says what is wrong with each when none can be used', async () => {
    const archive = await zip({ 'a/SKILL.md': '', 'b/SKILL.md': md('b', '[]') });
    await expect(read(archive)).rejects.toThrow(/None.*a: The SKILL.md.*b: The description/);
  });

  it('is read from a file as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packs-'));
    const path = join(folder, 'upload');
    await writeFile(path, await zip({ 'a/SKILL.md': md('a') }));
    await expect(readPackArchiveFile(path, options)).resolves.toMatchObject({ packs: [{ key: 'a' }] });
    await writeFile(path, Buffer.alloc(10_000_001));
    await expect(readPackArchiveFile(path, options)).rejects.toThrow(/larger than 10 MB/);
    await rm(folder, { recursive: true });
  });

  it('is read no further once nobody waits for it', async () => {
    const archive = await zip({ 'a/SKILL.md': md('a') });
    const reason = new Error('gone');
    await expect(
      readPackArchive(archive, { fileName: 'a.zip', signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });

  it('may have names in UTF-8 that are not marked as such, and in the old encoding', async () => {
    const { packs } = await read(
      rawZip([
        { ...skillMd, name: 'guía/SKILL.md', flags: 0 },
        { name: Buffer.from('gu\xa1a/x', 'latin1'), flags: 0, content: 'x' },
      ]),
    );
    expect(packs).toMatchObject([{ key: 'guía', files: [{ path: 'x', bytes: 1 }] }]);
  });
});

describe('an archive with names in the encoding of a system', () => {
  const big5 = (hex: string, rest: string): Buffer =>
    Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(rest)]);

  it('says so of files that may be called otherwise', async () => {
    const name = Buffer.concat([Buffer.from('a/references/'), big5('bd64a5bb', '.md')]);
    const { packs } = await read(rawZip([skillMd, { name, flags: 0, content: 'x' }, { name: 'a/b.md' }]));
    expect(packs[0]?.warnings.map(keyOfRemark)).toEqual([
      expect.stringMatching(/FILE_NAME_DAMAGED.*references\/.*\.md/),
    ]);
  });

  it('is refused where a folder has a name that is none then', async () => {
    const name = big5('b77cc4b3', '/SKILL.md');
    await expect(read(rawZip([{ ...skillMd, name, flags: 0 }]))).rejects.toThrow(
      /not in UTF-8.*pack it again/,
    );
  });

  it('is none where the names are told in Unicode beside it', async () => {
    const name = Buffer.concat([Buffer.from('a/'), big5('bd64a5bb', '.md')]);
    const told = Buffer.concat([Buffer.from([1]), fields([crc32(name)]), Buffer.from('a/範本.md')]);
    const extra = Buffer.concat([fields(0x7075, told.length), told]);
    const { packs } = await read(rawZip([skillMd, { name, flags: 0, extra }]));
    expect(packs).toMatchObject([{ warnings: [], files: [{ path: '範本.md' }] }]);
  });
});

describe('a hostile archive', () => {
  it.each<[string, Buffer, RegExp]>([
    ['no bytes', Buffer.alloc(0), /not a zip archive/],
    ['something else', Buffer.from('%PDF-1.7 …'), /not a zip archive/],
    ['too many bytes', Buffer.alloc(10_000_001), /larger than 10 MB/],
    ['an empty one', rawZip([]), /no SKILL.md/],
    ['no pack', rawZip([{ name: 'a/README.md' }]), /no SKILL.md/],
    [
      'too many files',
      rawZip(Array.from({ length: 1001 }, (_, n) => ({ name: `a/${n}` }))),
      /more than 1000 files/,
    ],
    ['a directory that has fewer than it says', rawZip([skillMd], 5), /damaged/],
    ['a way out', withFile({ name: 'a/../../x' }), /lies outside/],
    ['a way to itself', withFile({ name: 'a/./x' }), /lies outside/],
    ['an absolute path', withFile({ name: '/etc/passwd' }), /absolute path/],
    ['a drive', withFile({ name: 'C:x' }), /absolute path/],
    ['backslashes', withFile({ name: 'a\\..\\x' }), /backslash/],
    ['a zero byte', withFile({ name: 'a/x\0.md' }), /unreadable characters/],
    ['a line break', withFile({ name: 'a/x\n.md' }), /unreadable characters/],
    ['bytes said to be UTF-8', withFile({ name: Buffer.from([0x61, 0x2f, 0xff]) }), /unreadable characters/],
    ['an empty name', withFile({ name: 'a//x' }), /empty name/],
    ['a name without end', withFile({ name: `a/${'x'.repeat(500)}` }), /name too long/],
    ['folders without end', withFile({ name: 'a/'.repeat(30) }), /name too long/],
    [
      'a second name in an extra field',
      withFile({
        name: 'a/x',
        flags: 0,
        extra: Buffer.concat([
          fields(0x7075, 5 + 7),
          Buffer.from([1]),
          fields([crc32('a/x')]),
          Buffer.from('../../y'),
        ]),
      }),
      /lies outside/,
    ],
    ['a broken extra field', withFile({ name: 'a/x', extra: fields(0x7075, 900) }), /damaged/],
    ['a link', withFile({ name: 'a/x', content: '/etc/passwd', attributes: symlink }), /link or a device/],
    ['a device', withFile({ name: 'a/x', attributes: (0o020666 << 16) >>> 0 }), /link or a device/],
    ['a SKILL.md that is a link', rawZip([{ ...skillMd, attributes: symlink }]), /link or a device/],
    ['a password', withFile({ name: 'a/x', content: 'x', flags: 1 }), /encrypted/],
    ['a strong password', withFile({ name: 'a/x', content: 'x', flags: 0x41 }), /damaged/],
    [
      'a method that few know',
      withFile({ name: 'a/x', content: 'x', method: 14, packed: Buffer.from('x') }),
      /few programs/,
    ],
    ['the same name twice', withFile({ name: 'a/SKILL.md', content: md('b') }), /there twice/],
    [
      'names that differ in capitals',
      rawZip([skillMd, { name: 'a/x' }, { name: 'a/X' }]),
      /capitals or accents/,
    ],
    [
      'names that differ in how an accent is written',
      rawZip([skillMd, { name: `a/${'é'.normalize('NFC')}` }, { name: `a/${'é'.normalize('NFD')}` }]),
      /capitals or accents/,
    ],
    ['a wrong sum', withFile({ name: 'a/x', content: 'x', crc: 1 }), /damaged/],
    [
      'nothing where something is said to be',
      withFile({ name: 'a/x', content: 'x', packed: Buffer.alloc(0) }),
      /damaged/,
    ],
    ['what is not deflated', withFile({ name: 'a/x', packed: Buffer.from([0xff, 0xff, 0xff]) }), /damaged/],
    ['a place behind its end', withFile({ name: 'a/x', offset: 900_000 }), /damaged/],
    ['more bytes than there are', withFile({ name: 'a/x', packedBytes: 900_000 }), /damaged/],
    [
      'a file that was made to fill memory and says that it is small',
      withFile({ name: 'a/x', packed: bomb(10_000_001), declaredBytes: 1 }),
      /unpacks to more than 150 times/,
    ],
    [
      'a file too large',
      withFile({ name: 'a/x', content: Buffer.alloc(10_000_001, noise(20_000)) }),
      /x is larger than 10 MB/,
    ],
    [
      'a SKILL.md too large',
      rawZip([{ name: 'a/SKILL.md', method: 0, content: md('a').padEnd(1_000_001, 'x') }]),
      /SKILL.md is larger than 1 MB/,
    ],
  ])('is refused for %s', async (_, archive, reason) => {
    await expect(read(archive)).rejects.toThrow(
      expect.objectContaining({ name: 'PackRefused', message: expect.stringMatching(reason) }),
    );
  });

  it('is not unpacked beyond what one may have in all, also when its files share their bytes', async () => {
    const content = noise(900_000);
    const packed = deflateRawSync(content);
    const first: RawEntry = { name: 'a/0', content, packed };
    const archive = rawZip([first, skillMd]);
    const shared = Array.from({ length: 40 }, (_, index) => ({
      ...first,
      name: `a/${index}`,
      packed: index === 0 ? packed : Buffer.alloc(0),
      packedBytes: packed.length,
      offset: 0,
    }));
    await expect(read(archive)).resolves.toMatchObject({ packs: [{ key: 'a' }] });
    await expect(read(rawZip([...shared, skillMd]))).rejects.toThrow(/unpacks to more than 30 MB/);
  });

  it('is refused in part where one pack alone is hostile', async () => {
    const archive = rawZip([
      skillMd,
      { name: 'b/SKILL.md', content: md('b') },
      { name: 'b/link', content: '../a/SKILL.md', attributes: symlink },
      { name: 'c/SKILL.md', content: md('c'), flags: 1 },
    ]);
    await expect(read(archive)).resolves.toMatchObject({
      packs: [{ key: 'a' }],
      refused: [
        { path: 'b', reason: expect.stringMatching(/link or a device/) },
        { path: 'c', reason: expect.stringMatching(/encrypted/) },
      ],
    });
  });
});

describe('whatever the bytes', () => {
  const checkOutcome = async (archive: Buffer): Promise<void> => {
    try {
      expect((await read(archive)).packs.length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(PackRefused);
    }
  };

  it('gives packs or a reason for noise', async () => {
    const signature = fc.constantFrom(
      [0x50, 0x4b, 5, 6],
      [0x50, 0x4b, 6, 7],
      [0x50, 0x4b, 6, 6],
      [0x50, 0x4b, 1, 2],
    );
    const piece = fc.oneof(signature, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), (pieces) =>
        checkOutcome(Buffer.from(pieces.flat())),
      ),
      { numRuns: 500 },
    );
  });

  it('gives packs or a reason for an archive with changed bytes', async () => {
    const whole = await zip({
      'a/SKILL.md': md('a'),
      'a/references/b.md': 'b'.repeat(100),
      'c/SKILL.md': md('c'),
    });
    const change = fc.record({
      at: fc.integer({ min: 0, max: whole.length - 1 }),
      to: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(20), (changes, cut) => {
        const archive = Buffer.from(whole);
        for (const { at, to } of changes) archive[at] = to;
        return checkOutcome(archive.subarray(cut % 3 === 0 ? cut : 0));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Zeros, very small when packed. */
function bomb(bytes: number): Buffer {
  return deflateRawSync(Buffer.alloc(bytes));
}

/** Incompressible bytes, the same in each run. */
function noise(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  let state = 1;
  for (let index = 0; index < bytes; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    content[index] = state >>> 24;
  }
  return content;
}
