import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { lastOf, toolsOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const SECRET = 'Bearer s3cret-of-the-service';

const SKILL = `{ id key name kind category active available unavailableReason timeoutSeconds inputSchema
  http { method url headers { name value } secrets { in name } body placements { argument in name } resultPath timeoutSeconds } }`;
const REGISTER = `mutation ($input: RegisterHttpSkillInput!) { registerHttpSkill(input: $input) ${SKILL} }`;
const REMOVE = `mutation ($key: String!) { removeHttpSkill(key: $key) }`;
const TRY = `mutation ($key: String!, $arguments: JSON!) { tryHttpSkill(key: $key, arguments: $arguments) {
  durationMs request { method url headers { name value } body }
  response { status mediaType bytes excerpt } result error } }`;
const PREVIEW = `mutation ($input: OpenApiSourceInput!) { previewOpenApiImport(input: $input) {
  title version serverUrl credentials { in name } omitted
  operations { operationId key method path summary parameters isImportable problems } } }`;
const IMPORT = `mutation ($input: ImportOpenApiInput!) { importOpenApi(input: $input) ${SKILL} }`;
const LIST = `{ skills ${SKILL} }`;

interface SkillView {
  id: string;
  key: string;
  http: { url: string; secrets: object[] } | null;
  [field: string]: unknown;
}

/** Fits into what a schema may be long. */
const intricate: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [
      `p${index}`,
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ]),
  ),
};

const stack = new AsyncDisposableStack();
let service: LocalSite;
let closed: LocalSite;
let app: TestApp;
let admin: TestClient;
let reply: (body: JsonObject) => ProviderReply;
/** What the service was asked last. */
let heard: { line: string; headers: IncomingMessage['headers']; body: string } | null;

