import type { Client } from '@modelcontextprotocol/client';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { readConfig } from '../../src/common/config/read-config.js';
import { McpDoor } from '../../src/doors/mcp/mcp-door.service.js';
import { processed, upload } from '../harness/document-view.js';
import { callTool, eras, mcpClient } from '../harness/mcp-client.js';
import { skillMd, uploadPacks, zipOf } from '../harness/pack-uploads.js';
import { barrier, newQuestion, ScriptBook } from '../harness/script-book.js';
import { SECRET, startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const ORIGIN = 'https://app.example.org';
const UPDATE = 'update_company_profile';
const answered = [text('Bonjour, Ada.'), finish()];
const askUser = toolCall('ask_user', { prompt: 'Dans quelle ville ?' }, 'call_ask');

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;
let documentId: string;

beforeAll(async () => {
  app = stack.use(
    await startApp(book.replyTo, { CORS_ORIGINS: ORIGIN, MCP_SKILLS: `get_company_profile,${UPDATE}` }),
  );
  ada = await app.client();
  documentId = await upload(
    ada,
    'congés.md',
    '# Congés\n\nChaque salarié a vingt-cinq jours de congés payés.',
  );
  await processed(ada, documentId);
  const pack = skillMd('rapport', 'Comment écrire un rapport.', '# Rapport\n\nCommence par le résultat.');
  await uploadPacks(ada, await zipOf({ 'rapport/SKILL.md': pack }));
  await ada.get(
    `mutation { setSkillApproval(key: "${UPDATE}", required: true, askerMayApprove: true) { id } }`,
  );
});
afterAll(() => stack.disposeAsync());

async function keyWith(...scopes: string[]): Promise<{ url: string; token: string }> {
  const query = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }`;
  const { createApiKey } = await ada.get<{ createApiKey: { secret: string } }>(query, {
    input: { name: 'MCP', scopes },
  });
  return { url: app.url, token: createApiKey.secret };
}

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** A request of 2026-07-28, or of a version that claims to be one. */
function modern(method: string, params: object = {}, version = '2026-07-28') {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method };
  return { body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers };
}

describe.each(eras)('to clients of %s', (era) => {
  let client: Client;
  beforeEach(async () => {
    client = await mcpClient(ada, era);
  });
  afterEach(() => client.close());

  it('offers assistants, documents, packs and the skills that the operator has named', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([
      ...names.filter((name) => name.startsWith('ask_')).toSorted(),
      'get_answer',
      'answer_question',
      'cancel_answer',
      'search_documents',
      // What changes something is no tool, whoever has named it.
      'use_get_company_profile',
    ]);
    const ask = tools.find(({ name }) => name === 'ask_mefali');
    expect(ask).toMatchObject({
      inputSchema: { type: 'object', required: ['message'] },
      outputSchema: { type: 'object', required: expect.arrayContaining(['turnId', 'status', 'answer']) },
      annotations: { readOnlyHint: false, idempotentHint: false },
    });
    expect(tools.find(({ name }) => name === 'search_documents')?.annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect((await client.callTool({ name: 'use_get_company_profile', arguments: {} })).content).toMatchObject(
      [{ type: 'text', text: expect.stringContaining('name') }],
    );
    const { prompts } = await client.listPrompts();
    const prompt = prompts.find(({ name }) => name.endsWith('rapport'));
    expect(prompt).toMatchObject({ title: 'rapport', description: 'Comment écrire un rapport.' });
    expect(await client.getPrompt({ name: prompt?.name ?? '' })).toMatchObject({
      messages: [{ role: 'user', content: { text: expect.stringContaining('Commence par le résultat.') } }],
    });
  });

  it('asks, goes on in the conversation, and tells of the turn first', async () => {
    const told: (string | undefined)[] = [];
    const first = await callTool(
      client,
      'ask_mefali',
      { message: book.add(answered) },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(first).toMatchObject({
      text: expect.stringContaining('Bonjour, Ada.'),
      report: { status: 'COMPLETED', answer: 'Bonjour, Ada.', waitsFor: [], error: null },
      isError: false,
    });
    expect(told[0]).toBe(`turnId: ${first.report.turnId}`);
    expect(told).toContain('Bonjour, Ada.');
    const second = await callTool(client, 'ask_mefali', {
      message: book.add([text('Encore.'), finish()]),
      conversationId: first.report.conversationId,
    });
    expect(second.report).toMatchObject({ answer: 'Encore.', conversationId: first.report.conversationId });
    expect(
      await callTool(client, 'ask_therese', {
        message: 'Et vous ?',
        conversationId: first.report.conversationId,
      }),
    ).toMatchObject({ isError: true, text: expect.stringContaining('BAD_USER_INPUT') });
  });

  it('gives the same answer to the same key, also after a call that was cut off', async () => {
    const { step, reached, open } = barrier();
    const input = {
      message: book.add([text('Bon'), step, text('soir.'), finish()]),
      idempotencyKey: newQuestion(),
    };
    const cut = new AbortController();
    const broken = await mcpClient(ada, era, (address, init) =>
      fetch(address, {
        ...init,
        signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]),
      }),
    );
    const first = Promise.withResolvers<string>();
    const lost = callTool(broken, 'ask_mefali', input, {
      onprogress: ({ message = '' }) => first.resolve(message.replace('turnId: ', '')),
    });
    lost.catch(() => undefined);
    const turnId = await first.promise;
    await reached;
    cut.abort();
    // As far as this call waits, there is no answer yet.
    const early = await callTool(client, 'get_answer', { turnId, waitSeconds: 0 });
    expect(early).toMatchObject({
      report: { turnId, status: 'RUNNING', answer: null },
      text: expect.stringContaining('wait for it with get_answer'),
      isError: false,
    });
    const repeated = callTool(client, 'ask_mefali', input);
    open();
    expect((await repeated).report).toMatchObject({ turnId, answer: 'Bonsoir.' });
    expect((await callTool(client, 'get_answer', { turnId })).report).toMatchObject({ answer: 'Bonsoir.' });
    expect(await callTool(client, 'ask_mefali', { ...input, message: 'Autre chose' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('another question'),
    });
    await broken.close();
  });

  it('cancels by a tool, and with the call where that was asked for', async () => {
    const { step, reached, open } = barrier();
    const message = book.add([text('Il ét'), step, finish()]);
    const cut = new AbortController();
    const tied = await mcpClient(ada, era, (address, init) =>
      fetch(address, {
        ...init,
        signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]),
      }),
    );
    const first = Promise.withResolvers<string>();
    const lost = callTool(
      tied,
      'ask_mefali',
      { message, ifClosed: 'cancel' },
      { onprogress: ({ message = '' }) => first.resolve(message.replace('turnId: ', '')) },
    );
    lost.catch(() => undefined);
    const turnId = await first.promise;
    await reached;
    cut.abort();
    expect(await callTool(client, 'get_answer', { turnId })).toMatchObject({
      report: { status: 'CANCELLED' },
      isError: true,
    });
    open();
    await tied.close();
    const other = barrier();
    const waiting = await callTool(client, 'ask_mefali', {
      message: book.add([text('Il ét'), other.step, finish()]),
      waitSeconds: 0,
    });
    const cancelled = await callTool(client, 'cancel_answer', { turnId: waiting.report.turnId });
    expect(cancelled).toMatchObject({ report: { status: 'CANCELLED' }, isError: false });
    other.open();
  });

  it('has a question of the model answered by a tool', async () => {
    client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
    const asked = await callTool(client, 'ask_mefali', {
      message: book.add([askUser, finish()], [text('À Thiès.'), finish()]),
    });
    expect(asked).toMatchObject({
      report: {
        status: 'WAITING_FOR_INPUT',
        waitsFor: [{ kind: 'QUESTION', message: 'Dans quelle ville ?' }],
      },
      text: expect.stringContaining('answer_question'),
    });
    const [{ id: questionId }] = asked.report.waitsFor as [{ id: string }];
    const { turnId } = asked.report;
    const wrong = await callTool(client, 'answer_question', {
      turnId,
      questionId,
      answer: { ville: 'Thiès' },
    });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('BAD_USER_INPUT') });
    const right = await callTool(client, 'answer_question', {
      turnId,
      questionId,
      answer: { answer: 'Thiès' },
    });
    expect(right.report).toMatchObject({ status: 'COMPLETED', answer: 'À Thiès.' });
  });

  it('finds passages, and lists and reads documents', async () => {
    const found = await callTool(client, 'search_documents', { query: 'Combien de jours de congés payés ?' });
    const uri = `palabre://documents/${documentId}`;
    expect(found.report).toMatchObject({ passages: [{ document: 'congés.md', uri }] });
    expect(found.text).toContain('vingt-cinq jours');
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri, name: 'congés.md', mimeType: 'text/markdown' }]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining('vingt-cinq jours') }]);
    await expect(client.readResource({ uri: `${uri}/from/7` })).rejects.toThrow('not found');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'palabre://documents/{id}',
      'palabre://documents/{id}/from/{from}',
    ]);
  });

  it('does not show what is another company’s', async () => {
    const asked = await callTool(client, 'ask_mefali', { message: book.add(answered) });
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    const theirs = await mcpClient(bob, era);
    expect((await theirs.listResources()).resources).toEqual([]);
    await expect(theirs.readResource({ uri: `palabre://documents/${documentId}` })).rejects.toThrow(
      'not found',
    );
    expect((await callTool(theirs, 'search_documents', { query: 'congés payés' })).report).toEqual({
      passages: [],
    });
    const { turnId, conversationId } = asked.report;
    const absent = { isError: true, text: expect.stringContaining('NOT_FOUND') };
    expect(await callTool(theirs, 'get_answer', { turnId })).toMatchObject(absent);
    expect(await callTool(theirs, 'cancel_answer', { turnId })).toMatchObject(absent);
    expect(await callTool(theirs, 'ask_mefali', { message: 'Et moi ?', conversationId })).toMatchObject(
      absent,
    );
    await theirs.close();
  });

  it('offers what an API key is for, and no more', async () => {
    const reader = await mcpClient(await keyWith('READ'), era);
    expect(await toolNames(reader)).toEqual(['get_answer', 'search_documents']);
    await reader.close();
    const archivist = await mcpClient(await keyWith('DOCUMENTS'), era);
    expect(await toolNames(archivist)).toEqual(['search_documents']);
    expect((await archivist.listPrompts()).prompts).toEqual([]);
    await archivist.close();
    const asker = await mcpClient(await keyWith('TURNS'), era);
    expect(await toolNames(asker)).toContain('ask_mefali');
    expect(await toolNames(asker)).not.toContain('search_documents');
    await expect(asker.readResource({ uri: `palabre://documents/${documentId}` })).rejects.toThrow();
    await asker.close();
    await expect(mcpClient(await keyWith('ADMIN'), era)).rejects.toThrow();
  });
});

