import { newId } from '../../src/common/ids.js';
import { DocumentRefused, remark } from '@palabre/reader';
import {
  announce,
  type DocumentAnswer,
  findDocument,
  hereOf,
  processed,
  progressOf,
  searchDocuments,
  sendBytes,
  upload,
} from '../harness/document-view.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { identityOf } from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const LIST = `query ($first: Int, $after: String) { documents(first: $first, after: $after) {
  edges { cursor node { id name status } } pageInfo { hasNextPage endCursor } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Document { name status } } }';

const REPORT = `# Rapport ESG

## Énergie

La coopérative a installé 120 panneaux solaires à Thiès en 2024.

## Eau

La consommation d’eau a baissé de 18 % par rapport à 2023.
`;

let app: TestApp;
let company: string;
let ada: TestClient;

beforeAll(async () => {
  app = await shareApp([]);
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Fast, and nothing but the text. */
async function uploadText(client: TestClient, name: string, text: string): Promise<string> {
  const id = await upload(client, name, text);
  await processed(client, id);
  return id;
}

describe('a file', () => {
  it('that is sent is read, found and given back', async () => {
    const id = await upload(ada, 'rapport.md', REPORT, 'text/markdown');
    const document = await processed(ada, id);
    expect(document).toMatchObject({
      id,
      name: 'rapport.md',
      bytes: Buffer.byteLength(REPORT),
      status: 'COMPLETED',
      error: null,
      warnings: [],
      pages: null,
      passages: expect.any(Number),
      language: 'fr',
      progress: 1,
    });
    expect(await findDocument(ada, id)).toMatchObject({
      ...document,
      url: expect.any(String),
      urlExpiresAt: expect.any(String),
    });
    const [found] = await searchDocuments(ada, 'panneaux solaires');
    expect(found).toMatchObject({ page: null, document: { id, name: 'rapport.md' } });
    expect(found?.text).toContain('120 panneaux solaires');
  });

  it('is saved under its name from its link, and not from another one', async () => {
    parseBy();
    const id = await uploadText(ada, 'Bilan d’été.txt', REPORT);
    const document = await findDocument(ada, id);
    const url = hereOf(ada, document?.url ?? '');
    const response = await fetch(url);
    expect(response.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Bilan%20d%E2%80%99%C3%A9t%C3%A9.txt",
    );
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await response.text()).toBe(REPORT);
    expect(new Date(document?.urlExpiresAt ?? 0).getTime()).toBeGreaterThan(Date.now());
    expect((await fetch(`${url.slice(0, -2)}xx`)).status).toBe(404);
  });

  it.each([
    ['of nothing', '', 'The file is empty.'],
    ['of nothing but blanks', ' \n\t\n ', expect.stringContaining('no text')],
  ])('%s fails, and says why', async (_what, content, error) => {
    parseBy(async function* ({ bytes }) {
      yield { number: null, markdown: bytes.toString() };
      return undefined;
    });
    const id = await upload(ada, 'vide.txt', content);
    expect(await processed(ada, id)).toMatchObject({ status: 'FAILED', error, passages: null });
  });

  it('that cannot be read fails with the reason, and nothing of it is found', async () => {
    parseBy(async function* () {
      yield { number: 1, markdown: `${'Le karité de Kolda. '.repeat(9_000)}` };
      throw new DocumentRefused(remark('PROTECTED'));
    });
    const id = await upload(ada, 'secret.pdf', 'x', 'application/pdf');
    expect(await processed(ada, id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/^The file is protected by a password/),
      passages: null,
    });
    expect(await searchDocuments(ada, 'karité Kolda')).toEqual([]);
  });

  it('without text on any page says what is known of it', async () => {
    parseBy(async function* () {
      yield { number: 1, markdown: '' };
      return {
        mediaType: 'application/pdf',
        pages: 1,
        warnings: [remark('SLIDES_WITHOUT_TEXT', { count: 1 })],
      };
    });
    const id = await upload(ada, 'scan.pdf', 'x', 'application/pdf');
    expect(await processed(ada, id)).toMatchObject({
      status: 'FAILED',
      error: 'There is no text in the file. 1 slide without text.',
      pages: 1,
      warnings: ['1 slide without text.'],
    });
  });

  it('tells what was lost of it', async () => {
    const warnings = Array.from({ length: 30 }, (_, index) =>
      remark('SHEET_MISSING', { name: `${index}\u0000 and\nmore` }),
    );
    parseBy(async function* () {
      yield { number: 1, markdown: 'Le karité de Kolda.' };
      return { mediaType: 'application/pdf', pages: 31, warnings };
    });
    const id = await upload(ada, 'rapport.pdf', 'x');
    const document = await processed(ada, id);
    expect(document).toMatchObject({ status: 'COMPLETED', pages: 31, mediaType: 'application/pdf' });
    expect(document.warnings).toHaveLength(20);
    expect(document.warnings[0]).toBe('The sheet “0 and more” is missing or damaged in the file.');
  });

  const SAID = `query ($id: ID!, $language: String!) {
    document(id: $id) { error(language: $language) warnings(language: $language) } }`;
  const said = async (id: string, language: string) =>
    (await ada.get<{ document: Pick<DocumentAnswer, 'error' | 'warnings'> }>(SAID, { id, language }))
      .document;

  it('says what is wrong with it in the language of whoever reads that', async () => {
    parseBy(async function* () {
      yield { number: 1, markdown: '' };
      return { pages: 1, warnings: [remark('SLIDES_WITHOUT_TEXT', { count: 2 }), remark('GARBLED')] };
    });
    const id = await upload(ada, 'vide.pptx', 'x');
    await processed(ada, id);
    expect((await said(id, 'fr-SN')).error).toMatch(
      /^Il n’y a pas de texte dans le fichier\. 2 diapositives sans texte\. Une partie/,
    );
    expect(await said(id, 'zh-TW')).toEqual({
      error: expect.stringMatching(/^檔案裡沒有文字。2 張投影片沒有文字。/),
      warnings: ['2 張投影片沒有文字。', expect.stringMatching(/^部分文字是亂碼/)],
    });
    expect((await said(id, 'de')).warnings[0]).toBe('2 slides without text.');
  });

  it('says in English what an earlier version has stored of it', async () => {
    parseBy(async function* () {
      yield { number: 1, markdown: '' };
      return { warnings: [remark('GARBLED')] };
    });
    const id = await upload(ada, 'ancien.pdf', 'ancien');
    await processed(ada, id);
    await app.database.transaction((await identityOf(ada)).companyId, (tx) =>
      tx.query(
        `UPDATE document_content SET remarks = NULL, error = 'It is old.', warnings = '["So is this."]'
         WHERE company_id = $1 AND name = 'ancien.pdf'`,
        [tx.companyId],
      ),
    );
    expect(await said(id, 'fr')).toEqual({ error: 'It is old.', warnings: ['So is this.'] });
  });
});

