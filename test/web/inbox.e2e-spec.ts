import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { untilWaiting } from '../harness/approval-view.js';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;
let browser: ConsoleBrowser;

beforeAll(async () => {
  app = await startApp(book.replyTo);
  client = await app.client();
  await client.get('mutation { setSkillApproval(key: "update_company_profile", required: true) { key } }');
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

async function askForPermission(city: string): Promise<string> {
  const question = book.add(
    [toolCall('update_company_profile', { city }), finish()],
    [text('It is written down.'), finish()],
  );
  const { turnId } = await client.ask(question);
  await untilWaiting(client, turnId);
  return turnId;
}

async function cityOf(): Promise<string | null> {
  return (await client.get<{ company: { city: string | null } }>('{ company { city } }')).company.city;
}

it.each([
  ['en', 'Nothing waits for you'],
  ['es', 'Nada le espera'],
] as const)('says in %s that nothing waits', async (language, words) => {
  const page = await browser.open(app.url, { path: '/inbox', language, sub: 'grace' });
  await page.getByRole('heading', { name: words }).waitFor();
});

it('shows what waits, in every scheme and width, and carries out what is allowed', async () => {
  const turnId = await askForPermission('Dakar');
  for (const scheme of ['light', 'dark'] as const) {
    const page = await browser.open(app.url, { path: '/inbox', scheme, width: 400 });
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await page.context().close();
  }
  const page = await browser.open(app.url, { path: '/inbox' });
  await page.getByRole('link', { name: /Inbox/ }).getByText('1').waitFor();
  await page.getByLabel('It would be called with').fill('{ "city": "Saint-Louis" }');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await client.allEvents(turnId);
  expect(await cityOf()).toBe('Saint-Louis');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor({ state: 'detached' });
});

it('lets the asker answer where the question stands', async () => {
  await client.get('mutation { updateCompany(input: { city: "Thiès" }) { id } }');
  const page = await browser.open(app.url);
  const question = book.add(
    [toolCall('update_company_profile', { city: 'Touba' }), finish()],
    [text('Then not.'), finish()],
  );
  await page.getByRole('textbox', { name: /^Ask / }).fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Do not allow' }).click();
  await page.getByRole('article').getByText('Then not.').waitFor();
  expect(await cityOf()).toBe('Thiès');
});

it('tells of what is new at once, and no more when it was read', async () => {
  const page = await browser.open(app.url, { path: '/inbox' });
  const unread = page.locator('.notification.unread');
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  const before = await unread.count();
  await askForPermission('Kaolack');
  await expect.poll(() => unread.count()).toBe(before + 1);
  await unread.first().getByRole('button', { name: 'Mark as read' }).click();
  await expect.poll(() => unread.count()).toBe(before);
});
