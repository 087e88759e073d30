import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PalabreError } from '@palabre/client';

import { remoteAccess } from './server-access.js';
import { runUpload } from './upload-program.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-upload-'));
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await writeFile(join(folder, name), name);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const unavailable = new PalabreError('UNAVAILABLE', 'The database is away.');

/** Uploads files; each name has what its tries are refused with, in order, and then it is taken. */
async function upload(refusals: Record<string, PalabreError[]>, names = ['a.txt', 'b.txt', 'c.txt']) {
  const waits: number[] = [];
  let out = '';
  let error = '';
  const client = {
    uploadDocument: async (_file: Blob, { name = '' }: { name?: string } = {}): Promise<string> => {
      const refusal = refusals[name]?.shift();
      if (refusal) throw refusal;
      return name.slice(0, 1);
    },
    async *documentProgress(id: string) {
      yield {
        id,
        name: id,
        status: 'COMPLETED' as const,
        progress: 1,
        pages: null,
        passages: 1,
        error: null,
        warnings: [],
      };
    },
    close: async () => undefined,
  };
  const terminal = {
    env: { PALABRE_URL: 'http://palabre.example', PALABRE_TOKEN: 'x' },
    isTTY: false,
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
    pause: async (ms: number) => void waits.push(ms),
  };
  const code = await runUpload(
    names.map((name) => join(folder, name)),
    terminal,
    { name: 'palabre upload', access: remoteAccess, environment: '' },
    () => client,
  );
  return { code, out, error, waits };
}

it('tries again what may pass, less and less often', async () => {
  const { code, out, waits } = await upload({ 'b.txt': [unavailable, unavailable, unavailable] });
  expect([code, out.split('\n').toSorted().join(' ')]).toEqual([
    0,
    ' a COMPLETED a.txt b COMPLETED b.txt c COMPLETED c.txt',
  ]);
  expect(waits).toHaveLength(3);
  expect(waits[2]).toBeGreaterThan(waits[0]!);
});

it('gives up one at last, goes on with the others, and tells at the end what failed', async () => {
  const { code, out, error } = await upload({
    'a.txt': Array.from({ length: 20 }, () => unavailable),
    'b.txt': [new PalabreError('PAYLOAD_TOO_LARGE', 'It is too large.')],
  });
  expect([code, out]).toEqual([1, 'c COMPLETED c.txt\n']);
  expect(error).toMatch(
    /2 of 3 files cannot be searched:\n {2}a\.txt: The database is away\.\n {2}b\.txt: It is too large\.\n$/,
  );
});

it('does not go on where the next file would be refused as well', async () => {
  const refused = new PalabreError('UNAUTHENTICATED', 'The token has expired.');
  const atOnce = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  const refusals = Object.fromEntries(atOnce.map((name) => [name, [refused]]));
  const { code, out, error } = await upload(refusals, [...atOnce, 'e.txt']);
  expect([code, out]).toEqual([2, '']);
  expect(error).toContain('The token has expired. (UNAUTHENTICATED)');
});

it('ends with what a file is refused for, where it is the only one', async () => {
  const { code, waits } = await upload({ 'a.txt': [new PalabreError('BAD_USER_INPUT', 'No.')] }, ['a.txt']);
  expect([code, waits]).toEqual([2, []]);
});

it('says that a file is not there, and sends the others', async () => {
  const { code, out, error } = await upload({}, ['a.txt', 'absent.txt']);
  expect([code, out]).toEqual([1, 'a COMPLETED a.txt\n']);
  expect(error).toMatch(/^absent\.txt: there is no such file\.$/m);
});
