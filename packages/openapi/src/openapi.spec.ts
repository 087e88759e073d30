import { readFile } from 'node:fs/promises';

import type { JsonObject } from '@palabre/json';
import {
  BadDocument,
  credentialsOf,
  type OpenApiDocument,
  readDocument,
  serverOf,
} from './openapi-document.js';
import { type ImportableOperation, operationsOf } from './openapi-operations.js';

async function documentOf(name: string): Promise<OpenApiDocument> {
  return readDocument(await readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8'));
}

async function operationsIn(name: string): Promise<Map<string, ImportableOperation>> {
  const { operations } = await operationsOf(await documentOf(name), null);
  return new Map(operations.map((operation) => [operation.key, operation]));
}

function propertiesOf(operation: ImportableOperation | undefined): JsonObject {
  return operation?.parameters?.properties as JsonObject;
}

/** The first operation of a 3.1 document with only these paths. */
async function firstOf(paths: object, more: object = {}): Promise<ImportableOperation | undefined> {
  const servers = [{ url: 'https://api.example' }];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers,
    paths,
    ...more,
  });
  return (await operationsOf(await readDocument(text), null)).operations[0];
}

it('integers of 64 bits may be given as digits, but in a body', async () => {
  const id = { type: 'integer', format: 'int64' };
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: id },
    { name: 'also', in: 'query', schema: { type: 'array', items: { ...id, type: ['integer', 'null'] } } },
    { name: 'page', in: 'query', schema: { type: 'integer', format: 'int32' } },
  ];
  const schema = { type: 'object', properties: { owner: id } };
  const requestBody = { content: { 'application/json': { schema } } };
  const operation = await firstOf({ '/pets/{id}': { put: { parameters, requestBody } } });
  const pattern = '^-?[0-9]{1,19}$';
  expect(propertiesOf(operation)).toEqual({
    id: { type: ['integer', 'string'], format: 'int64', pattern },
    also: { type: 'array', items: { type: ['integer', 'null', 'string'], format: 'int64', pattern } },
    page: { type: 'integer', format: 'int32' },
    owner: id,
  });
});

describe('what the service alone sets', () => {
  const line = {
    type: 'object',
    required: ['id', 'qty'],
    properties: { id: { type: 'integer', readOnly: true }, qty: { type: 'integer' } },
  };
  const asked = { type: 'object', required: ['qty'], properties: { qty: { type: 'integer' } } };
  const sent = async (schema: object): Promise<JsonObject> => {
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    return propertiesOf(await firstOf({ '/orders': { post: { requestBody } } }));
  };

  it.each([
    ['in a field', line, asked],
    ['in a list', { type: 'array', items: line }, { type: 'array', items: asked }],
    ['in one of several', { oneOf: [line, { type: 'null' }] }, { oneOf: [asked, { type: 'null' }] }],
    ['in a value by name', { additionalProperties: line }, { additionalProperties: asked }],
    [
      'in one part, required by another',
      { required: ['id'], allOf: [{ required: ['id', 'qty'] }, { properties: line.properties }] },
      { allOf: [{ required: ['qty'] }, { properties: asked.properties }] },
    ],
    [
      'where it may be null',
      { required: ['id'], properties: { id: { anyOf: [{ readOnly: true }, { type: 'null' }] } } },
      { properties: {} },
    ],
  ])('is not asked for %s', async (_, schema, expected) => {
    const properties = { line: schema };
    expect(await sent({ type: 'object', required: ['line'], properties })).toEqual({ line: expected });
  });

  it('is not asked for in a body that is no object of fields', async () => {
    expect(await sent({ oneOf: [line, { type: 'string' }] })).toEqual({
      body: { oneOf: [asked, { type: 'string' }] },
    });
  });
});

it('tells what is not done as the document has it', async () => {
  const components = { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } };
  const parameters = [
    { name: 'id', in: 'path', required: true, style: 'matrix', schema: { type: 'string' } },
    { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'array' } } } },
  ];
  const get = { parameters, security: [{ session: [] }], servers: [{ url: 'https://other.example' }] };
  expect((await firstOf({ '/pets/{id}': { get } }, { components }))?.problems).toEqual([
    'The parameter id of the path is sent plainly, not as matrix.',
    'Lists in filter are sent as repeated parameters.',
    'The document names another server for it, which is not used: register it with that address.',
    'It wants a key in the cookie sid, which cannot be sent.',
  ]);
});

