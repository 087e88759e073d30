import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient as createSseClient, NetworkError } from 'graphql-sse';
import { createClient as createSocketClient, type SubscribePayload } from 'graphql-ws';
import { WebSocket } from 'ws';

import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

/** Operations by hash, as each of three tools lists them. */
const VIEWER = 'query Viewer { viewer { role } }';
const CONVERSATIONS = 'query Conversations { conversations(first: 1) { edges { cursor } } }';
const NOTIFICATIONS = 'subscription Notifications { notificationAdded { id } }';
const STRANGE = '{ viewer { id } }';

let folder: string;
let files: string;
let app: TestApp;
let ada: TestClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trusted-'));
  const manifests = {
    'apollo.json': {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: sha256(VIEWER), name: 'Viewer', type: 'query', body: VIEWER }],
    },
    'relay.json': { '0f343b0931126a20f133d67c2b018a3b': CONVERSATIONS },
    'codegen.json': { [sha256(NOTIFICATIONS)]: NOTIFICATIONS },
  };
  const paths = Object.entries(manifests).map(async ([name, manifest]) => {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(manifest));
    return path;
  });
  files = (await Promise.all(paths)).join(',');
  app = await startApp([]);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function sha256(text: string): string {
  return hash('sha256', text);
}

async function begin(mode: string): Promise<void> {
  await app.restart({ TRUSTED_DOCUMENTS: mode, TRUSTED_DOCUMENTS_FILES: mode === 'off' ? '' : files });
  ada = await app.client();
}

/** `code`, or the first field of the data. */
function summaryOf({
  data,
  errors,
}: {
  data?: unknown;
  errors?: readonly { extensions?: unknown; message: string }[];
}) {
  if (!errors) return Object.keys(data as object)[0];
  const { code } = errors[0]!.extensions as { code: string };
  return code === 'FORBIDDEN' ? code : errors[0]!.message;
}

async function byHttp(request: object, token = ada.token): Promise<unknown> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(request),
  });
  return summaryOf((await response.json()) as object);
}

async function byGet(parameters: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${app.url}/graphql?${String(new URLSearchParams(parameters))}`, {
    headers: { authorization: `Bearer ${ada.token ?? ''}`, 'apollo-require-preflight': '1' },
  });
  return summaryOf((await response.json()) as object);
}

/** The client takes no operation without a text. */
async function bySocket(request: object): Promise<unknown> {
  const client = createSocketClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${ada.token ?? ''}` },
    retryAttempts: 0,
  });
  try {
    return await outcome((sink) => client.subscribe({ query: '', ...request } as SubscribePayload, sink));
  } finally {
    await client.dispose();
  }
}

async function byStream(request: object): Promise<unknown> {
  const client = createSseClient({
    url: `${app.url}/graphql/stream`,
    headers: { authorization: `Bearer ${ada.token ?? ''}` },
    retryAttempts: 0,
  });
  try {
    return await outcome((sink) => client.subscribe(request as never, sink as never));
  } catch (error) {
    if (error instanceof NetworkError)
      return summaryOf((await (error.response as Response).json()) as object);
    throw error;
  } finally {
    client.dispose();
  }
}

interface Sink {
  next(result: object): void;
  error(error: unknown): void;
  complete(): void;
}

function outcome(subscribe: (sink: Sink) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    subscribe({
      next: (result) => resolve(summaryOf(result)),
      error: (error) => {
        if (Array.isArray(error)) resolve(summaryOf({ errors: error }));
        else reject(error as Error);
      },
      complete: () => undefined,
    });
  });
}

function draft(text: string) {
  return { documentId: `sha256:${sha256(text)}` };
}
function apollo(text: string) {
  return { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } };
}

