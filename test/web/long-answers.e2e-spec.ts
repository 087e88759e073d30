import { Readable } from 'node:stream';

import { readDocument } from '@palabre/reader';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { processed, upload } from '../harness/document-view.js';
import { ScriptBook } from '../harness/script-book.js';
import { REGISTER_HTTP } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** What is far more than a screen holds: sources, results of skills, conversations on paper. */
const SOURCES = 60;
const A_SEARCH = 6;
const IMPORT = 'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }';

const book = new ScriptBook();
let app: TestApp;
let browser: ConsoleBrowser;
let site: LocalSite;
beforeAll(async () => {
  site = await LocalSite.start((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ rows: Array(40_000).fill('a value without an end') }));
  });
  app = await startApp(book.replyTo, { OUTBOUND_ALLOW: '127.0.0.1' });
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

it('an answer with sixty sources names a few, and shows all of them beside it', async () => {
  const ada = await app.client();
  const ids = await Promise.all(
    range(SOURCES).map((number) =>
      upload(ada, `a-report-with-a-long-name-${number}.md`, `The measure${number} of the year was taken.`),
    ),
  );
  for (const id of ids) await processed(ada, id);
  const searches = range(SOURCES / A_SEARCH).map((search) => {
    const words = range(A_SEARCH).map((number) => `measure${(search - 1) * A_SEARCH + number}`);
    return toolCall('retrieve_documents', { query: words.join(' ') });
  });
  const markers = range(SOURCES).map((number) => `Taken [${number}].`);
  const question = book.add([...searches, finish()], [text(markers.join(' ')), finish()]);
  const { turnId, conversationId } = await ada.ask(question, { assistantKey: 'bibliotheque' });
  await ada.allEvents(turnId);

  const page = await browser.open(app.url, { path: `/chat/${conversationId}`, width: 400 });
  const answer = page.locator('.answer');
  await answer.locator('.marker').last().waitFor();
  expect(await answer.locator('.marker').count()).toBe(SOURCES);
  const chips = answer.getByRole('list', { name: 'Sources' }).getByRole('button');
  expect(await chips.count()).toBeLessThanOrEqual(8);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await violationsIn(page)).toEqual([]);
  await answer.getByRole('button', { name: `All ${SOURCES} sources` }).click();
  const sources = page.getByRole('complementary', { name: 'Sources' });
  expect(await sources.getByRole('article').count()).toBe(SOURCES);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await violationsIn(page)).toEqual([]);
});

it('a result of a megabyte is told in short', async () => {
  const ada = await app.client();
  const input = {
    key: 'get_rows',
    name: 'Rows',
    description: 'Gets the rows.',
    method: 'GET',
    url: `${site.url}/rows`,
    parameters: { type: 'object', properties: {} },
  };
  await ada.get(REGISTER_HTTP, { input });
  const question = book.add([toolCall('get_rows', {}), finish()], [text('There are many.'), finish()]);
  const { turnId, conversationId } = await ada.ask(question);
  await ada.allEvents(turnId);
  const page = await browser.open(app.url, { path: `/chat/${conversationId}`, width: 400 });
  await page.locator('.answer .steps summary').click();
  const result = page.locator('.answer .steps .result');
  await result.waitFor();
  expect((await result.innerText()).length).toBeLessThan(5_000);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await violationsIn(page)).toEqual([]);
});

it('a conversation is printed whole, as it is drawn', async () => {
  const ada = await app.client({ sub: 'printer' });
  const messages = range(120).map((number) => ({
    role: number % 2 === 1 ? 'USER' : 'ASSISTANT',
    text: `${number % 2 === 1 ? 'Message number' : 'Answer **number**'} ${number}.${' And so on.'.repeat(40)}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString(),
  }));
  const input = { assistantKey: 'mefali', title: 'On paper', messages };
  const { importConversation } = await ada.get<{ importConversation: { id: string } }>(IMPORT, { input });
  const page = await browser.open(app.url, { path: `/chat/${importConversation.id}`, sub: 'printer' });
  await page.getByText('Answer number 120.').waitFor();
  while ((await page.getByText('Message number 1.').count()) === 0) {
    const before = await page.locator('.far article').count();
    await page.locator('.thread .scroller').evaluate((element) => element.scrollTo(0, 0));
    await page.waitForFunction((count) => document.querySelectorAll('.far article').length > count, before);
  }
  const printed = await page.pdf();
  const pages = readDocument(
    Readable.from([printed]),
    { name: 'printed.pdf' },
    {
      limits: { timeoutMs: 120_000, memoryMegabytes: 768 },
      logger: { warn: () => undefined },
      signal: new AbortController().signal,
    },
  );
  let onPaper = '';
  for await (const { markdown } of pages) onPaper += `${markdown}\n`;
  const numbers = [...onPaper.matchAll(/number\W+(\d+)\./g)].map(([, number]) => Number(number));
  expect([...new Set(numbers)].toSorted((one, other) => one - other)).toEqual(range(120));
  // Drawn as it is on the screen, and not as it was written.
  expect(onPaper.replaceAll('\\', '')).not.toContain('**number**');
  for (const button of ['New conversation', 'Ask Mefali']) expect(onPaper).not.toContain(button);
});

it('is in the chosen theme before anything of it is loaded', async () => {
  const context = await browser.window(app.url, { scheme: 'light' });
  const page = await context.newPage();
  await page.goto(app.url);
  await page.evaluate(() => localStorage.setItem('palabre:theme', 'dark'));
  // The console itself never comes.
  await page.route('**/assets/*.js', (route) => void route.abort());
  await page.reload();
  await page.locator('.loading').first().waitFor({ state: 'attached' });
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
});

it.each(['fr', 'es', 'en'])('the words of the small navigation are not broken, in %s', async (language) => {
  const page = await browser.open(app.url, { path: '/skills', width: 400, language });
  await page.locator('.navigation-item .cut, .navigation-item').first().waitFor();
  await page.getByRole('searchbox').waitFor();
  const tall = await page.locator('.navigation-item').evaluateAll((items) =>
    items.flatMap((item) => {
      const label = [...item.childNodes].findLast((node) => node.textContent?.trim());
      if (!label || !/^\S+$/.test(label.textContent?.trim() ?? '')) return [];
      const range = document.createRange();
      range.selectNodeContents(label);
      return range.getClientRects().length > 1 ? [label.textContent] : [];
    }),
  );
  expect(tall).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});