describe('a document of OpenAPI 3.0, in YAML', () => {
  it('says what it is, where its service is, and what that wants to see', async () => {
    const document = await documentOf('shop-3.0.yaml');
    expect(document).toMatchObject({ title: 'Corner shop', version: '2.4.0', isOld: true });
    expect(serverOf(document, null)).toBe('https://eu.shop.example/v1/');
    expect(credentialsOf(document)).toEqual([
      { in: 'HEADER', name: 'X-Api-Key' },
      { in: 'HEADER', name: 'Authorization' },
    ]);
  });

  it('has operations, each with a key of its own', async () => {
    const operations = await operationsIn('shop-3.0.yaml');
    expect(
      [...operations.values()].map(({ key, method, path, operationId }) => [key, method, path, operationId]),
    ).toEqual([
      ['list_articles', 'GET', '/articles', 'listArticles'],
      ['create_article', 'POST', '/articles', 'createArticle'],
      ['put_articles_article_id', 'PUT', '/articles/{article-id}', 'put /articles/{article-id}'],
      ['delete_articles_article_id', 'DELETE', '/articles/{article-id}', 'delete /articles/{article-id}'],
      ['upload_picture', 'POST', '/articles/{article-id}/picture', 'uploadPicture'],
      ['sign_in', 'POST', '/session', 'sign_in'],
    ]);
    const { operations: prefixed } = await operationsOf(await documentOf('shop-3.0.yaml'), 'shop');
    expect(prefixed[0]?.key).toBe('shop_list_articles');
  });

  it('has arguments of the query and headers, the operation’s before the path’s', async () => {
    const list = (await operationsIn('shop-3.0.yaml')).get('list_articles');
    expect(list).toMatchObject({
      summary: 'Lists the articles',
      description: 'Lists the articles\nIn the order of their names.',
      template: '/articles',
      body: null,
      problems: [],
    });
    expect(list?.parameters).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['X_Api_Key'],
      properties: {
        limit: { type: 'integer', exclusiveMinimum: 0, maximum: 100, description: 'How many.' },
        tags_: { type: 'array', items: { type: 'string' } },
        X_Api_Key: { type: 'string' },
      },
    });
    expect(list?.placements).toEqual([
      { argument: 'limit', in: 'QUERY', name: 'limit' },
      { argument: 'tags_', in: 'QUERY', name: 'tags[]' },
      { argument: 'X_Api_Key', in: 'HEADER', name: 'X-Api-Key' },
    ]);
  });

  it('has the fields of a body as arguments, put together, and told apart from others of their name', async () => {
    const create = (await operationsIn('shop-3.0.yaml')).get('create_article');
    expect(create?.description).toContain('Deprecated');
    expect(create?.body).toBe('JSON');
    expect(propertiesOf(create)).toEqual({
      limit: { type: 'string' },
      name: { type: 'string' },
      // Keywords that cannot be checked here, or are only for readers, are left out.
      body_name: { type: ['string', 'null'] },
      price: { type: 'number' },
      kind: { type: ['string', 'null'], enum: ['food', 'drink', null] },
    });
    expect(create?.parameters?.required).toEqual(['body_name', 'price']);
    expect(create?.placements).toContainEqual({ argument: 'body_name', in: 'BODY', name: 'name' });
  });

  it('has arguments in the path under names that templates know', async () => {
    const operations = await operationsIn('shop-3.0.yaml');
    const put = operations.get('put_articles_article_id');
    expect(put?.template).toBe('/articles/{article_id}');
    expect(propertiesOf(put)).toMatchObject({ article_id: { type: 'string', format: 'uuid' } });
    expect(put?.parameters?.required).toContain('article_id');
    const remove = operations.get('delete_articles_article_id');
    expect(remove).toMatchObject({ summary: 'Removes an article', body: null });
  });

  it('says what cannot be sent', async () => {
    const operations = await operationsIn('shop-3.0.yaml');
    const upload = operations.get('upload_picture');
    expect(upload?.parameters).toBeNull();
    expect(upload?.problems).toEqual([
      'The parameter article-id of the path is described nowhere: taken for a text.',
      'A body of multipart/form-data cannot be sent with POST, and it is required.',
    ]);
    const signIn = operations.get('sign_in');
    expect(signIn?.body).toBe('FORM');
    expect(Object.keys(propertiesOf(signIn))).toEqual(['user', 'pass_word']);
    // The body is optional.
    expect(signIn?.parameters).not.toHaveProperty('required');
  });
});

