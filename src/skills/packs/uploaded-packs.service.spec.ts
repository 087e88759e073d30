import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { packRemark, type UnpackedPack } from '@palabre/skill-pack';

import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Logger } from '../../common/process/logger.js';
import { Plugins } from '../../common/plugins.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import type { AuditService } from '../../companies/audit/audit.service.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { CompaniesService } from '../../companies/companies.service.js';
import { UploadReceivers } from '../../companies/files/uploads.service.js';
import type { UploadTicket, UploadTickets } from '../../companies/files/upload-tickets.service.js';
import { MemoryJobQueue } from '../../platform/jobs/memory-job-queue.double.js';
import type { WriteOptions } from '../../platform/storage/file-storage.js';
import { MemoryFileStorage } from '../../platform/storage/memory-file-storage.double.js';
import type { OwnSkill, SkillDefinitions } from '../skill-definitions.service.js';
import type { SkillDefinition, SkillRepository } from '../skill.repository.js';
import { SkillMakers } from '../skill-sources.service.js';
import { PackMaker, packFrom, PackSettings, storedFilesOf, toBeStored } from './pack-maker.js';
import { UploadedPacks } from './uploaded-packs.service.js';

const never = new AbortController().signal;
const company = '0191d3c4-0000-7000-8000-000000000001';
const ticket = { companyId: company, memberId: 'ana', name: 'packs.zip' } as UploadTicket;

function md(name: string): string {
  return `---\nname: ${name}\ndescription: What it is for.\n---\n# ${name}\n`;
}

function zip(...keys: string[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const key of keys) {
    archive.addBuffer(Buffer.from(md(key)), `${key}/SKILL.md`);
    archive.addBuffer(Buffer.from(key), `${key}/references/a.md`);
  }
  archive.end();
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}

class WatchedStorage extends MemoryFileStorage {
  failsAfter = Infinity;
  underWay = 0;
  mostUnderWay = 0;
  written: () => void = () => {};

  override async write(key: string, content: Readable | Uint8Array, options: WriteOptions) {
    this.failsAfter -= 1;
    if (this.failsAfter < 0) throw new Error('full');
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const measured = await super.write(key, content, options);
    this.underWay -= 1;
    this.written();
    return measured;
  }

  override async removeAll(folder: string): Promise<void> {
    if (!this.removes) throw new Error('not now');
    return super.removeAll(folder);
  }

  removes = true;
}

/** The rows of one company, with transactions that undo what fails. */
class Rows {
  byKey = new Map<string, OwnSkill>();
  audited: string[] = [];
  transactions = 0;
  /** The error of a transaction that was committed nevertheless. */
  endsWith: Error | null = null;
  isAway = false;
  onPut: (key: string) => void = () => {};

  readonly database = {
    transaction: async (_: string, work: (tx: Transaction) => Promise<unknown>) => {
      this.transactions += 1;
      const [byKey, audited] = [new Map(this.byKey), [...this.audited]];
      try {
        const result = await work({} as Transaction);
        if (this.endsWith) throw this.endsWith;
        return result;
      } catch (error) {
        if (error !== this.endsWith) [this.byKey, this.audited] = [byKey, audited];
        throw error;
      }
    },
    read: (_: string, work: (tx: Transaction) => Promise<unknown>) =>
      this.isAway ? Promise.reject(away) : work({} as Transaction),
  } as unknown as Database;

  readonly definitions = {
    put: async (_: Transaction, own: OwnSkill) => {
      this.onPut(own.key);
      if (own.key === 'taken')
        throw new DomainError('CONFLICT', 'There is another skill with the key taken.');
      const earlier = this.byKey.get(own.key) ?? null;
      this.byKey.set(own.key, own);
      return earlier;
    },
    find: async (_: Transaction, key: string) => {
      const definition = this.byKey.get(key);
      return definition ? { row: {}, definition } : null;
    },
    remove: async (_: Transaction, key: string) => {
      const definition = this.byKey.get(key);
      this.byKey.delete(key);
      return { ...definition, skillId: key } as unknown as SkillDefinition;
    },
  } as unknown as SkillDefinitions;

  readonly audit = {
    record: async (_: Transaction, memberId: string, action: string, key: string) =>
      void this.audited.push(`${memberId} ${action} ${key}`),
  } as unknown as AuditService;
}

const away = new DomainError('UNAVAILABLE', 'The database cannot be reached just now.');

let storage: WatchedStorage;
let rows: Rows;
let errors: object[];
let jobs: MemoryJobQueue;
let files: PackMaker;
let packs: UploadedPacks;
let receivers: UploadReceivers;
let language: () => Promise<string>;

