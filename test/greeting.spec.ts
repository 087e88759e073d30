import { readConfig } from '../src/common/config/read-config.js';
import { greeting } from '../src/app/greeting.js';

const onServer = readConfig({ DATABASE_URL: 'postgres://palabre@db/palabre', AUTH_SECRET: 'x'.repeat(32) });
const started = {
  url: 'http://localhost:4000',
  demoToken: null,
  firstCompany: 'demo',
  example: { assistantKey: 'mefali', question: 'Combien ?' },
};

it('gives commands that work as they stand, in the name of a company that there is', () => {
  const text = greeting(onServer, { ...started, firstCompany: 'acme' });
  expect(text).toContain(' npm run -s palabre -- token --company acme ');
  expect(text).toContain(' PALABRE_COMPANY=acme npm run -s ask -- ');
  expect(text).not.toContain('demo');
});

it('names no company to the command that asks in the name of that one anyway', () => {
  const text = greeting(onServer, started);
  expect(text).toContain(' token --company demo ');
  expect(text).toContain('Try it     npm run -s ask -- ');
});

it('needs no token where the link has one', () => {
  const text = greeting(readConfig({}), { ...started, demoToken: 'a.b.c' });
  expect(text).toContain('http://localhost:4000/#token=a.b.c\n');
  expect(text).toContain('http://localhost:4000/explorer#token=a.b.c\n');
  expect(text).not.toContain('palabre -- token');
});

it('names no console where none is served', () => {
  const text = greeting(readConfig({ CONSOLE: 'off' }), started);
  expect(text).not.toContain('Console');
  expect(text).toContain('http://localhost:4000/explorer\n');
});

it('names no explorer where none is served', () => {
  const text = greeting(readConfig({ INTROSPECTION: 'off' }), started);
  expect(text).not.toContain('xplorer');
});

it('asks the example of another assistant of that one, in a word of the shell', () => {
  const example = { assistantKey: 'acme', question: 'What is "X"? It costs $5' };
  expect(greeting(onServer, { ...started, example })).toContain(
    String.raw`ask -- --assistant acme "What is \"X\"? It costs \$5"`,
  );
});
