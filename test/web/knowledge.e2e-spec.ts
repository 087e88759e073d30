import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** The screens of what assistants know, and of what they use. */
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

const REPORT = {
  name: 'report.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('We planted 4,200 trees in Thiès.'),
};

describe('documents', () => {
  it('are added, read, found by their words, and deleted', async () => {
    const page = await browser.open(app.url, { path: '/documents', sub: 'doc' });
    await page.getByText('There are no documents yet').waitFor();
    await page.locator('input[type=file]').setInputFiles(REPORT);
    const row = page.getByRole('listitem').filter({ hasText: 'report.txt' });
    await row.getByText('read', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('trees planted');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByRole('list', { name: 'Passages found' })
      .locator('mark', { hasText: 'planted' })
      .waitFor();
    await page.getByRole('searchbox').fill('');
    await row.getByRole('button', { name: 'Delete “report.txt”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no documents yet').waitFor();
  });

  it('that cannot be read say why', async () => {
    const page = await browser.open(app.url, { path: '/documents', language: 'fr' });
    const broken = {
      name: 'rapport.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 nothing'),
    };
    await page.locator('input[type=file]').setInputFiles(broken);
    const row = page.getByRole('listitem').filter({ hasText: 'rapport.pdf' });
    await row.getByText('illisible').waitFor();
    expect(await row.locator('.problem').innerText()).not.toBe('');
  });
});

describe('memory', () => {
  it('is noted, corrected, looked back at, told and forgotten', async () => {
    const page = await browser.open(app.url, { path: '/memory', sub: 'mem' });
    await page.getByText('Nothing is remembered yet').waitFor();
    await page.getByRole('button', { name: 'Note something' }).click();
    await page.getByLabel('About').fill('Site of the oven');
    await page.getByLabel('What to remember').fill('It stands in Dakar.');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Site of the oven' });
    await row.getByText('It stands in Dakar.').waitFor();

    await row.getByRole('button', { name: 'Actions for “Site of the oven”' }).click();
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByRole('dialog').getByLabel('What to remember').fill('It stands in Thiès.');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('It stands in Thiès.').waitFor();

    await row.getByRole('button', { name: 'Actions for “Site of the oven”' }).click();
    await page.getByRole('button', { name: 'Earlier versions' }).click();
    await page.getByRole('dialog').getByText('It stands in Dakar.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByLabel('A question, as you would ask it').fill('Where is the oven?');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.locator('.told-items').getByText('It stands in Thiès.').waitFor();
    await page.getByText(/^\d+ of 2,000 tokens$/).waitFor();

    await row.getByRole('button', { name: 'Actions for “Site of the oven”' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Nothing is remembered yet').waitFor();
  });
});

describe('usage', () => {
  it('is nothing at first, and limits are set', async () => {
    const page = await browser.open(app.url, { path: '/usage' });
    await page.getByText('Nothing was used in this time').waitFor();
    await page.getByText('There are no limits').waitFor();
    await page.getByRole('button', { name: 'Set a limit' }).click();
    await page.getByLabel('Tokens at most').fill('5000000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The whole company' })
      .getByText('5M tokens')
      .waitFor();
  });

  it('is no screen of a member’s', async () => {
    const page = await browser.open(app.url, { sub: 'mia', role: 'MEMBER' });
    await page.getByRole('link', { name: 'Memory' }).waitFor();
    expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it.each(['/documents', '/memory', '/usage'])(
    '%s violates nothing of WCAG 2.2 AA, and fits 400 pixels',
    async (path) => {
      const page = await browser.open(app.url, { path, scheme, width: 400 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    },
  );
});