beforeEach(async () => {
  storage = new WatchedStorage();
  rows = new Rows();
  errors = [];
  const logger = { error: (facts: object) => errors.push(facts) } as unknown as Logger;
  const assistants = new ShippedAssistants(new Plugins([]));
  jobs = new MemoryJobQueue();
  files = new PackMaker(new SkillMakers({} as SkillRepository), storage, assistants, jobs, logger);
  await files.onApplicationBootstrap();
  receivers = new UploadReceivers();
  const { database, definitions, audit } = rows;
  language = async () => 'fr';
  const companies = { getOf: async () => ({ language: await language() }) } as unknown as CompaniesService;
  packs = new UploadedPacks(
    database,
    files,
    {} as UploadTickets,
    receivers,
    definitions,
    audit,
    assistants,
    companies,
  );
});

async function upload(archive: Buffer, signal = never) {
  try {
    return await receivers.get('SKILL_PACK')(ticket, Readable.from([archive]), signal);
  } finally {
    await removeFiles();
  }
}

/** What the jobs do soon after. */
async function removeFiles(): Promise<void> {
  for (const { name, data } of jobs.waiting.splice(0)) await jobs.carryOut(name, data);
}

/** The folders with files. */
function folders(): Set<string> {
  return new Set(storage.keys.map((key) => key.replace(/(?:SKILL\.md|files\/\d+)$/, '')));
}
function foldersInForce(): Set<string> {
  return new Set([...rows.byKey.values()].map(({ settings }) => PackSettings.parse(settings).folder));
}