describe('a document of OpenAPI 3.1, in JSON', () => {
  it('knows where its service is by where it was found', async () => {
    const document = await documentOf('tree-3.1.json');
    expect(serverOf(document, null)).toBeNull();
    expect(serverOf(document, 'https://trees.example/docs/openapi.json')).toBe('https://trees.example/api');
  });

  it('keeps arguments of one name apart by their places', async () => {
    const get = (await operationsIn('tree-3.1.json')).get('get_tree');
    expect(get?.template).toBe('/trees/{id}');
    expect(propertiesOf(get)).toEqual({
      id: { type: 'integer', exclusiveMinimum: 0 },
      query_id: { type: ['string', 'null'] },
      header_id: { type: 'string' },
      filter: { type: 'object' },
    });
  });

  it('has a body that is no object of fields as one argument', async () => {
    const operations = await operationsIn('tree-3.1.json');
    const search = operations.get('search_trees');
    expect(search).toMatchObject({
      body: 'JSON',
      placements: [{ argument: 'body', in: 'WHOLE_BODY', name: 'body' }],
      parameters: {
        required: ['body'],
        properties: { body: { oneOf: [{ required: ['by', 'name'] }, { required: ['by'] }] } },
      },
      problems: [expect.stringContaining('application/vnd.trees+json')],
    });
    const replace = operations.get('replace_trees');
    expect(JSON.stringify(replace?.parameters)).not.toContain('$ref');
    expect(propertiesOf(replace)).toMatchObject({
      body: { type: 'array', items: { properties: { branches: { type: 'array' } } } },
    });
  });
});

describe('a broken document', () => {
  it('is told operation by operation', async () => {
    const operations = await operationsIn('broken-3.0.json');
    const problems = Object.fromEntries(
      [...operations].map(([key, { parameters, problems }]) => [key, parameters === null ? problems : null]),
    );
    expect(problems).toEqual({
      ok: null,
      remote: [expect.stringContaining('leads out of the document')],
      file: [expect.stringContaining('leads out of the document')],
      circle: [expect.stringContaining('too many others')],
      evil_host: [expect.stringContaining('slash')],
      up: [expect.stringContaining('..')],
      cookie: [expect.stringContaining('cookie')],
      // Whether its schemas are valid is found out when it is imported.
      type: null,
    });
    expect(operations.get('ok')).toMatchObject({ summary: 'GET /ok/{id}', template: '/ok/{id}' });
  });

  it('does not say where its service is when that has gaps', async () => {
    expect(serverOf(await documentOf('broken-3.0.json'), null)).toContain('{tenant}');
  });

  it.each([
    ['nothing', ''],
    ['a text', 'hello'],
    ['half a JSON', '{"openapi": "3.0.0", '],
    ['Swagger', '{"swagger":"2.0","paths":{}}'],
    ['another version', 'openapi: 4.0.0\npaths: {}'],
    ['no paths', 'openapi: 3.1.0'],
    ['a list', '- openapi: 3.1.0'],
    ['a circle', 'openapi: 3.1.0\npaths: &a { b: *a }'],
    ['more than is read', ' '.repeat(2_000_001)],
  ])('is refused when it is %s', async (_, text) => {
    await expect(readDocument(text)).rejects.toThrow(BadDocument);
  });

  it('has at most so many operations, and says how many more there are', async () => {
    const paths = Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`/p${index}`, { get: {} }]));
    const { operations, omitted } = await operationsOf(
      await readDocument(JSON.stringify({ openapi: '3.1.0', paths })),
      null,
    );
    expect([operations.length, omitted]).toEqual([500, 10]);
  });
});

describe('YAML', () => {
  it.each([
    [
      'a fault',
      '\nopenapi: 3.1.0\npaths: b: c',
      'Nested mappings are not allowed in compact mappings at line 3,',
    ],
    ['a JSON without its end', '{"openapi": "3.1.0",\n ', 'Flow map must end with a } at line 2,'],
    ['a name for nothing', 'a: *nothing', 'Unresolved alias'],
    ['a circle', 'a: &a { b: *a }', 'It contains itself.'],
  ])('with %s is refused by what is wrong, and where', async (_, text, words) => {
    const refusal = await readDocument(text).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BadDocument);
    const { message } = refusal as BadDocument;
    expect(message).toContain(`neither JSON nor YAML that can be read. ${words}`);
    // The line itself is hidden, because the document may be read from its address.
    expect(message).not.toContain('\n');
  });

  it('does not grow by what refers to itself', async () => {
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [index, name] of [...'bcdefghi'].entries()) {
      levels.push(`${name}: &${name} [${`*${'abcdefghi'[index]},`.repeat(9)}]`);
    }
    await expect(readDocument(levels.join('\n'))).rejects.toThrow(BadDocument);
  });
});