describe('what a turn waits for', () => {
  it('is asked of the client’s user, who may edit no more than answer', async () => {
    const client = await mcpClient(ada, '2026-07-28');
    const shown: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params.message);
      const content: Record<string, string | boolean> = params.message.includes(UPDATE)
        ? { approve: true }
        : { answer: 'Thiès' };
      return { action: 'accept', content };
    });
    const update = toolCall(UPDATE, { city: 'Thiès' }, 'call_update');
    const { report } = await callTool(client, 'ask_mefali', {
      message: book.add([askUser, finish()], [update, finish()], [text('C’est fait.'), finish()]),
    });
    expect(report).toMatchObject({ status: 'COMPLETED', answer: 'C’est fait.' });
    expect(shown).toEqual(['Dans quelle ville ?', `Exécuter « ${UPDATE} » avec {"city":"Thiès"} ?`]);
    await client.close();
  });

  it('is told with where to answer when the user has closed the form, or there is none', async () => {
    const client = await mcpClient(ada, '2026-07-28');
    client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
    const older = await mcpClient(ada, '2025-11-25');
    for (const [asker, call] of [
      [client, 'call_1'],
      [older, 'call_2'],
    ] as const) {
      const given = await callTool(asker, 'ask_mefali', {
        message: book.add([toolCall(UPDATE, { city: 'Mbour' }, call), finish()], answered),
      });
      expect(given.report).toMatchObject({
        status: 'WAITING_FOR_APPROVAL',
        waitsFor: [{ kind: 'APPROVAL' }],
      });
      expect(given.text).toContain(`${app.url}/inbox`);
      await asker.close();
    }
  });

  it('is not carried out when the user declines', async () => {
    const client = await mcpClient(ada, '2026-07-28');
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const { report } = await callTool(client, 'ask_mefali', {
      message: book.add([toolCall(UPDATE, { city: 'Fatick' }, 'call_3'), finish()], [text('Non.'), finish()]),
    });
    expect(report).toMatchObject({ status: 'COMPLETED', answer: 'Non.' });
    const { company } = await ada.get<{ company: { city: string | null } }>('{ company { city } }');
    expect(company.city).not.toBe('Fatick');
    await client.close();
  });
});

