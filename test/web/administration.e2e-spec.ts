import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** The screens of admins: what assistants are and may do, and who is here. */
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

describe('skills', () => {
  it('are found and switched off, for everybody', async () => {
    const page = await browser.open(app.url, { path: '/skills' });
    await page.getByRole('searchbox').fill('remember');
    const control = page.getByRole('switch', { name: '“Remember” may be used' });
    await control.click();
    await control.and(page.locator(':not(:checked)')).waitFor();
    await page.reload();
    await page.getByRole('searchbox').fill('remember');
    await control.and(page.locator(':not(:checked)')).waitFor();
  });

  it('are given to some assistants, and ask first', async () => {
    const page = await browser.open(app.url, { path: '/skills', language: 'fr' });
    await page.getByRole('searchbox').fill('read_webpage');
    const row = page.getByRole('listitem').filter({ hasText: 'Lecture d’une page web' });
    await row.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    const approval = dialog.getByRole('switch', { name: 'Une personne doit autoriser chaque usage' });
    await approval.click();
    await approval.and(page.locator(':checked')).waitFor();
    await dialog.getByRole('group').getByRole('checkbox').first().uncheck();
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await row.getByText('demande d’abord').waitFor();
    await row.getByRole('button').click();
    expect(await page.getByRole('dialog').getByRole('group').getByRole('checkbox').first().isChecked()).toBe(
      false,
    );
  });
});

describe('assistants', () => {
  it('get another prompt, and the one before again', async () => {
    const page = await browser.open(app.url, { path: '/assistants?assistant=solven' });
    const prompt = page.getByLabel('What it is told to be');
    const before = await prompt.inputValue();
    await prompt.fill(`${before}\nAnswer in verse.`);
    await page.getByLabel('Note for others (optional)').fill('verse');
    await page.getByRole('button', { name: 'Publish' }).click();
    const versions = page.getByRole('region', { name: 'Prompt' }).getByRole('list');
    await versions.getByText(/verse/).waitFor();

    await versions.getByRole('button').last().click();
    await page.getByRole('dialog').getByText('+ Answer in verse.').waitFor();
    await page.getByRole('button', { name: 'Go back to it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => prompt.inputValue()).toBe(before);
  });

  it('are copied and retired', async () => {
    const page = await browser.open(app.url, { path: '/assistants?assistant=solven' });
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Solven Junior');
    await page.getByRole('dialog').getByLabel('Key').fill('junior');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('heading', { name: 'Solven Junior' }).waitFor();
    await page.getByRole('button', { name: 'Retire' }).click();
    await page.getByText('It answers nothing new.').waitFor();
  });
});

describe('the company', () => {
  it('gives programs keys, shows each once, and takes them away', async () => {
    const page = await browser.open(app.url, { path: '/company' });
    await page.getByRole('navigation', { name: 'On this page' }).getByText('API keys').click();
    await page.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('reports');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect(await dialog.locator('pre').innerText()).toMatch(/\S{20,}/);
    await dialog.getByText('Close').click();
    await page.getByRole('button', { name: 'Revoke “reports”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('region', { name: 'API keys' }).getByText('revoked').waitFor();
    await page.reload();
    const audit = page.getByRole('region', { name: 'What was changed' });
    await audit.getByText('API key: revoked').waitFor();
    await audit.getByLabel('What').selectOption('Webhook');
    await audit.getByText('Nothing of that kind was changed.').waitFor();
    await audit.getByLabel('What').selectOption('API key');
    await audit.getByText('API key: revoked').waitFor();
    expect(await page.getByRole('region', { name: 'Members' }).innerText()).not.toContain('reports');
  });

  it('locks members out, and says what it is', async () => {
    await (await app.client({ sub: 'bea', role: 'MEMBER' })).get('{ viewer { id } }', {});
    const page = await browser.open(app.url, { path: '/company', language: 'es' });
    const row = page.getByRole('listitem').filter({ hasText: 'bea' });
    await row.getByRole('button', { name: 'Desactivar a bea' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desactivar', exact: true }).click();
    await row.getByRole('button', { name: 'Reactivar' }).waitFor();
    await page.getByLabel('Ciudad').fill('Thiès');
    await page.getByRole('region', { name: 'Perfil' }).getByRole('button').click();
    await page.getByText('Guardado', { exact: true }).waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it.each(['/skills', '/assistants', '/company'])(
    '%s violates nothing of WCAG 2.2 AA, and fits 400 pixels',
    async (path) => {
      const page = await browser.open(app.url, { path, scheme, width: 400 });
      await page.getByRole('heading', { level: 2 }).or(page.getByRole('switch')).first().waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    },
  );
});

it('leads to every screen from the bottom of a small window, by keyboard too', async () => {
  const page = await browser.open(app.url, { width: 400 });
  const navigation = page.getByRole('navigation', { name: 'Screens' });
  await navigation.getByRole('link', { name: 'Skills' }).waitFor();
  const wide = await navigation.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
  for (const screen of ['Usage', 'Company']) {
    await navigation.getByRole('button', { name: 'More' }).press('Enter');
    await navigation.getByRole('link', { name: screen }).press('Enter');
    await page.getByRole('heading', { level: 1, name: screen }).waitFor();
  }
});