describe('known operations', () => {
  beforeAll(() => begin('known'));

  it.each<[string, (request: object) => Promise<unknown>]>([
    ['HTTP', byHttp],
    ['a WebSocket', bySocket],
    ['server-sent events', byStream],
  ])('are carried out by hash, over %s', async (_, ask) => {
    expect(await ask(draft(VIEWER))).toBe('viewer');
    expect(await ask(apollo(CONVERSATIONS))).toBe('conversations');
    expect(await ask({ documentId: '0f343b0931126a20f133d67c2b018a3b' })).toBe('conversations');
    expect(await ask({ query: STRANGE })).toBe('viewer');
    expect(await ask(draft(STRANGE))).toBe('PersistedQueryNotFound');
    // The text beside the hash was carried out, and made known to nobody.
    expect(await ask({ query: STRANGE, ...apollo(STRANGE) })).toBe('viewer');
    expect(await ask(apollo(STRANGE))).toBe('PersistedQueryNotFound');
  });

  it('are carried out by GET', async () => {
    expect(await byGet(draft(VIEWER))).toBe('viewer');
    expect(await byGet({ extensions: JSON.stringify(apollo(VIEWER).extensions) })).toBe('viewer');
    expect(await byGet({ query: STRANGE })).toBe('viewer');
    expect(await byGet(draft(STRANGE))).toBe('PersistedQueryNotFound');
  });

  it('are carried out on a socket without any text', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${ada.token ?? ''}` } }),
    );
    await once(socket, 'message');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: draft(VIEWER) }));
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ id: '1', payload: { data: { viewer: {} } } });
    socket.close();
  });

  it('need a token as their texts do', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(draft(VIEWER)),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it('are followed by hash', async () => {
    const added = Promise.withResolvers<unknown>();
    const client = createSocketClient({
      url: `${app.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${ada.token ?? ''}` },
      retryAttempts: 0,
    });
    const stop = client.subscribe({ query: '', ...draft(NOTIFICATIONS) } as SubscribePayload, {
      next: (result) => added.resolve(result),
      error: (error) => added.reject(error as Error),
      complete: () => added.resolve('over'),
    });
    // It is answered only after the subscription has begun.
    expect(await outcome((sink) => client.subscribe({ query: VIEWER }, sink))).toBe('viewer');
    stop();
    expect(await added.promise).toBe('over');
    await client.dispose();
  });
});

describe('where only known operations are carried out', () => {
  beforeAll(() => begin('only'));

  it.each<[string, (request: object) => Promise<unknown>]>([
    ['HTTP', byHttp],
    ['a WebSocket', bySocket],
    ['server-sent events', byStream],
  ])('others are refused, over %s', async (_, ask) => {
    expect(await ask(draft(VIEWER))).toBe('viewer');
    expect(await ask({ query: VIEWER })).toBe('viewer');
    expect(await ask({ query: STRANGE })).toBe('FORBIDDEN');
    expect(await ask({ query: STRANGE, ...apollo(VIEWER) })).toBe('FORBIDDEN');
    expect(await ask(draft(STRANGE))).toBe('PersistedQueryNotFound');
  });

  it.each<[string, (request: object) => Promise<unknown>]>([
    ['HTTP', byHttp],
    ['a WebSocket', bySocket],
    ['server-sent events', byStream],
  ])('a name that is none opens no way for others, over %s', async (_, ask) => {
    expect(await ask({ query: STRANGE, documentId: 5 })).toBe('FORBIDDEN');
    expect(await ask({ query: STRANGE, documentId: 'a'.repeat(501) })).toBe('FORBIDDEN');
    expect(await ask({ query: STRANGE, extensions: { persistedQuery: { sha256Hash: 5 } } })).toBe(
      'FORBIDDEN',
    );
  });

  it('strangers do not see the schema', async () => {
    expect(await byHttp({ query: '{ __schema { queryType { name } } }' }, null)).toBe('FORBIDDEN');
    expect(await byGet({ query: STRANGE })).toBe('FORBIDDEN');
  });
});

describe('where there are no manifests', () => {
  beforeAll(() => begin('off'));

  it('no hash is taken, and clients are told to send the text', async () => {
    expect(await byHttp(apollo(VIEWER))).toBe('PersistedQueryNotSupported');
    expect(await byHttp({ query: VIEWER, ...apollo(VIEWER) })).toBe('viewer');
    expect(await bySocket(draft(VIEWER))).toBe('PersistedQueryNotSupported');
  });
});
