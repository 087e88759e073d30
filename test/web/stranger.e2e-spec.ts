import type { Locator, Page } from 'playwright-core';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { status } from '@palabre/llm-client/scripted-provider.double.js';

import { drawnPdf } from '../../packages/reader/src/pdf/fixtures/drawn-pdf.double.js';
import { ConsoleBrowser } from '../harness/console.js';
import { processed, upload } from '../harness/document-view.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

/** What somebody wants who has never seen the console, from its first page on: by what the screen says, in few clicks. */
const book = new ScriptBook();
let app: TestApp;
let ada: TestClient;
let browser: ConsoleBrowser;
beforeAll(async () => {
  app = await startApp(book.replyTo);
  ada = await app.client();
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

/** A person at the first page, whose clicks are counted. */
async function stranger(): Promise<{
  page: Page;
  click: (what: Locator) => Promise<void>;
  clicks: () => number;
}> {
  const page = await browser.open(app.url);
  await page.getByRole('textbox', { name: /^Ask / }).waitFor();
  let count = 0;
  return {
    page,
    click: async (what) => {
      count += 1;
      await what.click();
    },
    clicks: () => count,
  };
}

it('switches a skill off', async () => {
  const { page, click, clicks } = await stranger();
  await click(page.getByRole('link', { name: 'Skills' }));
  const control = page.getByRole('switch', { name: '“Read web page” may be used' });
  await click(control);
  await control.and(page.locator(':not(:checked)')).waitFor();
  expect(clicks()).toBe(2);
});

it('finds why a turn failed', async () => {
  const moussa = await app.client({ sub: 'moussa', role: 'MEMBER' });
  const { turnId } = await moussa.ask(book.add([status(400)]), { assistantKey: 'mefali' });
  await moussa.allEvents(turnId);
  const { page, click, clicks } = await stranger();
  await click(page.getByRole('link', { name: 'Turns' }));
  const failed = page.getByRole('main').getByRole('listitem').filter({ hasText: 'failed' });
  await click(failed.first().getByRole('link'));
  await page
    .getByRole('dialog')
    .getByText(/Asking again (may|will not) help/)
    .waitFor();
  expect(clicks()).toBe(2);
});

it('publishes a prompt and goes back', async () => {
  const { page, click, clicks } = await stranger();
  await click(page.getByRole('link', { name: 'Assistants' }));
  await click(page.getByRole('main').getByRole('button', { name: /Solven/ }));
  const prompt = page.getByLabel('What it is told to be');
  const before = await prompt.inputValue();
  await prompt.fill(`${before}\nAnswer in verse.`);
  await click(page.getByRole('button', { name: 'Publish' }));
  const versions = page.getByRole('region', { name: 'Prompt' }).getByRole('list').getByRole('listitem');
  await expect.poll(() => versions.count()).toBe(2);
  await click(versions.last().getByRole('button'));
  await click(page.getByRole('button', { name: 'Go back to it' }));
  await expect.poll(() => prompt.inputValue()).toBe(before);
  expect(clicks()).toBe(5);
});

it('opens the page that a citation names', async () => {
  const bytes = await drawnPdf((document) => {
    document.text('Nothing here.').addPage().text('The roof carries forty panels since the spring.');
  });
  await processed(ada, await upload(ada, 'roof.pdf', bytes));
  const question = book.add(
    [toolCall('retrieve_documents', { query: 'panels on the roof' }), finish()],
    [text('There are forty [1].'), finish()],
  );
  const { turnId } = await ada.ask(question, { assistantKey: 'bibliotheque' });
  await ada.allEvents(turnId);
  const { page, click, clicks } = await stranger();
  await click(page.getByRole('complementary').getByRole('link', { name: question }));
  await click(page.locator('.answer .marker'));
  await click(page.getByRole('button', { name: 'Show the page' }));
  await page.getByRole('dialog').getByText('Page 2', { exact: true }).waitFor();
  await page.getByRole('figure').locator('rect').first().waitFor();
  expect(clicks()).toBe(3);
});

it('revokes a key', async () => {
  await ada.get('mutation { createApiKey(input: { name: "Old program", scopes: [READ] }) { secret } }');
  const { page, click, clicks } = await stranger();
  await click(page.getByRole('link', { name: 'Company' }));
  await click(page.getByRole('button', { name: 'Revoke “Old program”' }));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
  await page.getByRole('listitem').filter({ hasText: 'Old program' }).getByText('revoked').waitFor();
  expect(clicks()).toBe(3);
});
