import { serverAudits } from 'graphql-http';

import { shareApp, type TestApp } from '../harness/start-app.js';

/** The audit of the GraphQL-over-HTTP working group, by a signed-in client. */
let app: TestApp;
let token: string | null;
beforeAll(async () => {
  app = await shareApp(() => []);
  ({ token } = await app.client());
});
afterAll(() => app[Symbol.asyncDispose]());

const audits = serverAudits({
  url: () => `${app.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token ?? ''}`);
    return fetch(url, { ...init, headers });
  },
});

it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
  '%s: %s',
  async (_id, _name, audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  },
);

it('has all its checks', () => {
  expect(audits).toHaveLength(61);
});
