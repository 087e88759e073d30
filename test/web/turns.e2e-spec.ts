import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { isUpkeep, lastOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';

const NOTE = { kind: 'FACT', subject: 'Roof', content: 'The roof has panels.' };

/** A second is not enough on a machine that is busy. */
const PATIENCE = { timeout: 15_000 };

/** The screen of what was asked, with 21 turns of a member: an answer after a skill call, a failure, and more answers. */
let app: TestApp;
let browser: ConsoleBrowser;
beforeAll(async () => {
  app = await startApp((body) => {
    if (isUpkeep(body)) return [finish()];
    const last = lastOf(body);
    if (says(last, 'Break')) return [status(400)];
    return says(last, 'Remember')
      ? [toolCall('remember', NOTE), finish()]
      : [text('The secret answer.'), finish()];
  });
  browser = await ConsoleBrowser.launch();
  const moussa = await app.client({ sub: 'moussa', role: 'MEMBER' });
  const questions = [
    'Remember the roof',
    'Break',
    ...Array.from({ length: 19 }, (_, index) => `Count ${index}`),
  ];
  for (const question of questions) {
    const { turnId } = await moussa.ask(question, { assistantKey: 'mefali' });
    await moussa.allEvents(turnId);
  }
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

function says(message: JsonObject, word: string): boolean {
  return message.role === 'user' && JSON.stringify(message.content).includes(word);
}

describe('turns', () => {
  it('say why one of them failed', async () => {
    const page = await browser.open(app.url, { path: '/chat' });
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByLabel('Status').selectOption('failed');
    const list = page.getByRole('main').getByRole('listitem');
    await expect.poll(() => list.count(), PATIENCE).toBe(1);
    expect(new URL(page.url()).search).toBe('?status=FAILED');
    await list.getByRole('link').press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Asking again (may|will not) help/).waitFor();
    expect(await dialog.locator('.notice strong').innerText()).toMatch(/^[A-Z_]+$/);
    await page.reload();
    await dialog.locator('.notice strong').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=FAILED');
    await page.goto(`${app.url}/turns?turn=none&asked=2020-01-01T00:00:00Z`);
    await dialog.getByText('This turn is no longer there').waitFor();
  });

  it('are listed page by page, and as the address wishes', async () => {
    const page = await browser.open(app.url, { path: '/turns' });
    const list = page.getByRole('main').getByRole('listitem');
    await expect.poll(() => list.count(), PATIENCE).toBe(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => list.count(), PATIENCE).toBe(21);
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByRole('heading', { name: 'No such turns' }).waitFor();
    await page.getByLabel('Until').fill('');
    await page.getByLabel('Why it ended').selectOption('error');
    await expect.poll(() => list.count(), PATIENCE).toBe(1);
    await page.reload();
    await expect.poll(() => list.count(), PATIENCE).toBe(1);
    await page.getByRole('combobox', { name: /^Member/ }).selectOption('Ada Diop');
    await page.getByRole('heading', { name: 'No such turns' }).waitFor();
    await page.getByRole('combobox', { name: /^Member/ }).selectOption('moussa');
    await expect.poll(() => list.count(), PATIENCE).toBe(1);
    expect(new URL(page.url()).searchParams.get('member')).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByLabel('Took').selectOption('5 min 0 s or more');
    await page.getByRole('heading', { name: 'No such turns' }).waitFor();
  });

  it('show what was said to who says why, and the audit keeps it', async () => {
    const page = await browser.open(app.url, { path: '/turns', language: 'fr' });
    await page.getByRole('button', { name: 'Afficher plus' }).click();
    await page.getByRole('main').getByRole('listitem').nth(20).getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('En tableau').click();
    const table = dialog.getByRole('table');
    await table.getByRole('row', { name: /Mise en mémoire/ }).waitFor();
    expect(await table.getByRole('row', { name: /scripted/ }).count()).toBeGreaterThanOrEqual(2);
    expect(await dialog.innerText()).not.toMatch(/secret|roof/);

    await dialog.getByLabel('Pourquoi le consultez-vous ?').fill('Une plainte');
    await page.keyboard.press('Enter');
    await dialog.getByText('Remember the roof', { exact: true }).waitFor();
    await dialog.getByText('The secret answer.', { exact: true }).waitFor();
    await dialog.locator('summary', { hasText: /^Mise en mémoire$/ }).click();
    await dialog
      .getByText(/The roof has panels/)
      .first()
      .waitFor();
    await dialog.locator('summary', { hasText: 'Prompt exact' }).first().click();
    await dialog
      .getByText(/"role": "system"/)
      .first()
      .waitFor();

    await page.goto(`${app.url}/company`);
    const audit = page.getByRole('listitem').filter({ hasText: 'Tour : consulté' }).first();
    await audit.locator('summary').click();
    await audit.getByText('Une plainte').waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it('turns violate nothing of WCAG 2.2 AA, and fit 400 pixels', async () => {
    const page = await browser.open(app.url, { path: '/turns', scheme, width: 400 });
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);

    await page.goto(`${app.url}/turns?status=FAILED`);
    await page.getByRole('main').getByRole('listitem').getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('As a table').click();
    await dialog.getByLabel('Why do you look?').fill('A complaint');
    await page.keyboard.press('Enter');
    await dialog.getByText('Nothing was answered.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
