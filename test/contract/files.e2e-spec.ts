import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';

import { newId } from '../../src/common/ids.js';
import { LINK_MS } from '../../src/companies/files/signed-links.js';
import type { StoredFile } from '../../src/companies/files/stored-file.entity.js';
import { eventually } from '../harness/eventually.js';
import { FilesApp, type Person } from '../harness/files-app.js';
import { TestClient } from '../harness/test-client.js';

const FILES = /* GraphQL */ `
  query ($first: Int, $after: String) {
    files(first: $first, after: $after) {
      edges {
        node {
          id
          name
          mediaType
          bytes
          kind
          createdAt
          url
          urlExpiresAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on File { name url } } }';
const DELETE = 'mutation ($id: ID!) { deleteFile(id: $id) }';

interface FileView {
  id: string;
  name: string;
  url: string;
  urlExpiresAt: string;
}

interface Files {
  files: { edges: { node: FileView }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const content = Buffer.from('%PDF-1.7 not quite');

let app: FilesApp;
let ada: Person;

beforeAll(async () => {
  app = await FilesApp.start();
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  ada = await app.person('ada', await app.company());
});

function store(owner: Person = ada, name = 'Rapport d’août.pdf', bytes = content): Promise<StoredFile> {
  return app.files.create(owner.companyId, owner.id, {
    kind: 'REPORT',
    name,
    mediaType: 'application/pdf',
    content: bytes,
    turnId: null,
  });
}

function linkTo(file: StoredFile): string {
  return app.here(app.files.linkTo(file).url);
}

async function filesOf({ client }: Person, variables: object = {}): Promise<FileView[]> {
  return (await client.get<Files>(FILES, variables)).files.edges.map(({ node }) => node);
}

/** The status, and the error if there is one. */
async function answerAt(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, init);
  const body = await response.text();
  return response.ok ? response.status : [response.status, JSON.parse(body)];
}

function notThere(noun: string): unknown {
  return [404, { errors: [{ message: `There is no such ${noun}.`, extensions: { code: 'NOT_FOUND' } }] }];
}

it('lists the viewer’s files, newest first, in pages', async () => {
  const stored = [await store(ada, 'a.pdf'), await store(ada, 'b.pdf'), await store(ada, 'c.pdf')];
  const [first, ...others] = await filesOf(ada);
  expect(first).toEqual({
    id: stored[2]!.id,
    name: 'c.pdf',
    mediaType: 'application/pdf',
    bytes: content.byteLength,
    kind: 'REPORT',
    createdAt: app.clock.now().toISOString(),
    url: expect.stringContaining('/files/'),
    urlExpiresAt: expect.any(String),
  });
  expect(others.map(({ name }) => name)).toEqual(['b.pdf', 'a.pdf']);
  const { files } = await ada.client.get<Files>(FILES, { first: 2 });
  expect(files.pageInfo.hasNextPage).toBe(true);
  const rest = await filesOf(ada, { first: 2, after: files.pageInfo.endCursor });
  expect(rest.map(({ name }) => name)).toEqual(['a.pdf']);
});

it('gives a file to whoever has the link, without a token', async () => {
  await store();
  const [file] = await filesOf(ada);
  const response = await fetch(app.here(file!.url));
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(content.byteLength),
    'content-disposition': `attachment; filename="Rapport d_ao_t.pdf"; filename*=UTF-8''Rapport%20d%E2%80%99ao%C3%BBt.pdf`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
});

it('gives a large one whole', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, 'abc');
  const response = await fetch(linkTo(await store(ada, 'large.pdf', large)));
  expect(large.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
});

it('tells about a file without reading it', async () => {
  const url = linkTo(await store());
  const read = vi.spyOn(app.storage, 'read');
  const response = await fetch(url, { method: 'HEAD' });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    String(content.byteLength),
    '',
  ]);
});

it('lets another site’s page read it, and its name', async () => {
  const response = await fetch(linkTo(await store()), { headers: { origin: 'https://app.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(response.headers.get('access-control-expose-headers')).toBe(
    'content-disposition, retry-after, www-authenticate',
  );
});

it('ends a link after a quarter of an hour, and gives another one', async () => {
  await store();
  const [before] = await filesOf(ada);
  const urlExpiresAt = Date.parse(before!.urlExpiresAt);
  expect(urlExpiresAt - app.clock.now().getTime()).toBeGreaterThan(LINK_MS - 1000);
  app.clock.advance(urlExpiresAt - app.clock.now().getTime() - 1);
  expect(await answerAt(app.here(before!.url))).toBe(200);
  app.clock.advance(1);
  const gone = {
    message: 'The link has expired. Ask for a new one.',
    extensions: { code: 'NOT_FOUND', expired: true },
  };
  expect(await answerAt(app.here(before!.url))).toEqual([410, { errors: [gone] }]);
  const [after] = await filesOf(ada);
  expect(await answerAt(app.here(after!.url))).toBe(200);
});

it.each([
  ['fr-FR,fr;q=0.9,en;q=0.8', 'fr', 'Ce lien a expiré', 'Revenez à la conversation'],
  ['zh-TW', 'zh-Hant', '此連結已失效', '請回到'],
  ['pt', 'en', 'This link has expired', 'Go back to the conversation'],
])('shows a page to who opens an expired link in a browser: %s', async (language, lang, title, advice) => {
  const url = linkTo(await store());
  app.clock.advance(LINK_MS);
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const response = await fetch(url, { headers: { accept, 'accept-language': language } });
  expect([response.status, response.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
  const page = await response.text();
  for (const part of [`<html lang="${lang}">`, `<title>${title}</title>`, advice])
    expect(page).toContain(part);
  const gone = await fetch(`${app.url}/files/x`, { headers: { accept, 'accept-language': language } });
  expect(gone.status).toBe(404);
  expect(await gone.text()).toMatch(/^<!doctype html>(?!.*has expired)/s);
});

it('gives nothing for a link that was changed or made up', async () => {
  const url = linkTo(await store());
  const [, token = ''] = url.split('/files/');
  const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  for (const each of [
    changed,
    token.slice(1),
    `${token}A`,
    token.split('.')[0],
    '..%2F..%2Fetc',
    'x'.repeat(90),
  ]) {
    expect(await answerAt(`${app.url}/files/${each}`)).toEqual(notThere('link'));
  }
  const forUploads = await app.resources.database.transaction(ada.companyId, (tx) =>
    app.tickets.issue(tx, ada, {
      purpose: 'DOCUMENT',
      name: 'a',
      mediaType: 'text/plain',
      maxBytes: 1,
      subjectId: null,
    }),
  );
  expect(await answerAt(`${app.url}/files/${forUploads.url.split('/').at(-1)}`)).toEqual(notThere('link'));
});

it('gives nothing of another company', async () => {
  const bob = await app.person('bob', await app.company());
  const file = await store();
  // Signed by us: even so, the row is looked for where the link says that it is.
  expect(await answerAt(linkTo({ ...file, companyId: bob.companyId }))).toEqual(notThere('link'));
  expect(await answerAt(linkTo({ ...file, id: newId() }))).toEqual(notThere('file'));
});

it('shows files to nobody but their owner', async () => {
  const file = await store();
  expect((await ada.client.get<{ node: object }>(NODE, { id: file.id })).node).toEqual({
    __typename: 'File',
    id: file.id,
    name: file.name,
    url: expect.stringContaining('/files/'),
  });
  const colleague = await app.person('awa', ada.company);
  const stranger = await app.person('ada', await app.company());
  for (const other of [colleague, stranger]) {
    expect(await filesOf(other)).toEqual([]);
    expect(await other.client.get(NODE, { id: file.id })).toEqual({ node: null });
    expect(await other.client.codes(DELETE, { id: file.id })).toEqual(['NOT_FOUND']);
  }
  expect(await answerAt(linkTo(file))).toBe(200);
  const nobody = new TestClient(app.url, null);
  expect(await nobody.codes(FILES)).toEqual(['UNAUTHENTICATED']);
  expect(await nobody.codes(DELETE, { id: file.id })).toEqual(['UNAUTHENTICATED']);
});

async function storageKeys(): Promise<string[]> {
  return app.storage.keys;
}

it('removes a file with its bytes, and its links lead nowhere', async () => {
  const file = await store();
  const url = linkTo(file);
  expect(app.storage.keys).toContain(file.storageKey);
  expect(await ada.client.get(DELETE, { id: file.id })).toEqual({ deleteFile: file.id });
  expect(await filesOf(ada)).toEqual([]);
  expect(await answerAt(url)).toEqual(notThere('file'));
  await eventually(storageKeys, (keys) => !keys.includes(file.storageKey));
  for (const id of [file.id, 'nonsense']) {
    expect(await ada.client.codes(DELETE, { id })).toEqual(['NOT_FOUND']);
  }
});

it('removes a file whose bytes cannot be removed just now, and these later', async () => {
  const file = await store();
  const remove = vi.spyOn(app.storage, 'remove').mockRejectedValueOnce(new Error('The bucket is away.'));
  expect(await ada.client.get(DELETE, { id: file.id })).toEqual({ deleteFile: file.id });
  expect(await filesOf(ada)).toEqual([]);
  await eventually(storageKeys, (keys) => !keys.includes(file.storageKey));
  expect(remove.mock.calls.filter(([key]) => key === file.storageKey)).toHaveLength(2);
  remove.mockRestore();
});

it('keeps no bytes of a file that cannot be noted', async () => {
  const before = app.storage.keys;
  await expect(store({ ...ada, id: newId() })).rejects.toThrow('stored_file_member_fkey');
  expect(app.storage.keys).toEqual(before);
});

it.each(['', ' ', '\u200b', 'a/b.pdf', 'a\\b', 'a\nb', 'gpj.\u202efdp', 'x'.repeat(201)])(
  'does not take %j for a name',
  async (name) => {
    await expect(store(ada, name)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  },
);

it('says that something is wrong when the bytes cannot be read, and that there is no file when they are lost', async () => {
  const file = await store();
  const read = vi.spyOn(app.storage, 'read').mockRejectedValueOnce(new Error('The disk is broken.'));
  expect(await answerAt(linkTo(file))).toEqual([
    500,
    {
      errors: [
        {
          message: 'Something went wrong on our side. It has been logged.',
          extensions: { code: 'INTERNAL' },
        },
      ],
    },
  ]);
  read.mockRestore();
  await app.storage.remove(file.storageKey);
  expect(await answerAt(linkTo(file))).toEqual(notThere('file'));
});

it('lets go of the bytes when the client leaves in the middle', async () => {
  const file = await store();
  const unfinished = new Readable({ read: () => undefined });
  unfinished.push('%PDF');
  const read = vi.spyOn(app.storage, 'read').mockResolvedValueOnce(unfinished);
  const request = get(linkTo(file));
  const [response] = (await once(request, 'response')) as [Readable];
  await once(response, 'readable');
  const closed = once(unfinished, 'close');
  request.destroy();
  await closed;
  expect(unfinished.destroyed).toBe(true);
  read.mockRestore();
});
