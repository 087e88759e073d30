import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp, { type Metadata } from 'sharp';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { PendingUploads, UNUSED_ATTACHMENT_MS } from '../../src/documents/upload/pending-uploads.service.js';
import { citedAnswerOf, inPages } from '../harness/citation-view.js';
import {
  DELETE_DOCUMENT,
  findDocument,
  hereOf,
  searchDocuments,
  sendBytes,
} from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { FilesApp } from '../harness/files-app.js';
import { identityOf } from '../harness/notification-view.js';
import { isUpkeep, lastOf } from '../harness/provider-request.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const FIELDS = 'id kind name mediaType bytes status error url document { id scope pages }';
const CREATE = `mutation ($input: CreateAttachmentUploadInput!) { createAttachmentUpload(input: $input) {
  attachment { ${FIELDS} } url method headers expiresAt } }`;
const ATTACHMENT = `query ($id: ID!) { attachment(id: $id) { ${FIELDS} } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const SHARE =
  'mutation ($id: ID!, $scope: DocumentScope!) { updateDocument(id: $id, scope: $scope) { id scope } }';
const PARTS = `query ($id: ID!) { turn(id: $id) { question { id parts { __typename
  ... on TextPart { text } ... on ImagePart { attachment { id } } ... on FilePart { attachment { id name } } } } } }`;
const REGENERATE = `mutation ($input: RegenerateInput!) { regenerate(input: $input) {
  ... on TurnAccepted { turn { id } } } }`;

interface AttachmentAnswer {
  id: string;
  kind: string;
  mediaType: string;
  bytes: number;
  status: string;
  error: string | null;
  url: string | null;
  document: { id: string; scope: string; pages: number | null } | null;
}

const mefali = { assistantKey: 'mefali' };
/** Long enough not to stand whole in a prompt. */
const LONG = Array.from({ length: 60 }, (_, page) =>
  page === 41
    ? 'Le baobab de Kolda mesure vingt-trois mètres de circonférence, et son ombre couvre le marché entier.'
    : Array.from(
        { length: 40 },
        (_, line) => `Ligne ${line} de la page ${page}, où rien n’est dit de l’arbre.`,
      ).join(' '),
);

let app: TestApp;
let company: string;
let awa: TestClient;
let reply: (body: JsonObject) => ProviderReply;
let requests: JsonObject[];

beforeAll(async () => {
  const models = join(tmpdir(), `models-${newId()}.json`);
  writeFileSync(models, JSON.stringify({ blind: { images: false }, other: { api: 'responses' } }));
  app = await startApp(
    (body) => {
      if (isUpkeep(body)) return [finish()];
      requests.push(body);
      return reply(body);
    },
    { MODELS_FILE: models },
  );
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  parseBy(inPages);
  requests = [];
  reply = () => [text('Voilà.'), finish()];
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
});
afterEach(() => void vi.restoreAllMocks());

async function attachmentOf(client: TestClient, id: string): Promise<AttachmentAnswer | null> {
  return (await client.get<{ attachment: AttachmentAnswer | null }>(ATTACHMENT, { id })).attachment;
}

/** Sends a file. Gives its id. */
async function send(
  client: TestClient,
  name: string,
  content: string | Uint8Array,
  { mediaType = '', conversationId = null as string | null } = {},
): Promise<string> {
  const input = { name, mediaType, bytes: Buffer.byteLength(content), conversationId };
  const { createAttachmentUpload: created } = await client.get<{
    createAttachmentUpload: {
      attachment: { id: string };
      url: string;
      method: string;
      headers: Record<string, string>;
    };
  }>(CREATE, { input });
  const { status } = await sendBytes(client, created, content);
  expect(status).toBe(200);
  return created.attachment.id;
}

async function read(client: TestClient, id: string): Promise<AttachmentAnswer> {
  const found = await eventually(
    () => attachmentOf(client, id),
    (attachment) => attachment?.status === 'COMPLETED',
  );
  if (!found) throw new Error('The attachment is gone.');
  return found;
}

async function answered(client: TestClient, message: string, input: object): ReturnType<TestClient['ask']> {
  const asked = await client.ask(message, input);
  await client.allEvents(asked.turnId);
  return asked;
}

/** What the model was sent last, as text. */
function sent(at = -1): string {
  return JSON.stringify(requests.at(at));
}

function photo(): Promise<Buffer> {
  return sharp({ create: { width: 3000, height: 1500, channels: 3, background: 'green' } })
    .withExif({ IFD0: { Artist: 'Awa Diop' }, IFD3: { GPSLatitude: '14/1 41/1 0/1' } })
    .jpeg()
    .toBuffer();
}

async function modelIs(model: string | null): Promise<void> {
  const ada = await app.client({ company, sub: 'ada' });
  await ada.get(
    'mutation ($model: String) { updateAssistant(key: "mefali", input: { model: $model }) { key } }',
    { model },
  );
}

/** Why a question is refused, and for which argument. */
async function refusedWith(client: TestClient, input: object) {
  const { errors } = await client.send(
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    {
      input: { message: 'Qu’y a-t-il ?', ...mefali, ...input },
    },
  );
  return errors;
}

async function refusal(client: TestClient, input: object): Promise<unknown> {
  const errors = await refusedWith(client, input);
  return [errors?.[0]?.extensions?.code, errors?.[0]?.extensions?.argument];
}
const REFUSED = ['BAD_USER_INPUT', 'input.attachmentIds'];

async function filesOf(client: TestClient): Promise<string[]> {
  const { viewer } = await client.get<{ viewer: { company: { id: string } } }>(
    '{ viewer { company { id } } }',
  );
  return app.storage.keys.filter((key) => key.includes(viewer.company.id));
}

function rows(id: string, table: string): Promise<unknown[]> {
  return app.database.transaction(id, (tx) => tx.query(`SELECT * FROM ${table}`));
}

describe('a document of a conversation', () => {
  it('stands whole in the prompt when it is short, also of later questions, and is part of its question', async () => {
    const id = await send(awa, 'menu.md', '# Menu\n\nLe mafé coûte 2 500 francs.');
    const { turnId, conversationId } = await answered(awa, 'Combien ?', { ...mefali, attachmentIds: [id] });
    expect(sent()).toContain('Le mafé coûte 2 500 francs.');
    await answered(awa, 'Et donc ?', { conversationId });
    expect(sent()).toContain('Le mafé coûte 2 500 francs.');
    expect(sent().split('Le mafé coûte').length).toBe(2);
    const { turn } = await awa.get<{ turn: { question: { parts: object[] } } }>(PARTS, { id: turnId });
    expect(turn.question.parts).toEqual([
      { __typename: 'TextPart', text: 'Combien ?' },
      { __typename: 'FilePart', attachment: { id, name: 'menu.md' } },
    ]);
    expect(await awa.get(NODE, { id })).toEqual({ node: { __typename: 'Attachment', id } });
  });

  it('is waited for while it is read', async () => {
    const { reached, wait, open } = gate();
    parseBy(async function* (...file) {
      await wait();
      return yield* inPages(...file);
    });
    const id = await send(awa, 'menu.md', 'Le thiéboudienne coûte 3 000 francs.');
    await reached;
    const { turnId } = await awa.ask('Combien ?', { ...mefali, attachmentIds: [id] });
    const events = awa.allEvents(turnId);
    open();
    await events;
    expect(sent()).toContain('Le thiéboudienne coûte 3 000 francs.');
  });

  it('is searched when it is long, and cited with its page', async () => {
    const id = await send(awa, 'arbres.txt', LONG.join('\f'));
    const { document } = await read(awa, id);
    reply = (body) =>
      lastOf(body).role === 'tool'
        ? [text('Vingt-trois mètres [1].'), finish()]
        : [toolCall('retrieve_documents', { query: 'circonférence du baobab de Kolda' }), finish()];
    const { turnId, conversationId } = await answered(awa, 'Quelle circonférence ?', {
      ...mefali,
      attachmentIds: [id],
    });
    expect(sent(0)).not.toContain('circonférence, et son ombre');
    expect(sent(0)).toContain('[document arbres.txt: searched by retrieve_documents]');
    const { citations } = await citedAnswerOf(awa, turnId);
    expect(citations).toMatchObject([{ documentId: document?.id, page: 42 }]);
    expect(await findDocument(awa, citations[0]?.documentId ?? '')).toMatchObject({ name: 'arbres.txt' });
    // In this conversation alone.
    await answered(awa, 'Quelle circonférence ?', { conversationId });
    expect(lastOf(requests.at(-1)).content).toContain('vingt-trois mètres');
    await answered(awa, 'Quelle circonférence ?', mefali);
    expect(sent()).not.toContain('vingt-trois mètres');
  });

  it('does not stand in a branch that it was not asked in', async () => {
    const id = await send(awa, 'menu.md', 'Le mafé coûte 2 500 francs.');
    const { turnId, conversationId } = await answered(awa, 'Un', mefali);
    const { turn } = await awa.get<{ turn: { question: { id: string } } }>(PARTS, { id: turnId });
    await answered(awa, 'Deux', { conversationId, attachmentIds: [id] });
    await answered(awa, 'Autre', { conversationId, replacesMessageId: turn.question.id });
    expect(sent()).not.toContain('mafé');
    expect(sent()).not.toContain('menu.md');
  });

  it('stays with an edited question, and with one that is answered again', async () => {
    const id = await send(awa, 'menu.md', 'Le mafé coûte 2 500 francs.');
    const { turnId, conversationId } = await answered(awa, 'Combien ?', { ...mefali, attachmentIds: [id] });
    const { turn } = await awa.get<{ turn: { question: { id: string } } }>(PARTS, { id: turnId });
    const again = await awa.get<{ regenerate: { turn: { id: string } } }>(REGENERATE, {
      input: { messageId: turn.question.id },
    });
    await awa.allEvents(again.regenerate.turn.id);
    expect(sent()).toContain('Le mafé coûte');
    await answered(awa, 'À quel prix ?', { conversationId, replacesMessageId: turn.question.id });
    expect(sent()).toContain('Le mafé coûte');
    await answered(awa, 'Sans ?', { conversationId, replacesMessageId: turn.question.id, attachmentIds: [] });
    expect(sent()).not.toContain('Le mafé coûte');
  });

  it('exists for nobody else, whatever they ask', async () => {
    const id = await send(awa, 'secret.md', 'Le karité de Kolda est mûr en juillet.');
    const { document, url } = await read(awa, id);
    await answered(awa, 'Quand ?', { ...mefali, attachmentIds: [id] });
    const ada = await app.client({ company, sub: 'ada' });
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    for (const other of [ada, bob]) {
      expect(await attachmentOf(other, id)).toBeNull();
      expect(await findDocument(other, document?.id ?? '')).toBeNull();
      for (const node of [id, document?.id])
        expect(await other.get(NODE, { id: node })).toEqual({ node: null });
      expect(await searchDocuments(other, 'karité de Kolda')).toEqual([]);
      expect(await other.get('{ documents { edges { node { id } } } }')).toEqual({
        documents: { edges: [] },
      });
      expect(await refusal(other, { attachmentIds: [id] })).toEqual(['NOT_FOUND', 'input.attachmentIds']);
      expect(await refusal(other, { documentIds: [document?.id] })).toEqual([
        'NOT_FOUND',
        'input.documentIds',
      ]);
      expect((await other.send(DELETE_DOCUMENT, { id: document?.id })).errors?.[0]?.extensions?.code).toBe(
        'NOT_FOUND',
      );
      expect(
        (await other.send(SHARE, { id: document?.id, scope: 'COMPANY' })).errors?.[0]?.extensions?.code,
      ).toBe('NOT_FOUND');
    }
    expect(await awa.get('{ documents { edges { node { id } } } }')).toEqual({ documents: { edges: [] } });
    expect(await searchDocuments(awa, 'karité de Kolda')).toEqual([]);
    expect(await (await fetch(hereOf(awa, url ?? ''))).text()).toContain('karité');
    // What admins are shown of a turn does not hold it either.
    const { viewer } = await awa.get<{ viewer: { company: { id: string } } }>(
      '{ viewer { company { id } } }',
    );
    expect(JSON.stringify(await rows(viewer.company.id, 'model_call'))).not.toContain('Kolda');
    expect(JSON.stringify(await rows(viewer.company.id, 'prompt_text'))).not.toContain('Kolda');
  });

  it('has nothing in common with the same bytes of somebody else', async () => {
    const ada = await app.client({ company, sub: 'ada' });
    const [own, other] = [
      await send(awa, 'a.md', 'Le sésame de Kaffrine.'),
      await send(ada, 'b.md', 'Le sésame de Kaffrine.'),
    ];
    const { document } = await read(awa, own);
    await read(ada, other);
    await awa.get(DELETE_DOCUMENT, { id: document?.id });
    expect(await attachmentOf(awa, own)).toBeNull();
    await answered(ada, 'Quoi ?', { ...mefali, attachmentIds: [other] });
    expect(sent()).toContain('Le sésame de Kaffrine.');
  });

  it('goes with its conversation: file, text and index', async () => {
    const [id, image] = [
      await send(awa, 'menu.md', 'Le mafé de Thiès.'),
      await send(awa, 'a.jpg', await photo()),
    ];
    const { document } = await read(awa, id);
    const { conversationId } = await answered(awa, 'Combien ?', { ...mefali, attachmentIds: [id, image] });
    const { viewer } = await awa.get<{ viewer: { id: string; company: { id: string } } }>(
      '{ viewer { id company { id } } }',
    );
    expect(await filesOf(awa)).toHaveLength(2);
    await awa.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
    expect(await attachmentOf(awa, id)).toBeNull();
    expect(await findDocument(awa, document?.id ?? '')).toBeNull();
    for (const table of ['document', 'document_content', 'passage', 'search_item']) {
      expect(await rows(viewer.company.id, table)).toEqual([]);
    }
    await eventually(
      () => filesOf(awa),
      (files) => files.length === 0,
    );
    const { documentStorage } = await awa.get<{ documentStorage: object }>(
      'query ($id: ID!) { documentStorage(memberId: $id) { documents bytes } }',
      { id: viewer.id },
    );
    expect(documentStorage).toEqual({ documents: 0, bytes: 0 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['member', () => awa.get('mutation { eraseMyData }')],
    [
      'company',
      async () =>
        (await app.client({ role: 'OPERATOR' })).get(
          'mutation ($slug: String!) { eraseCompany(slug: $slug, confirm: $slug) { id } }',
          { slug: company },
        ),
    ],
  ])('goes with its %s: file, text and index', async (_whose, erase) => {
    const { companyId } = await identityOf(awa);
    const attachmentIds = [
      await send(awa, 'menu.md', 'Le mafé de Thiès.'),
      await send(awa, 'a.jpg', await photo()),
    ];
    const unused = await send(awa, 'unused.md', 'Le thiéboudiène.');
    for (const id of [attachmentIds[0]!, unused]) await read(awa, id);
    await answered(awa, 'Combien ?', { ...mefali, attachmentIds });
    expect(await filesOf(awa)).toHaveLength(3);
    const kept = async (): Promise<number> => {
      const tables = ['document', 'document_content', 'passage', 'search_item'];
      const found = await Promise.all(tables.map((table) => rows(companyId, table)));
      return found.flat().length + app.storage.keys.filter((key) => key.includes(companyId)).length;
    };
    expect(await kept()).toBeGreaterThan(9);
    await erase();
    await eventually(kept, (count) => count === 0);
  });

  it('goes after a day without a question', async () => {
    await using files = await FilesApp.start();
    const { client } = await files.person('awa', await files.company());
    const { conversationId } = await client.ask('Bonjour', mefali);
    const [unused, kept] = [
      await send(client, 'a.md', 'Un.'),
      await send(client, 'b.md', 'Deux.', { conversationId }),
    ];
    const uploads = files.nest.get(PendingUploads, { strict: false });
    const after = (ms: number): Date => new Date(files.clock.now().getTime() + ms);
    await uploads.giveUp(after(UNUSED_ATTACHMENT_MS - 60_000));
    expect(await attachmentOf(client, unused)).not.toBeNull();
    await uploads.giveUp(after(UNUSED_ATTACHMENT_MS + 60_000));
    expect(await attachmentOf(client, unused)).toBeNull();
    expect(await attachmentOf(client, kept)).not.toBeNull();
  });

  it('is shared with the company by an admin who has attached it, and taken back', async () => {
    const ada = await app.client({ company, sub: 'ada' });
    const id = await send(ada, 'tarif.md', 'Le néré de Ziguinchor coûte 900 francs.');
    const { document } = await read(ada, id);
    const change = (scope: string): Promise<unknown> => ada.get(SHARE, { id: document?.id, scope });
    expect(
      (await ada.send(SHARE, { id: document?.id, scope: 'COMPANY' })).errors?.[0]?.extensions?.code,
    ).toBe('BAD_USER_INPUT');
    const { conversationId } = await answered(ada, 'Combien ?', { ...mefali, attachmentIds: [id] });
    expect(await change('COMPANY')).toEqual({ updateDocument: { id: document?.id, scope: 'COMPANY' } });
    await read(ada, id);
    expect(await searchDocuments(awa, 'néré de Ziguinchor')).toMatchObject([
      { document: { name: 'tarif.md' } },
    ]);
    await change('CONVERSATION');
    await read(ada, id);
    expect(await searchDocuments(awa, 'néré de Ziguinchor')).toEqual([]);
    await change('COMPANY');
    await read(ada, id);
    await ada.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
    expect(await searchDocuments(awa, 'néré de Ziguinchor')).toHaveLength(1);
    expect(
      (await ada.send(SHARE, { id: document?.id, scope: 'CONVERSATION' })).errors?.[0]?.extensions,
    ).toMatchObject({
      code: 'BAD_USER_INPUT',
      argument: 'scope',
    });
    expect(
      (await awa.send(SHARE, { id: document?.id, scope: 'COMPANY' })).errors?.[0]?.extensions?.code,
    ).toBe('FORBIDDEN');
  });
});

describe('an image of a conversation', () => {
  async function shown(body: JsonObject | undefined): Promise<Metadata[]> {
    const urls = JSON.stringify(body).match(/data:image\/[a-z]+;base64,[^"]+/g) ?? [];
    return Promise.all(urls.map((url) => sharp(Buffer.from(url.split(',')[1] ?? '', 'base64')).metadata()));
  }

  it.each([
    ['chat completions', 'scripted', 'image_url'],
    ['responses', 'other', 'input_image'],
  ])('is shown to a model by %s, scaled, and with nothing but pixels', async (_protocol, model, part) => {
    await modelIs(model);
    const id = await send(awa, 'champ.jpg', await photo(), { mediaType: 'image/jpg' });
    expect(await attachmentOf(awa, id)).toMatchObject({
      kind: 'IMAGE',
      mediaType: 'image/jpeg',
      status: 'COMPLETED',
      document: null,
    });
    const { turnId, conversationId } = await answered(awa, 'Que vois-tu ?', {
      ...mefali,
      attachmentIds: [id],
    });
    expect(sent()).toContain(`"type":"${part}"`);
    const [image] = await shown(requests.at(-1));
    expect([image?.format, image?.width, image?.height, image?.exif]).toEqual(['jpeg', 1568, 784, undefined]);
    await answered(awa, 'Et là ?', { conversationId });
    expect(await shown(requests.at(-1))).toHaveLength(1);
    const { turn } = await awa.get<{ turn: { question: { parts: object[] } } }>(PARTS, { id: turnId });
    expect(turn.question.parts).toMatchObject([{}, { __typename: 'ImagePart', attachment: { id } }]);
    const { viewer } = await awa.get<{ viewer: { company: { id: string } } }>(
      '{ viewer { company { id } } }',
    );
    const calls = JSON.stringify(await rows(viewer.company.id, 'model_call'));
    expect(calls).toContain('[image champ.jpg]');
    expect(calls).not.toContain('base64');
  });

  it('of earlier questions is sent again up to five times, the newest first', async () => {
    let conversationId: string | null = null;
    for (let count = 0; count < 7; count += 1) {
      const id = await send(awa, `${count}.jpg`, await photo());
      const target: object = conversationId === null ? mefali : { conversationId };
      ({ conversationId } = await answered(awa, `Image ${count}`, { ...target, attachmentIds: [id] }));
    }
    expect(await shown(requests.at(-1))).toHaveLength(6);
    expect(sent()).toContain('[image 0.jpg]');
  });

  it('is refused where the model sees none, and kept', async () => {
    await modelIs('blind');
    const id = await send(awa, 'champ.jpg', await photo());
    expect(await refusal(awa, { attachmentIds: [id] })).toEqual(REFUSED);
    expect((await attachmentOf(awa, id))?.status).toBe('COMPLETED');
    await modelIs(null);
    const { turnId } = await answered(awa, 'Que vois-tu ?', { ...mefali, attachmentIds: [id] });
    expect(await shown(requests.at(-1))).toHaveLength(1);
    await modelIs('blind');
    const { turn } = await awa.get<{ turn: { question: { id: string } } }>(PARTS, { id: turnId });
    const { errors } = await awa.send(REGENERATE, { input: { messageId: turn.question.id } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: 'input.messageId' } }]);
  });

  it('that is none is FAILED, and no question can be asked with it', async () => {
    const id = await send(awa, 'champ.png', 'no image at all', { mediaType: 'image/png' });
    expect(await attachmentOf(awa, id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('PNG, JPEG'),
      url: null,
    });
    expect(await refusal(awa, { attachmentIds: [id] })).toEqual(REFUSED);
    const why = '“champ.png” cannot be attached: This is no image that can be read. Send a PNG, JPEG';
    const errors = await refusedWith(awa, { attachmentIds: [id] });
    expect(errors?.[0]?.message).toContain(why);
    expect(await filesOf(awa)).toEqual([]);
  });

  it.each(['image/tiff', 'image/svg+xml', 'image/pngx'])(
    'as %s is refused before it is sent',
    async (mediaType) => {
      const { errors } = await awa.send(CREATE, { input: { name: 'a', mediaType, bytes: 9 } });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.mediaType' });
    },
  );
});

describe('a question is refused', () => {
  it('with sixty attachments, an unknown one, one of another conversation, and one that has not come', async () => {
    expect(await refusal(awa, { attachmentIds: Array.from({ length: 60 }, () => newId()) })).toEqual(REFUSED);
    expect(await refusal(awa, { attachmentIds: [newId()] })).toEqual(['NOT_FOUND', 'input.attachmentIds']);
    expect(await refusal(awa, { attachmentIds: ['x'] })).toEqual(['NOT_FOUND', 'input.attachmentIds']);
    const id = await send(awa, 'a.md', 'Un.');
    await answered(awa, 'Un ?', { ...mefali, attachmentIds: [id] });
    expect(await refusal(awa, { attachmentIds: [id] })).toEqual(REFUSED);
    const { createAttachmentUpload: created } = await awa.get<{
      createAttachmentUpload: { attachment: { id: string } };
    }>(CREATE, { input: { name: 'b.md', mediaType: '', bytes: 9 } });
    expect(await refusal(awa, { attachmentIds: [created.attachment.id] })).toEqual(REFUSED);
    expect(await awa.get('{ conversations { edges { node { title } } } }')).toMatchObject({
      conversations: { edges: [{ node: { title: 'Un ?' } }] },
    });
  });

  it('and an upload for a conversation of somebody else', async () => {
    const ada = await app.client({ company, sub: 'ada' });
    const { conversationId } = await answered(ada, 'Bonjour', mefali);
    const { errors } = await awa.send(CREATE, {
      input: { name: 'a.md', mediaType: '', bytes: 9, conversationId },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', argument: 'input.conversationId' });
  });
});
