import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { OAuthSite } from '../harness/mcp-oauth-site.js';
import { OddServer } from '../harness/mcp-odd-server.js';
import { skillMd, zipOf } from '../harness/pack-uploads.js';
import { lastOf, questionOf } from '../harness/provider-request.js';
import { unasked } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** Where skills and models come from: services, servers, archives and providers that a company brings. */
let app: TestApp;
let browser: ConsoleBrowser;
let shop: LocalSite;
let document: string;
beforeAll(async () => {
  app = await startApp(
    (body) =>
      lastOf(body).role === 'tool'
        ? [text('Done.'), finish()]
        : questionOf(body).includes('Add it.')
          ? [toolCall('guarded__add', {}), finish()]
          : [toolCall('get_company_profile', '{ "no": "such argument" }'), finish()],
    { OUTBOUND_ALLOW: '127.0.0.1' },
  );
  browser = await ConsoleBrowser.launch();
  shop = await LocalSite.start((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ asked: request.url, key: request.headers['x-api-key'] ?? null }));
  });
  const fixture = new URL('../../packages/openapi/src/fixtures/shop-3.0.yaml', import.meta.url);
  document = await readFile(fixture, 'utf8');
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

async function openSkills(source: string, options: object = {}): Promise<Page> {
  const page = await browser.open(app.url, { path: '/skills', ...options });
  await page.getByRole('button', { name: source }).click();
  await page.getByRole('dialog').waitFor();
  return page;
}

async function openSkill(page: Page, key: string, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(key);
  await page.getByRole('list').getByRole('button', { name }).first().click();
}

