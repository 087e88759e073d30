import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { MALFORMED_REQUESTS, NO_REQUESTS, ROUTES, sendAsItIs } from '../harness/malformed-requests.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());

it.each(MALFORMED_REQUESTS)('takes no harm from %s', async (_, rest) => {
  for (const method of ['POST', 'GET', 'PUT']) {
    for (const route of ROUTES)
      await sendAsItIs(app.url, `${method} ${route} HTTP/1.1\r\nHost: a\r\n${rest}`);
  }
  const client = await app.client();
  expect(await client.get('{ viewer { role } }')).toEqual({ viewer: { role: 'ADMIN' } });
});

it.each(NO_REQUESTS)('takes no harm from %s in the place of a request', async (_, bytes) => {
  await sendAsItIs(app.url, bytes);
  const client = await app.client();
  expect(await client.get('{ viewer { role } }')).toEqual({ viewer: { role: 'ADMIN' } });
});
