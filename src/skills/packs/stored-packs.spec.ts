import type { Readable } from 'node:stream';
import type { KeptPacks, PackListing } from '@palabre/skill-pack';

import { ManualClock } from '../../common/manual-clock.double.js';
import { MemoryFileStorage } from '../../platform/storage/memory-file-storage.double.js';
import { storedPacks } from './stored-packs.js';

const never = new AbortController().signal;
function md(name: string, description = 'What it is for.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name} in full\n`;
}

/** Counts requests, and can be unavailable. */
class WatchedStorage extends MemoryFileStorage {
  readonly asked: string[] = [];
  isAway = false;

  override async read(key: string, signal?: AbortSignal): Promise<Readable> {
    this.asked.push(key);
    return super.read(key, signal);
  }

  override async list(folder: string, limit: number) {
    this.asked.push(folder);
    if (this.isAway) throw new Error('away');
    return super.list(folder, limit);
  }

  put(key: string, content: string | Buffer) {
    return this.write(key, Buffer.from(content), { mediaType: 'text/markdown', maxBytes: 100_000_000 });
  }
}

let storage: WatchedStorage;
beforeEach(() => void (storage = new WatchedStorage()));

describe('packs in the storage', () => {
  let clock: ManualClock;
  let warnings: object[];
  let packs: KeptPacks;
  beforeEach(() => {
    clock = new ManualClock();
    warnings = [];
    packs = storedPacks(storage, clock, { warn: (facts: object) => warnings.push(facts) });
  });

  const later = (): Promise<PackListing> => {
    clock.advance(30_000);
    return packs.current();
  };
  const keysOf = ({ packs }: PackListing): string[] => packs.map(({ key }) => key);

  it('are those below its folder, and read when somebody asks', async () => {
    await storage.put('skills/carta/SKILL.md', md('carta'));
    await storage.put('skills/escrituras/compraventa/SKILL.md', md('compraventa'));
    await storage.put('skills/escrituras/compraventa/references/a.md', 'A');
    await storage.put('skills/README.md', 'of the whole');
    await storage.put('elsewhere/x/SKILL.md', md('x'));
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['carta', 'escrituras/compraventa']);
    expect(listing.refused).toEqual([]);
    const pack = listing.packs[1]!;
    expect(pack).toMatchObject({ category: 'escrituras', files: [{ path: 'references/a.md', bytes: 1 }] });
    await expect(pack.readBody(never)).resolves.toBe('# compraventa in full');
    await expect(pack.readFile('references/a.md', never)).resolves.toEqual(Buffer.from('A'));
    await expect(pack.readFile('../carta/SKILL.md', never)).rejects.toThrow(/has no file/);
    await storage.remove('skills/escrituras/compraventa/references/a.md');
    await expect(pack.readFile('references/a.md', never)).rejects.toThrow(
      expect.objectContaining({ name: 'SkillError', message: expect.stringMatching(/not there any more/) }),
    );
  });

  it('may stand within others; of two SKILL.md in a folder one is told of', async () => {
    await storage.put('skills/outer/SKILL.md', md('outer'));
    await storage.put('skills/outer/references/x/SKILL.md', 'a file');
    await storage.put('skills/outer/inner/SKILL.md', md('inner'));
    await storage.put('skills/outer/inner/a.md', 'A');
    const [outer, inner] = (await packs.current()).packs;
    expect(outer).toMatchObject({ key: 'outer', files: [{ path: 'references/x/SKILL.md' }], warnings: [] });
    expect(inner).toMatchObject({ key: 'outer/inner', category: 'outer', files: [{ path: 'a.md' }] });
    await expect(inner!.readFile('./a.md', never)).resolves.toEqual(Buffer.from('A'));
    await storage.put('skills/outer/skill.md', md('another'));
    expect((await later()).packs[0]).toMatchObject({
      name: 'outer in full',
      files: [{ path: 'references/x/SKILL.md' }],
      warnings: [{ code: 'SECOND_SKILL_FILE', values: { file: 'SKILL.md', spare: 'skill.md' } }],
    });
  });

  it('that cannot be used are listed with the reason', async () => {
    await storage.put('skills/good/SKILL.md', md('good'));
    await storage.put('skills/broken/SKILL.md', 'x');
    await storage.put('skills/huge/SKILL.md', Buffer.alloc(1_000_001, 'x'));
    await storage.put('skills/SKILL.md', md('top'));
    await storage.put('skills/1/2/3/4/5/6/7/SKILL.md', md('deep'));
    const listing = await packs.current();
    expect(keysOf(listing)).toEqual(['good']);
    expect(listing.refused).toEqual([
      { path: '1/2/3/4/5/6/7', reason: expect.stringMatching(/6 folders deep/) },
      { path: 'SKILL.md', reason: expect.stringMatching(/folder of its own/) },
      { path: 'broken', reason: expect.stringMatching(/front matter/) },
      { path: 'huge', reason: expect.stringMatching(/larger than 1 MB/) },
    ]);
  });

  it('may have names in a bucket that the storage cannot read', async () => {
    const odd = ['skills/guía/SKILL.md', 'skills/a/SKILL.md', 'skills/a/two words.md'];
    await storage.put('skills/a/SKILL.md', md('a'));
    storage.list = async () => odd.map((key) => ({ key, bytes: 1, etag: key }));
    const { packs: found, refused } = await packs.current();
    expect(found).toMatchObject([
      { key: 'a', files: [], warnings: [{ code: 'FILE_NAME_NOT_PLAIN', values: { path: 'two words.md' } }] },
    ]);
    expect(refused).toEqual([{ path: 'guía', reason: expect.stringMatching(/letters A to Z/) }]);
  });

  it('are looked up again after half a minute, and read again when they have changed', async () => {
    await storage.put('skills/a/SKILL.md', md('a'));
    await storage.put('skills/b/SKILL.md', md('b'));
    const first = await packs.current();
    clock.advance(29_999);
    await storage.put('skills/b/SKILL.md', md('b', 'Another.'));
    expect(await packs.current()).toBe(first);
    storage.asked.length = 0;
    clock.advance(1);
    const second = await packs.current();
    expect(storage.asked).toEqual(['skills/', 'skills/b/SKILL.md']);
    expect(second.packs).toMatchObject([{ key: 'a' }, { key: 'b', description: 'Another.' }]);
    expect(second.revision).toBe(first.revision + 1);
    expect(await later()).toBe(second);
  });

  it('are the last known while the storage is away, which is said once', async () => {
    await storage.put('skills/a/SKILL.md', md('a'));
    const { revision } = await packs.current();
    storage.isAway = true;
    const away = await later();
    expect(keysOf(away)).toEqual(['a']);
    expect(away).toMatchObject({
      revision: revision + 1,
      refused: [{ reason: expect.stringMatching(/at the moment/) }],
    });
    expect(await later()).toBe(away);
    expect(warnings).toEqual([{ err: new Error('away') }]);
    storage.isAway = false;
    expect(await later()).toMatchObject({ packs: [{ key: 'a' }], refused: [], revision: revision + 2 });
  });

  it('are read up to a limit', async () => {
    for (let number = 0; number < 10_001; number += 1) await storage.put(`skills/file-${number}`, '');
    expect((await packs.current()).refused).toEqual([
      { path: '', reason: expect.stringMatching(/more than 10000 files/) },
    ]);
  });
});
