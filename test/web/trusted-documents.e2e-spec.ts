import { fileURLToPath } from 'node:url';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import screens from '../../web/src/app/screens.json' with { type: 'json' };
import { ConsoleBrowser } from '../harness/console.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** The operator's, in which the console's operations are not. */
const manifest = fileURLToPath(
  new URL('../../clients/js/src/generated/persisted-documents.json', import.meta.url),
);

/** A server that carries out no operation that it does not know: it knows the console's. */
let app: TestApp;
let browser: ConsoleBrowser;
beforeAll(async () => {
  app = await startApp(() => [text('It is known.'), finish()], {
    TRUSTED_DOCUMENTS: 'only',
    TRUSTED_DOCUMENTS_FILES: manifest,
  });
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

it('answers in the chat', async () => {
  const page = await browser.open(app.url);
  await page.getByRole('textbox', { name: /^Ask / }).fill('Is it known?');
  await page.keyboard.press('Enter');
  await page.locator('.answer:not(.live)').getByText('It is known.').waitFor();
});

it.each(Object.keys(screens))('shows the screen %s', async (screen) => {
  const page = await browser.open(app.url, { path: `/${screen}` });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await expect.poll(() => page.locator('.loading').count()).toBe(0);
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
});

it('carries out nothing else', async () => {
  const client = await app.client();
  expect(await client.codes('{ viewer { id } }')).toEqual(['FORBIDDEN']);
});