async function checkLooks(page: Page): Promise<void> {
  expect(await violationsIn(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
}

it('imports what it can of a service, says why not the rest, and tries it out', async () => {
  const page = await openSkills('From OpenAPI', { width: 400 });
  const dialog = page.getByRole('dialog');
  const source = dialog.getByLabel('Address of the OpenAPI document');
  await source.fill('no document');
  await dialog.getByRole('button', { name: 'Read it' }).click();
  await dialog.getByRole('alert').waitFor();
  await source.fill(document);
  await dialog.getByLabel('Before every key').fill('shop');
  await dialog.getByRole('button', { name: 'Read it' }).click();

  await dialog.getByText('Corner shop: 6 operations').waitFor();
  const picture = dialog.getByRole('listitem').filter({ hasText: 'shop_upload_picture' });
  expect(await picture.getByRole('checkbox').isDisabled()).toBe(true);
  await picture.locator('.problem').last().waitFor();
  await checkLooks(page);
  await dialog.getByLabel('All that can be imported').check();
  await dialog.getByLabel('Where the service is').fill(`${shop.url}/v1/`);
  await dialog.getByLabel('X-Api-Key').fill('key-of-the-shop');
  await dialog.getByRole('button', { name: /^Import \d$/ }).click();
  await dialog.getByText(/\d skills were imported/).waitFor();
  await checkLooks(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('searchbox').fill('shop_list_articles');
  await page.getByRole('list').getByRole('button').filter({ hasText: 'Lists the articles' }).click();
  await dialog.getByText('Try it out').click();
  await dialog.getByLabel('Arguments, as JSON').fill('[]');
  await dialog.getByRole('button', { name: 'Call it' }).click();
  await dialog.getByRole('alert').getByText('This is no JSON object').waitFor();
  await dialog.getByLabel('Arguments, as JSON').fill('{}');
  await dialog.getByRole('button', { name: 'Call it' }).click();
  await dialog.getByText(/Answered 200 after/).waitFor();
  await dialog.getByRole('status').getByText('"asked"').waitFor();
  await checkLooks(page);
  expect(shop.requests.some((one) => one.startsWith('GET /v1/'))).toBe(true);

  await dialog.getByRole('button', { name: 'Delete the skill' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete the skill' }).click();
  await page.getByText('No skill is called so').waitFor();
});

it('connects MCP servers, asks them again, says why they cannot be reached, and removes them', async () => {
  await using server = await OddServer.start();
  const page = await openSkills('Serveurs MCP', { language: 'fr', width: 400 });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Aucun serveur n’est connecté').waitFor();
  await dialog.getByRole('button', { name: 'Connecter un serveur' }).click();
  await dialog.getByLabel(/^Clé/).fill('not a key');
  await dialog.getByLabel('Adresse « Streamable HTTP »').fill(server.url);
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(/^Clé/).fill('stock');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  const row = dialog.getByRole('listitem').filter({ hasText: 'stock' });
  await row.getByText(/^interrogé/).waitFor();
  await checkLooks(page);

  server.onAny = () => ({ status: 503 });
  await row.getByRole('button', { name: 'Interroger de nouveau « stock »' }).click();
  await row.getByText('injoignable').waitFor();
  await row.locator('.problem').waitFor();
  await checkLooks(page);
  await row.getByRole('button', { name: 'Retirer « stock »' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Retirer', exact: true }).click();
  await dialog.getByText('Aucun serveur n’est connecté').waitFor();
});

it('signs in at an MCP server on a page of its own, and out again', async () => {
  await using server = await OAuthSite.start();
  const page = await openSkills('MCP servers', { width: 400, hosts: [new URL(server.url).host] });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Connect a server' }).click();
  await dialog.getByLabel(/^Key/).fill('guarded');
  await dialog.getByLabel('Streamable HTTP address').fill(server.url);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = dialog.getByRole('listitem').filter({ hasText: 'guarded' });
  await row.getByText('sign-in needed').waitFor();
  await checkLooks(page);
  const comeBackWith = async (words: string): Promise<void> => {
    await row.getByRole('button', { name: 'Sign in at “guarded”' }).click();
    const opened = page.context().waitForEvent('page');
    await row.getByRole('link', { name: /^Go on at / }).click();
    const other = await opened;
    await other.waitForURL(/\/auth\/mcp\/callback/);
    await other.getByText(words).waitFor();
    await other.close();
    // A window without a screen is told of no focus.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  };
  server.declines = true;
  await comeBackWith('The sign-in was declined there.');
  server.declines = false;
  await comeBackWith('Signed in.');
  await row.getByText('signed in', { exact: true }).waitFor();
  await checkLooks(page);

  const ada = await app.client();
  await unasked(ada, 'guarded__add');
  server.toolScope = 'files:write';
  await ada.allEvents((await ada.ask('Add it.')).turnId);
  await row.getByRole('button', { name: 'Ask “guarded” again' }).click();
  await row.getByText('want the scope files:write').waitFor();
  await row.getByRole('button', { name: 'Sign in at “guarded”' }).waitFor();
  await checkLooks(page);
  await row.getByRole('button', { name: 'Sign out of “guarded”' }).click();
  await row.getByText('want the scope').waitFor({ state: 'detached' });
  await row.getByText('sign-in needed').waitFor();
  expect(server.revoked).toHaveLength(1);
});

it('takes packs in, and says what is wrong with the others', async () => {
  const page = await openSkills('Paquetes', { language: 'es', width: 400 });
  const dialog = page.getByRole('dialog');
  const archive = dialog.getByLabel('Archivo de paquetes');
  await archive.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') });
  await dialog.getByRole('alert').waitFor();
  const buffer = await zipOf({
    'notes/SKILL.md': skillMd('notes', 'Takes notes of meetings. Use it for minutes.', 'Write them down.'),
    'broken/SKILL.md': 'nothing of it',
  });
  await archive.setInputFiles({ name: 'packs.zip', mimeType: 'application/zip', buffer });
  await dialog.getByText('Se aceptó 1 paquete').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'broken' }).locator('.problem').waitFor();
  await checkLooks(page);
  await dialog.getByRole('button', { name: 'Cerrar' }).first().click();
  await openSkill(page, 'notes', 'notes');
  await dialog.getByRole('button', { name: 'Eliminar la habilidad' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Eliminar la habilidad' }).click();
  await dialog.first().waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('minutes');
  await page.getByText('Ninguna habilidad').waitFor();
});

it('brings providers of models, tests them, and takes them away', async () => {
  const own = await startScriptedProvider([[text('yes'), finish()]]);
  const page = await browser.open(app.url, { path: '/company', width: 400 });
  const section = page.getByRole('region', { name: 'Providers of models' });
  await section.getByText('All questions are answered by').waitFor();
  await section.getByRole('button', { name: 'Add a provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Key/).fill('ours');
  await dialog.getByLabel(/^Address/).fill('https://models.invalid/v1?key=secret');
  await dialog.getByLabel(/^Models/).fill('small');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(/^Address/).fill(own.baseUrl);
  await dialog.getByLabel(/^API key/).fill('sk-ours');
  await checkLooks(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await section.getByRole('button', { name: 'Test “ours”' }).click();
  await section.getByText(/^small answered after/).waitFor();
  await own.close();
  await section.getByRole('button', { name: 'Test “ours”' }).click();
  await section.locator('.problem').waitFor();
  await checkLooks(page);

  await section.getByRole('button', { name: 'ours', exact: true }).click();
  await dialog.getByLabel(/^Models/).fill('large\nsmall');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await section.getByText('large, small').waitFor();
  await section.getByRole('button', { name: 'Delete “ours”' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await section.getByText('All questions are answered by').waitFor();
});

it('says how often a skill was called within a week, and failed', async () => {
  const ada = await app.client();
  const { turnId } = await ada.ask('Who are we?');
  await ada.allEvents(turnId);
  const page = await browser.open(app.url, { path: '/skills', language: 'fr', width: 400 });
  await page.getByRole('searchbox').fill('get_company_profile');
  await page.getByText('1 appel en 7 jours · 1 échec').waitFor();
  await checkLooks(page);
});

it('says so when a list cannot be had', async () => {
  const page = await browser.open(app.url, { path: '/skills' });
  await page.getByRole('button', { name: 'Packs' }).waitFor();
  await page.context().setOffline(true);
  for (const source of ['MCP servers', 'Packs']) {
    await page.getByRole('button', { name: source }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('cannot be reached').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
