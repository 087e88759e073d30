import { PageReader, UnreadablePage } from './page-reader.js';

const never = new AbortController().signal;
const large = `<html><body>${'<p>Un <b>deux</b> <a href="/c">trois</a>.</p>'.repeat(40_000)}</body></html>`;

let reader: PageReader;
beforeEach(() => void (reader = new PageReader()));
afterEach(() => reader.onApplicationShutdown());

it('reads pages one after the other, more at a time than it has threads', async () => {
  const read = (text: string) => reader.read(`<body><p>${text}</p></body>`, 'https://a.example/', never);
  const pages = await Promise.all(['un', 'deux', 'trois', 'quatre', 'cinq'].map(read));
  expect(pages.map(({ markdown }) => markdown)).toEqual(['un', 'deux', 'trois', 'quatre', 'cinq']);
});

it('gives up a page that takes too long, and reads the next', async () => {
  await expect(reader.read(large, 'https://a.example/', never, 1)).rejects.toBeInstanceOf(UnreadablePage);
  expect(await reader.read('<p>un</p>', 'https://a.example/', never)).toMatchObject({ markdown: 'un' });
});

it('leaves with its caller', async () => {
  const caller = new AbortController();
  const reading = reader.read(large, 'https://a.example/', caller.signal);
  const reason = new Error('cancelled');
  caller.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(reader.read('<p>un</p>', 'https://a.example/', caller.signal)).rejects.toBe(reason);
});

it('stops what is under way when the application does', async () => {
  const reading = reader.read(large, 'https://a.example/', never);
  const failure = reading.catch((error: unknown) => error);
  await reader.read('<p>un</p>', 'https://a.example/', never);
  await reader.onApplicationShutdown();
  expect(await failure).toBeInstanceOf(UnreadablePage);
});