describe('the documents of a company', () => {
  it('are listed page by page, the newest first, to all of its members', async () => {
    parseBy();
    const ids: string[] = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.unshift(await uploadText(ada, name, name));
    const awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
    interface List {
      documents: {
        edges: { node: { id: string; name: string; status: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    }
    const { documents: first } = await awa.get<List>(LIST, { first: 2 });
    expect(first.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, 2));
    expect(first.pageInfo.hasNextPage).toBe(true);
    const { documents: rest } = await awa.get<List>(LIST, { first: 2, after: first.pageInfo.endCursor });
    expect(rest.edges.map(({ node }) => node)).toEqual([{ id: ids[2], name: 'a.txt', status: 'COMPLETED' }]);
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect(await awa.get(NODE, { id: ids[0] })).toEqual({
      node: { __typename: 'Document', id: ids[0], name: 'c.txt', status: 'COMPLETED' },
    });
  });

  it('do not exist for another company, in any way', async () => {
    parseBy();
    const id = await uploadText(ada, 'a.txt', 'Le karité de Kolda.');
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    expect(await findDocument(bob, id)).toBeNull();
    expect(await bob.get(NODE, { id })).toEqual({ node: null });
    expect(await bob.get(LIST)).toMatchObject({ documents: { edges: [] } });
    expect(await searchDocuments(bob, 'karité Kolda')).toEqual([]);
    expect(await bob.codes('mutation ($id: ID!) { deleteDocument(id: $id) }', { id })).toEqual(['NOT_FOUND']);
    for (const other of [id, newId(), 'nonsense']) {
      await expect(Array.fromAsync(progressOf(bob, other))).rejects.toThrow('"code":"NOT_FOUND"');
    }
    // The same bytes are read for them anew: what others have is nobody's business.
    const own = await upload(bob, 'b.txt', 'Le karité de Kolda.');
    expect(await processed(bob, own)).toMatchObject({ status: 'COMPLETED' });
    expect((await searchDocuments(bob, 'karité Kolda')).map(({ document }) => document.id)).toEqual([own]);
  });

  it('are nobody’s without a token', async () => {
    const nobody = app.clientWith(null);
    expect(await nobody.codes(LIST)).toEqual(['UNAUTHENTICATED']);
  });
});

describe('progress', () => {
  const stateOf = ({ status, progress }: DocumentAnswer): string => `${status} ${progress}`;

  it('is told at once and at each change, never falls, and ends with the document', async () => {
    const [first, second] = [gate(), gate()];
    const chapter = (title: string): string =>
      `# ${title}\n\n${`Le karité de ${title} est mûr. `.repeat(4_000)}`;
    parseBy(async function* () {
      await first.wait();
      yield { number: 1, markdown: chapter('Kolda') };
      yield { number: 2, markdown: chapter('Thiès') };
      await second.wait();
      yield { number: 3, markdown: chapter('Dakar') };
      return { pages: 3 };
    });
    const issued = await announce(ada, { bytes: 300_000 });
    const told: DocumentAnswer[] = [];
    const seen = Promise.withResolvers<void>();
    const watched = (async () => {
      for await (const document of progressOf(ada, issued.document.id)) {
        told.push(document);
        if (told.length === 1) seen.resolve();
        if (document.status === 'PROCESSING') first.open();
        if (document.progress > 0) second.open();
      }
    })();
    await seen.promise;
    await sendBytes(ada, issued, 'x'.repeat(300_000));
    await watched;

    expect(told[0]).toMatchObject({ id: issued.document.id, status: 'PENDING', progress: 0 });
    expect(told.at(-1)).toMatchObject({ status: 'COMPLETED', progress: 1, pages: 3 });
    expect(told.map(({ status }) => status)).toContain('PROCESSING');
    expect(new Set(told.map(stateOf)).size).toBe(told.length);
    const shares = told.map(({ progress }) => progress);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(0);
  });

  it('of what has ended is one state', async () => {
    parseBy();
    const id = await uploadText(ada, 'a.txt', 'Le karité de Kolda.');
    const told = await Array.fromAsync(progressOf(ada, id));
    expect(told.map(stateOf)).toEqual(['COMPLETED 1']);
  });

  it('lets go of those who leave', async () => {
    const { document } = await announce(ada, { bytes: 1 });
    const socket = ada.socket();
    const progress = progressOf(ada, document.id, socket);
    expect(await progress.next()).toMatchObject({ value: { status: 'PENDING' } });
    await socket.dispose();
    await progress.next().catch(() => undefined);
  });
});