describe('requests', () => {
  it('are refused without a token, with where one is to be had', async () => {
    const answer = await post(modern('tools/list').body, { authorization: '' });
    expect(answer.status).toBe(401);
    const address = `${app.url}/.well-known/oauth-protected-resource/mcp`;
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${address}"`);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { code: 'UNAUTHENTICATED' } },
    });
    const metadata = await fetch(address);
    expect(metadata.status).toBe(200);
    const resource = { resource: `${app.url}/mcp`, bearer_methods_supported: ['header'] };
    expect(await metadata.json()).toEqual({ ...resource, resource_name: 'Palabre' });
    const plain = await fetch(`${app.url}/.well-known/oauth-protected-resource`);
    expect(await plain.json()).toMatchObject(resource);
  });

  it('are refused from pages that may not use the API, before anybody signs in', async () => {
    const { body, headers } = modern('tools/list');
    for (const [origin, status] of [
      ['https://evil.example', 403],
      ['null', 403],
      [ORIGIN, 200],
      [app.url, 200],
    ] as const) {
      expect((await post(body, { ...headers, origin })).status).toBe(status);
    }
    expect((await post(body, { ...headers, origin: 'https://evil.example', authorization: '' })).status).toBe(
      403,
    );
  });

  it.each([
    ['a version that nobody has', modern('tools/list', {}, '2099-01-01'), 400, -32_022],
    [
      'another method in the header',
      { ...modern('tools/list'), headers: { 'mcp-method': 'prompts/list' } },
      400,
      -32_020,
    ],
    [
      'another tool in the header',
      (() => {
        const { body, headers } = modern('tools/call', {
          name: 'search_documents',
          arguments: { query: 'x' },
        });
        return { body, headers: { ...headers, 'mcp-name': 'ask_mefali' } };
      })(),
      400,
      -32_020,
    ],
    ['a method that there is not', modern('tools/forget'), 404, -32_601],
  ])('are refused with %s', async (_, { body, headers }, status, code) => {
    const answer = await post(body, { 'mcp-protocol-version': '2026-07-28', ...headers });
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { error: { code: number; data?: { supported?: string[] } } };
    expect(error.code).toBe(code);
    if (code === -32_022) expect(error.data?.supported).toContain('2026-07-28');
  });

  it('come one at a time: a list would count as one', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const version of ['2026-07-28', '2025-11-25', '2025-03-26']) {
      const answer = await post([call, { ...call, id: 2 }], { 'mcp-protocol-version': version });
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
    }
  });

  it('are of JSON, and POST', async () => {
    const broken = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: -32_700 } });
    const read = await fetch(`${app.url}/mcp`, { headers: { authorization: `Bearer ${ada.token}` } });
    expect(read.status).toBe(405);
  });

  it('are answered with how long lists may be kept, and by whom', async () => {
    const { body, headers } = modern('tools/list');
    const { result } = (await (await post(body, headers)).json()) as { result: object };
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  it('do not learn what went wrong inside', async () => {
    const lost = vi
      .spyOn(app.server.resources.database, 'transaction')
      .mockRejectedValue(new Error('secret host'));
    const { body, headers } = modern('tools/list');
    const answer = await post(body, headers);
    lost.mockRestore();
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
  });
});

it('names the company’s identity provider as the one who signs tokens', () => {
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'https://palabre.example.org',
    AUTH_JWKS_URL: 'https://id.example.org/keys',
    AUTH_ISSUER: 'https://id.example.org',
    AUTH_AUDIENCE: 'https://palabre.example.org/mcp',
  });
  const published = new Map<string, () => object>();
  const doors = {
    publish: (_: string, url: string, read: () => object) => published.set(url, read),
    route: () => undefined,
  };
  new McpDoor(
    doors as never,
    {} as never,
    config,
    { get: () => config.publicUrl } as never,
    {} as never,
  ).onModuleInit();
  expect(published.get('/.well-known/oauth-protected-resource')?.()).toMatchObject({
    resource: 'https://palabre.example.org/mcp',
    authorization_servers: ['https://id.example.org'],
  });
});

it('is not there unless the operator has opened it', async () => {
  await using closed = await startApp(book.replyTo, { DOORS: 'none', AUTH_SECRET: SECRET });
  for (const path of ['/mcp', '/.well-known/oauth-protected-resource']) {
    expect((await fetch(`${closed.url}${path}`, { method: path === '/mcp' ? 'POST' : 'GET' })).status).toBe(
      404,
    );
  }
});
