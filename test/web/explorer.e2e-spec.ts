import { ConsoleBrowser } from '../harness/console.js';
import { startApp, type TestApp } from '../harness/start-app.js';

let app: TestApp;
let browser: ConsoleBrowser;

beforeAll(async () => {
  app = await startApp([]);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

it('runs operations with the token of its link', async () => {
  const page = await browser.open(app.url, { path: '/explorer' });
  const editor = page.locator('.graphiql-query-editor .view-lines');
  await editor.getByText('Demander').waitFor();
  await page.getByRole('tab', { name: /Visite/ }).click();
  await editor.getByText('Visite').waitFor();
  await page.getByRole('button', { name: /Execute query/ }).click();
  await page
    .locator('.result-window')
    .getByText(/Ada.Diop/)
    .waitFor();
  expect(await page.locator('#sign-in').isHidden()).toBe(true);
});

it('says how to sign in where there is no token', async () => {
  const page = await (await browser.window(app.url)).newPage();
  await page.goto(`${app.url}/explorer`);
  await page.getByText('You are not signed in.').waitFor();
});