describe('an operation that would take long to read', () => {
  const large = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`field_number_${index}`, { type: 'string' }]),
    ),
  };
  const named = (count: number, where: string, schema: object) =>
    Array.from({ length: count }, (_, index) => ({ name: `p${'!'.repeat(index)}`, in: where, schema }));

  it.each([
    ['repeats a schema', named(400, 'query', { $ref: '#/components/schemas/Large' }), 'too large'],
    [
      'repeats it where it is left out anyway',
      [...named(400, 'cookie', { $ref: '#/components/schemas/Large' })],
      'too large',
    ],
    ['has very many arguments', named(300, 'query', { type: 'string' }), 'more than 200 arguments'],
    ['has even more', named(600, 'cookie', { type: 'string' }), 'more than 500 parameters'],
  ])('as it %s is told so', async (_, parameters, words) => {
    const more = { components: { schemas: { Large: large } } };
    const operation = await firstOf({ '/a': { get: { parameters } } }, more);
    expect(operation).toMatchObject({ parameters: null, problems: [expect.stringContaining(words)] });
  });

  it('as its path is long is told so', async () => {
    const operation = await firstOf({ [`/${'{a}'.repeat(1_000)}`]: { get: {} } });
    expect(operation).toMatchObject({ parameters: null, problems: [expect.stringContaining('too long')] });
  });
});

/** The only operation of a document. */
async function operationOf(operation: JsonObject): Promise<ImportableOperation> {
  const paths = { '/a': { post: operation } };
  const document = await readDocument(JSON.stringify({ openapi: '3.1.0', paths }));
  const { operations } = await operationsOf(document, null);
  return operations[0]!;
}

function withBody(type: string, schema: JsonObject, required?: boolean): JsonObject {
  return {
    requestBody: { ...(required !== undefined && { required }), content: { [type]: { schema } } },
  };
}

describe('a body of several parts', () => {
  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };

  it.each([
    [true, 'it is required'],
    [undefined, 'nothing says that it may be left out'],
  ])('keeps an operation away when its being required is %s', async (required, words) => {
    const { parameters, problems } = await operationOf(withBody('multipart/form-data', file, required));
    expect(parameters).toBeNull();
    expect(problems).toEqual([expect.stringContaining(words)]);
  });

  it('is left out when it may be', async () => {
    const { parameters, problems } = await operationOf(withBody('multipart/form-data', file, false));
    expect(parameters).not.toBeNull();
    expect(problems).toEqual(['A body of multipart/form-data cannot be sent with POST: left out.']);
  });
});

it('tells which fields of a form are sent otherwise than services expect', async () => {
  const part = { type: 'object', additionalProperties: { type: 'string' } };
  const { parameters, problems } = await operationOf(
    withBody('application/x-www-form-urlencoded', {
      type: 'object',
      properties: {
        amount: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        metadata: part,
        lines: { type: 'array', items: part },
        owner: { type: ['object', 'null'] },
        place: { allOf: [{ properties: { city: { type: 'string' } } }] },
      },
    }),
  );
  expect(parameters).not.toBeNull();
  expect(problems.map((problem) => /field (\w+) of the form are sent as JSON/.exec(problem)?.[1])).toEqual([
    'metadata',
    'lines',
    'owner',
    'place',
  ]);
});

it('tells which parameters of the query are sent as JSON, but for those that are JSON', async () => {
  const schema = { type: 'object' };
  const { problems } = await operationOf({
    parameters: [
      { name: 'where', in: 'query', schema },
      { name: 'filter', in: 'query', style: 'deepObject', schema },
      { name: 'json', in: 'query', content: { 'application/json': { schema } } },
    ],
  });
  expect(problems).toEqual([expect.stringContaining('where'), expect.stringContaining('filter')]);
});

describe('a pattern that cannot be checked here', () => {
  it('is told, once, wherever it stands', async () => {
    const schema = { type: 'string', pattern: '(?<=x)y' };
    const { parameters, problems } = await operationOf({
      parameters: [
        { name: 'a', in: 'query', schema },
        { name: 'b', in: 'query', schema },
        { name: 'c', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } },
      ],
      ...withBody('application/json', { type: 'object', patternProperties: { '(?!x)': {}, '^y': {} } }),
    });
    expect(JSON.stringify(parameters)).not.toMatch(/\(\?/);
    expect(problems).toEqual([
      expect.stringContaining('The pattern (?<=x)y is left to the service'),
      expect.stringContaining('The pattern (?!x) is left to the service'),
    ]);
  });

  it('makes no endless list of problems', async () => {
    const patterns = Array.from({ length: 50 }, (_, index) => `(?!${index}${'x'.repeat(500)})`);
    const { problems } = await operationOf({
      parameters: patterns.map((pattern, index) => ({ name: `p${index}`, in: 'query', schema: { pattern } })),
    });
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)).toContain('45 other patterns');
    expect(problems.join('').length).toBeLessThan(1_500);
  });
});

it('has another key where the usual one is reserved', async () => {
  const document = await readDocument(
    JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { operationId: 'loadSkill' } } } }),
  );
  const { operations } = await operationsOf(document, null, { isReserved: (key) => key === 'load_skill' });
  expect(operations[0]?.key).toBe('load_skill_2');
});
