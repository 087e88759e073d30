import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import type { JsonObject } from '@palabre/json';

import { lastOf, readRequest, systemOf, resultIn } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const PAGE = `<html lang="fr"><head><title>Le solaire au Sénégal</title></head><body><h1>Le solaire</h1>
  <p>Trois centrales ont été mises en service. <a href="/carte">Voir la carte</a>.</p></body></html>`;

const stack = new AsyncDisposableStack();
/** The operator's own service, a host that was opened, and one that was not. */
let search: LocalSite;
let site: LocalSite;
let closed: LocalSite;
let app: TestApp;
let client: TestClient;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  site = stack.use(
    await LocalSite.start((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `${closed.url}/secret` }).end();
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
    }),
  );
  closed = stack.use(await LocalSite.start((_, response) => void response.end('internal')));
  search = stack.use(
    await LocalSite.start((_, response) => {
      const result = {
        url: `${site.url}/solaire`,
        title: 'Le solaire',
        content: 'Trois centrales',
        engine: 'twin',
      };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ results: [result] }));
    }),
  );
  app = stack.use(
    await startApp((body) => reply(body), {
      SEARCH_URL: `${search.url}/`,
      OUTBOUND_ALLOW: site.host,
      CONVERSATION_TITLES: 'question',
    }),
  );
  client = await app.client();
});
afterAll(() => stack.disposeAsync());

/** What the skills told the model, in order. */
function toldBy(body: JsonObject | undefined): JsonObject[] {
  return readRequest(body)
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => resultIn(content) as JsonObject);
}

async function ask(): Promise<WireEvent[]> {
  const { turnId } = await client.ask('Quoi de neuf sur le solaire ?');
  return client.allEvents(turnId);
}

it('finds a page, reads it and answers', async () => {
  reply = (body) => {
    const [found, page] = toldBy(body);
    if (page) return [text('Trois centrales.'), finish()];
    if (!found) return [toolCall('search_web', { query: 'solaire Sénégal' }), finish()];
    const [first] = found.results as { url: string }[];
    return [toolCall('read_webpage', { url: first?.url ?? '' }), finish()];
  };
  const events = await ask();
  expect(events.filter(({ __typename }) => __typename === 'SkillFinished')).toMatchObject([
    {
      skill: 'search_web',
      callStatus: 'SUCCEEDED',
      resultPreview: '1 résultat pour « solaire Sénégal » : 127.0.0.1.',
    },
    {
      skill: 'read_webpage',
      callStatus: 'SUCCEEDED',
      resultPreview: 'Lu : « Le solaire au Sénégal » (127.0.0.1).',
    },
  ]);
  const [found, page] = toldBy(app.provider.requests.at(-1));
  expect(found).toMatchObject({ results: [{ title: 'Le solaire', snippet: 'Trois centrales' }] });
  expect(page).toMatchObject({ url: `${site.url}/solaire`, title: 'Le solaire au Sénégal' });
  expect(page?.content).toContain('Trois centrales ont été mises en service.');
  expect(systemOf(app.provider.requests.at(-1))).not.toContain('mises en service');
  expect(search.requests).toEqual(['GET /search?q=solaire+S%C3%A9n%C3%A9gal&format=json&language=fr']);
  expect(await turnOf(client, events[0]?.turnId ?? '')).toMatchObject({
    status: 'COMPLETED',
    answer: { text: 'Trois centrales.' },
  });
});

it.each([
  ['a private address', () => `${closed.url}/secret`],
  ['a redirect to one', () => `${site.url}/away`],
  ['the operator’s search service', () => `${search.url}/`],
])('reads nothing from %s, and the turn is answered', async (_, url) => {
  const before = [closed, search].map(({ requests }) => requests.length);
  reply = (body) =>
    lastOf(body).role === 'tool'
      ? [text('Inaccessible.'), finish()]
      : [toolCall('read_webpage', { url: url() }), finish()];
  const events = await ask();
  expect(events.filter(({ __typename }) => __typename === 'SkillFinished')).toMatchObject([
    {
      callStatus: 'FAILED',
      resultPreview: 'Cette adresse n’est pas accessible d’ici : elle n’est pas publique.',
    },
  ]);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  expect([closed, search].map(({ requests }) => requests.length)).toEqual(before);
});