describe('an archive of packs', () => {
  it('is taken in by one transaction, in the order of keys, its files before, a few at a time', async () => {
    const order: string[] = [];
    rows.onPut = (key) => void order.push(`${key} ${storage.keys.length}`);
    const answer = await upload(await zip('c', 'a', 'b', ...'defghijkl'));
    expect(answer).toMatchObject({
      skills: [...'abcdefghijkl'].map((key) => ({ key, name: key })),
      refused: [],
    });
    expect(order).toEqual([...'abcdefghijkl'].map((key) => `${key} 24`));
    expect(rows.transactions).toBe(1);
    expect(rows.audited).toEqual([...'abcdefghijkl'].map((key) => `ana skill.uploaded ${key}`));
    expect(folders()).toEqual(foldersInForce());
    expect(storage.mostUnderWay).toBeGreaterThan(1);
    expect(storage.mostUnderWay).toBeLessThanOrEqual(8);
  });

  it('takes the place of earlier versions, whose files go', async () => {
    await upload(await zip('a', 'b'));
    const earlier = folders();
    await upload(await zip('a', 'b', 'c'));
    expect(folders()).toEqual(foldersInForce());
    expect(folders().size).toBe(3);
    expect([...folders()].filter((folder) => earlier.has(folder))).toEqual([]);
  });

  it('goes without a pack whose key is another skill’s, and keeps no file of it', async () => {
    const { skills, refused } = await upload(await zip('a', 'taken', 'z'));
    expect(skills).toMatchObject([{ key: 'a' }, { key: 'z' }]);
    expect(refused).toEqual([{ path: 'taken', reason: expect.stringMatching(/another skill/) }]);
    expect(rows.audited).toEqual(['ana skill.uploaded a', 'ana skill.uploaded z']);
    expect(folders()).toEqual(foldersInForce());
    await expect(upload(await zip('taken'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(folders()).toEqual(foldersInForce());
  });

  it('leaves nothing when a file of it cannot be stored', async () => {
    await upload(await zip('a'));
    const before = [...storage.keys];
    storage.failsAfter = 3;
    await expect(upload(await zip('a', 'b', 'c'))).rejects.toThrow('full');
    expect(storage.keys).toEqual(before);
    expect(rows.transactions).toBe(1);
    expect([...rows.byKey.keys()]).toEqual(['a']);
  });

  it('leaves nothing when the client leaves while its files are stored', async () => {
    const leaving = new AbortController();
    const reason = new Error('gone');
    storage.written = () => leaving.abort(reason);
    await expect(upload(await zip('a', 'b', 'c'), leaving.signal)).rejects.toBe(reason);
    expect([storage.keys, rows.transactions]).toEqual([[], 0]);
  });

  it('leaves nothing when the client leaves while its rows are written', async () => {
    await upload(await zip('a'));
    const before = { keys: [...storage.keys], folders: foldersInForce(), audited: [...rows.audited] };
    const leaving = new AbortController();
    const reason = new Error('gone');
    rows.onPut = (key) => key === 'b' && leaving.abort(reason);
    await expect(upload(await zip('a', 'b', 'c'), leaving.signal)).rejects.toBe(reason);
    expect({ keys: storage.keys, folders: foldersInForce(), audited: rows.audited }).toEqual(before);
  });

  it('leaves nothing when nobody can tell in which language it is to be answered', async () => {
    language = () => Promise.reject(away);
    await expect(upload(await zip('a'))).rejects.toBe(away);
    expect([storage.keys, rows.transactions]).toEqual([[], 0]);
  });

  it('leaves nothing when its rows cannot be written', async () => {
    rows.onPut = (key) => {
      if (key === 'b') throw new Error('deadlock');
    };
    await expect(upload(await zip('a', 'b', 'c'))).rejects.toThrow('deadlock');
    expect([storage.keys, rows.byKey.size]).toEqual([[], 0]);
  });

  it('keeps its files where the database took the rows in but could not say so', async () => {
    rows.endsWith = away;
    await expect(upload(await zip('a', 'taken'))).rejects.toBe(away);
    expect(foldersInForce().size).toBe(1);
    expect([...foldersInForce()].every((folder) => folders().has(folder))).toBe(true);
  });

  it('keeps its files while nobody can tell whether the rows are there, and not once somebody can', async () => {
    rows.onPut = () => {
      throw away;
    };
    rows.isAway = true;
    await expect(upload(await zip('a'))).rejects.toBe(away);
    expect(folders().size).toBe(1);
    rows.isAway = false;
    await expect(upload(await zip('b'))).rejects.toBe(away);
    expect(folders().size).toBe(1);
  });

  it('says why it cannot be stored, although files of it stay behind', async () => {
    storage.failsAfter = 1;
    storage.removes = false;
    await expect(upload(await zip('a'))).rejects.toThrow('full');
    expect(errors).toEqual([{ err: new Error('not now'), folder: [...folders()][0] }]);
  });

  it('loses the files of a pack that is removed', async () => {
    await upload(await zip('a', 'b'));
    await packs.remove({ companyId: company, id: 'ana' } as Viewer, 'a');
    await removeFiles();
    expect(folders()).toEqual(foldersInForce());
    expect([...rows.byKey.keys()]).toEqual(['b']);
  });
});

describe('one of them', () => {
  const unpacked: UnpackedPack = {
    key: 'cartas/aviso',
    name: 'aviso in full',
    category: 'cartas',
    description: 'What it is for.',
    assistants: ['solven'],
    warnings: [packRemark('UNKNOWN_KEYS', { keys: 'odd' })],
    files: [
      { path: 'references/guía de notas.md', bytes: 5 },
      { path: 'z.md', bytes: 1 },
    ],
    skillMd: Buffer.from(md('aviso')),
    contents: [Buffer.from('Guía'), Buffer.from('z')],
  };
  const folder = 'companies/0b5e/skills/77aa/1/';

  it('is stored, and read as its definition says', async () => {
    const stored = toBeStored(folder, unpacked);
    const { settings } = stored;
    for (const { key, content } of storedFilesOf(stored))
      await storage.write(key, content, { mediaType: 'text/plain', maxBytes: 1000 });
    expect(storage.keys).toEqual([`${folder}SKILL.md`, `${folder}files/0`, `${folder}files/1`]);
    const pack = packFrom(storage, {
      key: 'cartas/aviso',
      name: 'Aviso',
      category: 'cartas',
      description: 'As the admin has it.',
      settings: JSON.parse(JSON.stringify(settings)) as unknown,
    });
    expect(pack).toMatchObject({
      key: 'cartas/aviso',
      name: 'Aviso',
      description: 'As the admin has it.',
      assistants: ['solven'],
      warnings: [packRemark('UNKNOWN_KEYS', { keys: 'odd' })],
      files: unpacked.files,
    });
    await expect(pack.readBody(never)).resolves.toBe('# aviso');
    await expect(pack.readFile('references/guía de notas.md', never)).resolves.toEqual(Buffer.from('Guía'));
    await expect(pack.readFile('z.md', never)).resolves.toEqual(Buffer.from('z'));
    await expect(pack.readFile('files/0', never)).rejects.toThrow(/has no file/);
    await storage.removeAll(folder);
    await expect(pack.readBody(never)).rejects.toThrow(/not there any more/);
  });

  it('has the warnings that an earlier version kept as sentences', () => {
    const settings = { folder, files: [], warnings: ['Something odd.'], assistants: null, source: 'UPLOAD' };
    const row = { key: 'a', name: 'a', category: null, description: 'a', settings };
    expect(packFrom(storage, row).warnings).toEqual([packRemark('SENTENCE', { text: 'Something odd.' })]);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['another source', { folder, files: [], warnings: [], assistants: null, source: 'BUCKET' }],
    ['a folder elsewhere', { folder: '/etc', files: [], warnings: [], assistants: null, source: 'UPLOAD' }],
    [
      'files of no size',
      { folder, files: [{ path: 'a', bytes: -1 }], warnings: [], assistants: null, source: 'UPLOAD' },
    ],
  ])('is not made of settings that are none: %s', (_, settings) => {
    expect(PackSettings.safeParse(settings).success).toBe(false);
    expect(() =>
      packFrom(storage, { key: 'a', name: 'a', category: null, description: 'a', settings }),
    ).toThrow(/damaged: upload it again/);
  });
});