/** A service with one item of each id, which gives everything away that it is told. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  heard = { line: `${method} ${url}`, headers, body: await textOf(request) };
  const item = { name: `Item of ${url}`, told: headers.authorization ?? null };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: item }));
}

beforeAll(async () => {
  service = stack.use(await LocalSite.start(answer));
  closed = stack.use(await LocalSite.start((_, response) => void response.end('internal')));
  app = stack.use(
    await startApp((body) => reply(body), { OUTBOUND_ALLOW: service.host, CONVERSATION_TITLES: 'question' }),
  );
  admin = await app.client();
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  service.handler = answer;
  heard = null;
});

function inputOf(over: JsonObject = {}): JsonObject {
  return {
    key: 'get_item',
    name: 'Item',
    description: 'Gets an item of the stock by its number.',
    method: 'GET',
    url: `${service.url}/items/{id}`,
    parameters: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', minimum: 1 }, page: { type: 'integer' } },
    },
    secrets: [{ name: 'Authorization', value: SECRET }],
    resultPath: '$.data',
    ...over,
  };
}

async function register(over: JsonObject = {}, client: TestClient = admin): Promise<SkillView> {
  return (await client.get<{ registerHttpSkill: SkillView }>(REGISTER, { input: inputOf(over) }))
    .registerHttpSkill;
}

async function tryOut(key: string, input: JsonObject): Promise<JsonObject> {
  return (await admin.get<{ tryHttpSkill: JsonObject }>(TRY, { key, arguments: input })).tryHttpSkill;
}

describe('an HTTP skill', () => {
  it('is in the catalogue as it was registered, without its secret', async () => {
    const skill = await register();
    expect(skill).toMatchObject({
      key: 'get_item',
      kind: 'HTTP',
      active: true,
      available: true,
      timeoutSeconds: 15,
      http: {
        method: 'GET',
        url: `${service.url}/items/{id}`,
        headers: [],
        secrets: [{ in: 'HEADER', name: 'Authorization' }],
        body: null,
        resultPath: '$.data',
        timeoutSeconds: 15,
      },
    });
    const { skills } = await admin.get<{ skills: SkillView[] }>(LIST);
    expect(skills.find(({ key }) => key === 'get_item')).toEqual(skill);
    expect(skills.filter(({ kind }) => kind !== 'HTTP').every(({ http }) => http === null)).toBe(true);
    expect(JSON.stringify(skills)).not.toContain('s3cret');
    const stored = await app.database.dataSource.query<object[]>('SELECT * FROM skill_definition');
    const audit = await app.database.dataSource.query<object[]>('SELECT * FROM audit_entry');
    expect(JSON.stringify(audit)).toContain('skill.registered');
    expect(JSON.stringify([stored, audit])).not.toContain('s3cret');
  });

  it('is called by a model, which never reads the secret', async () => {
    reply = (body) =>
      lastOf(body).role === 'tool'
        ? [text('Found.'), finish()]
        : [toolCall('get_item', { id: 7, page: 2 }), finish()];
    const { turnId } = await admin.ask('What is item 7?');
    const events = await admin.allEvents(turnId);
    expect(events.filter(({ __typename }) => __typename === 'SkillFinished')).toMatchObject([
      { skill: 'get_item', callStatus: 'SUCCEEDED' },
    ]);
    expect(toolsOf(app.provider.requests[0])).toContain('get_item');
    expect(heard).toMatchObject({ line: 'GET /items/7?page=2', headers: { authorization: SECRET } });
    const told = lastOf(app.provider.requests.at(-1)).content;
    expect(told).toContain('Item of /items/7');
    expect(told).not.toContain('s3cret');
  });

  it('is tried out by an admin', async () => {
    expect(await tryOut('get_item', { id: 3 })).toMatchObject({
      request: { method: 'GET', url: `${service.url}/items/3`, body: null },
      response: { status: 200, mediaType: 'application/json' },
      result: { name: 'Item of /items/3', told: '•••' },
      error: null,
    });
    const refused = await tryOut('get_item', { id: 0 });
    expect(refused).toMatchObject({ request: null, response: null, result: null });
    expect(refused.error).toContain('id must be >= 1');
    service.handler = (_, response) => void response.writeHead(302, { location: closed.url }).end();
    expect((await tryOut('get_item', { id: 3 })).error).toContain('may not be reached');
    expect(closed.requests).toEqual([]);
  });

  it('is not tried with arguments that are nested too deep', async () => {
    const id = JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) as JsonValue;
    const { errors } = await admin.send(TRY, { key: 'get_item', arguments: { id } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('keeps its secret when it is changed, but for another host', async () => {
    await register({ replace: true, name: 'Stock item', secrets: null });
    await tryOut('get_item', { id: 1 });
    expect(heard?.headers.authorization).toBe(SECRET);
    const elsewhere = { replace: true, url: `${closed.url}/{id}`, secrets: null };
    expect(await admin.codes(REGISTER, { input: inputOf(elsewhere) })).toEqual(['BAD_USER_INPUT']);
    const { http } = await register({ replace: true, secrets: [] });
    expect(http?.secrets).toEqual([]);
    await tryOut('get_item', { id: 1 });
    expect(heard?.headers).not.toHaveProperty('authorization');
  });

  it('with a path of earlier times that takes for ever is not used until it is registered again', async () => {
    await register({ key: 'old_path' });
    await app.database.dataSource.query(
      `UPDATE skill_definition SET settings = jsonb_set(settings, '{resultPath}', '"$..*"')
       WHERE skill_id = (SELECT id FROM skill WHERE key = 'old_path')`,
    );
    await app.database.dataSource.query(`UPDATE skill SET revision = revision + 1 WHERE key = 'old_path'`);
    const { skills } = await admin.get<{ skills: SkillView[] }>(LIST);
    expect(skills.find(({ key }) => key === 'old_path')).toMatchObject({
      available: false,
      unavailableReason: expect.stringContaining('no ..'),
      http: { resultPath: '$..*' },
    });
    expect(await admin.codes(TRY, { key: 'old_path', arguments: { id: 1 } })).toEqual(['CONFLICT']);
    expect(await register({ key: 'old_path', replace: true })).toMatchObject({ available: true });
  });

  it('takes the place of no other skill unasked', async () => {
    expect(await admin.codes(REGISTER, { input: inputOf() })).toEqual(['CONFLICT']);
    for (const replace of [false, true]) {
      const input = inputOf({ key: 'get_company_profile', replace });
      expect(await admin.codes(REGISTER, { input })).toEqual(['CONFLICT']);
    }
  });

  it('is its company’s own, and its admins’', async () => {
    const other = await app.client({ company: await app.company() });
    expect(await other.codes(TRY, { key: 'get_item', arguments: { id: 1 } })).toEqual(['NOT_FOUND']);
    expect(await other.codes(REMOVE, { key: 'get_item' })).toEqual(['NOT_FOUND']);
    const member = await app.client({ sub: 'bea', role: 'MEMBER' });
    for (const [operation, variables] of [
      [REGISTER, { input: inputOf({ key: 'mine' }) }],
      [REMOVE, { key: 'get_item' }],
      [TRY, { key: 'get_item', arguments: {} }],
      [PREVIEW, { input: { document: '{}' } }],
      [IMPORT, { input: { document: '{}', operations: ['a'] } }],
    ] as const) {
      expect(await member.codes(operation, variables)).toEqual(['FORBIDDEN']);
    }
    const { skills } = await member.get<{ skills: SkillView[] }>(LIST);
    expect(skills.find(({ key }) => key === 'get_item')).toMatchObject({ http: null });
  });

  it('is gone when it is removed', async () => {
    const { id } = await register({ key: 'soon_gone' });
    expect(await admin.get(REMOVE, { key: 'soon_gone' })).toEqual({ removeHttpSkill: id });
    expect(await admin.codes(REMOVE, { key: 'soon_gone' })).toEqual(['NOT_FOUND']);
    expect(await admin.codes(REMOVE, { key: 'get_company_profile' })).toEqual(['NOT_FOUND']);
    const { skills } = await admin.get<{ skills: SkillView[] }>(LIST);
    expect(skills.map(({ key }) => key)).not.toContain('soon_gone');
  });

  it.each<[string, JsonObject, string]>([
    ['a key that is none', { key: 'Get-Item' }, 'input.key'],
    ['a name that nobody sees', { name: '\u200b' }, 'input.name'],
    ['a host made of an argument', { url: 'https://{id}.example.com/' }, 'input.url'],
    ['an argument that is not described', { url: 'https://api.example.com/{other}' }, 'input.url'],
    ['parameters of another type', { parameters: { type: 'array' } }, 'input.parameters'],
    [
      'a pattern that takes for ever',
      { parameters: { properties: { id: { pattern: '(?=a)' } } } },
      'input.parameters',
    ],
    ['a filter', { resultPath: '$[?@.a]' }, 'input.resultPath'],
    ['a path to everywhere', { resultPath: '$..*' }, 'input.resultPath'],
    ['a schema that takes long to read', { parameters: intricate }, 'input.parameters'],
    ['a key in the address', { url: 'https://api.example.com/items?appid=abcdef' }, 'input.url'],
    ['a token in the address', { url: 'https://api.example.com/{id}?access_token=abc' }, 'input.url'],
    [
      'a secret given in the open',
      { headers: [{ name: 'X-Api-Key', value: 'abcdef' }] },
      'input.headers.0.name',
    ],
    ['a header that ends', { headers: [{ name: 'X-A', value: 'a\r\nX-B: c' }] }, 'input.headers.0.value'],
    ['the host’s header', { headers: [{ name: 'Host', value: 'a.example' }] }, 'input.headers.0.name'],
    ['a GET with a body', { body: 'JSON' }, 'input.body'],
    [
      'an argument in a secret’s place',
      { placements: [{ argument: 'page', in: 'HEADER', name: 'authorization' }] },
      'input.placements.0.name',
    ],
    [
      'an argument in two places',
      {
        placements: [
          { argument: 'page', in: 'QUERY' },
          { argument: 'page', in: 'QUERY' },
        ],
      },
      'input.placements.1.argument',
    ],
    ['half an eternity', { timeoutSeconds: 900 }, 'input.timeoutSeconds'],
  ])('is refused with %s', async (_, over, argument) => {
    const { errors } = await admin.send(REGISTER, { input: inputOf({ key: 'refused', ...over }) });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument } }]);
  });
});

describe('an OpenAPI document', () => {
  let document: string;
  beforeAll(async () => {
    document = await readFile(
      new URL('../../packages/openapi/src/fixtures/shop-3.0.yaml', import.meta.url),
      'utf8',
    );
  });

  it('is shown before anything is made of it', async () => {
    const { previewOpenApiImport: preview } = await admin.get<{ previewOpenApiImport: JsonObject }>(PREVIEW, {
      input: { document, prefix: 'shop' },
    });
    expect(preview).toMatchObject({
      title: 'Corner shop',
      serverUrl: 'https://eu.shop.example/v1/',
      credentials: [
        { in: 'HEADER', name: 'X-Api-Key' },
        { in: 'HEADER', name: 'Authorization' },
      ],
      omitted: 0,
    });
    expect(preview.operations).toHaveLength(6);
    expect(preview.operations).toContainEqual(
      expect.objectContaining({ key: 'shop_upload_picture', isImportable: false, parameters: null }),
    );
  });

  it('becomes skills that can be called', async () => {
    const { importOpenApi: skills } = await admin.get<{ importOpenApi: SkillView[] }>(IMPORT, {
      input: {
        document,
        prefix: 'shop',
        serverUrl: `${service.url}/v1/`,
        operations: ['listArticles', 'createArticle'],
        secrets: [{ name: 'x-api-key', value: 'key-of-the-shop' }],
      },
    });
    expect(skills.map(({ key, category }) => [key, category])).toEqual([
      ['shop_create_article', 'Corner shop'],
      ['shop_list_articles', 'Corner shop'],
    ]);
    // What is sent with every call is no argument.
    expect(JSON.stringify(skills.map(({ inputSchema }) => inputSchema))).not.toContain('X_Api_Key');
    await tryOut('shop_list_articles', { limit: 5, tags_: ['a', 'b'] });
    expect(heard).toMatchObject({
      line: 'GET /v1/articles?limit=5&tags%5B%5D=a&tags%5B%5D=b',
      headers: { 'x-api-key': 'key-of-the-shop' },
    });
    const made = await tryOut('shop_create_article', { name: 'q', body_name: 'Bread', price: 2.5 });
    expect(made.error).toBeNull();
    expect(heard).toMatchObject({ line: 'POST /v1/articles?name=q', body: '{"name":"Bread","price":2.5}' });
    expect(heard?.headers).toHaveProperty('idempotency-key');
  });

  it('is read by its address, from the open internet alone', async () => {
    service.handler = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/yaml' })
        .end(document.replace(/servers:[^]*?security:/, 'servers: [{ url: ./v2 }]\nsecurity:'));
    const url = `${service.url}/docs/openapi.yaml`;
    const { previewOpenApiImport: preview } = await admin.get<{ previewOpenApiImport: JsonObject }>(PREVIEW, {
      input: { url },
    });
    expect(preview.serverUrl).toBe(`${service.url}/docs/v2`);
    expect(await admin.codes(PREVIEW, { input: { url: closed.url } })).toEqual(['BAD_USER_INPUT']);
    expect(closed.requests).toEqual([]);
  });

  it('becomes the skills that it can, and says of each other one why not, as its preview does', async () => {
    const long = 'x'.repeat(250);
    const wide = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Wide', version: '1' },
      servers: [{ url: service.url }],
      paths: {
        '/good': { get: { operationId: 'good' } },
        '/long': {
          get: { operationId: 'long', parameters: [{ name: long, in: 'query', schema: { type: 'string' } }] },
        },
        '/open': { get: { operationId: 'open?', summary: 'x' } },
        '/taken': { get: { operationId: 'taken_already' } },
        '/key?api_key=abcd1234': { get: { operationId: 'leaks' } },
      },
    });
    await register({ key: 'taken_already' });
    const { previewOpenApiImport: preview } = await admin.get<{
      previewOpenApiImport: {
        operations: { operationId: string; isImportable: boolean; problems: string[] }[];
      };
    }>(PREVIEW, { input: { document: wide } });
    const operations = ['good', 'long', 'open?', 'taken_already', 'leaks', 'nowhere'];
    const { importOpenApiOperations: result } = await admin.get<{
      importOpenApiOperations: {
        skills: { key: string }[];
        refused: { operationId: string; reason: string }[];
      };
    }>(
      `mutation ($input: ImportOpenApiInput!) { importOpenApiOperations(input: $input) {
         skills { key } refused { operationId reason } } }`,
      { input: { document: wide, operations } },
    );
    expect(result.skills.map(({ key }) => key)).toEqual(['good', 'open']);
    expect(result.refused.map(({ operationId }) => operationId).toSorted()).toEqual([
      'leaks',
      'long',
      'nowhere',
      'taken_already',
    ]);
    const told = new Map(preview.operations.map((one) => [one.operationId, one]));
    for (const { operationId, reason } of result.refused) {
      if (['nowhere', 'taken_already'].includes(operationId)) continue;
      expect(told.get(operationId)).toMatchObject({
        isImportable: false,
        problems: expect.arrayContaining([reason]),
      });
    }
    expect(told.get('taken_already')?.problems).toEqual([expect.stringContaining('replace')]);
    expect(told.get('good')).toMatchObject({ isImportable: true, problems: [] });
    const { errors } = await admin.send(IMPORT, {
      input: { document: wide, operations: ['long', 'leaks', 'good'] },
    });
    expect(errors?.[0]?.message).toMatch(/long cannot be imported: .*leaks cannot be imported: /);
  });

  it('becomes all of the skills or none', async () => {
    const input = { document, serverUrl: service.url, operations: ['sign_in', 'uploadPicture'] };
    expect(await admin.codes(IMPORT, { input })).toEqual(['BAD_USER_INPUT']);
    await register({ key: 'list_articles' });
    const taken = { document, serverUrl: service.url, operations: ['sign_in', 'listArticles'] };
    expect(await admin.codes(IMPORT, { input: taken })).toEqual(['CONFLICT']);
    const { skills } = await admin.get<{ skills: SkillView[] }>(LIST);
    expect(skills.map(({ key }) => key)).not.toContain('sign_in');
  });

  it.each<[string, JsonObject]>([
    ['neither a document nor an address', {}],
    ['both', { document: 'a', url: 'https://a.example/' }],
    ['what is no document', { document: 'hello' }],
    ['an address of a file', { url: 'file:///etc/passwd' }],
    ['a prefix that is none', { document: 'a', prefix: 'A-' }],
  ])('is refused when it is %s', async (_, input) => {
    expect(await admin.codes(PREVIEW, { input })).toEqual(['BAD_USER_INPUT']);
  });
});
