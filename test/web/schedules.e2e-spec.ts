import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { startApp, type TestApp } from '../harness/start-app.js';

let app: TestApp;
let browser: ConsoleBrowser;
beforeAll(async () => {
  app = await startApp(() => [text('Nothing new.'), finish()]);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

const CREATE = `mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }`;

async function schedule(sub: string, input: object): Promise<void> {
  const client = await app.client({ sub, role: 'MEMBER' });
  await client.get(CREATE, { input: { assistantKey: 'mefali', timeZone: 'Africa/Dakar', ...input } });
}

describe('schedules', () => {
  it('are made, asked now, looked back at, changed, paused, resumed and deleted', async () => {
    const page = await browser.open(app.url, { path: '/chat', sub: 'sam', role: 'MEMBER' });
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('heading', { name: 'No question is scheduled' }).waitFor();
    await page.getByRole('button', { name: 'Schedule a question' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Question').fill('What is new?');
    await dialog.getByLabel('Who answers').selectOption('Mefali');
    await dialog.getByLabel('How often').selectOption('every week');
    await dialog.getByLabel(/^On/).selectOption('Friday');
    await dialog.getByLabel('At', { exact: true }).fill('16:30');
    await dialog.getByLabel('Time zone').selectOption('America/New_York');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('main').getByRole('listitem');
    await row.getByText(/every Friday at 16:30 \(America\/New_York\) · next on/).waitFor();
    const act = async (name: string): Promise<void> => {
      await row.getByRole('button', { name: 'Actions for “What is new?”' }).click();
      await row.getByRole('button', { name, exact: true }).click();
    };

    await act('Change');
    await dialog.getByLabel('How often').selectOption('as a cron expression says');
    await dialog.getByLabel(/^Cron expression/).fill('not one');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(/^Cron expression/).fill('0 8 1 * *');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText(/on the first of each month at 08:00/).waitFor();

    await act('Pause');
    await row.getByText('paused', { exact: true }).waitFor();
    await act('Resume');
    await row.getByText('paused', { exact: true }).waitFor({ state: 'detached' });

    await act('Ask now');
    await page.waitForURL(/\/chat\/[\w-]+$/);
    await page.getByRole('list', { name: 'Messages' }).getByText('Nothing new.').waitFor();
    await page.getByRole('link', { name: 'Schedules' }).click();
    await act('What came of it');
    await dialog.getByRole('listitem').getByText('asked', { exact: true }).waitFor();
    await dialog.getByRole('link').click();
    await page.getByRole('list', { name: 'Messages' }).getByText('Nothing new.').waitFor();

    await page.getByRole('link', { name: 'Schedules' }).click();
    await act('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No question is scheduled' }).waitFor();
  });

  it('of others are found, paused and deleted by admins, who do not see what is asked', async () => {
    await schedule('moussa', { message: 'A secret question', when: { cron: '0 9 * * MON-FRI' } });
    const page = await browser.open(app.url, { path: '/schedules', sub: 'chief', language: 'fr' });
    await page.getByText('Aucune question n’est planifiée').waitFor();
    await page.getByLabel('Celles de tous les membres').check();
    const row = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'du lundi au vendredi à 09:00' });
    await row.getByText('La question d’un autre membre').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('secret');
    await row.getByRole('button').first().click();
    expect(await row.getByRole('button', { name: 'Poser maintenant' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Suspendre' }).click();
    await row.getByText('suspendue par un administrateur').waitFor();
    await row.getByRole('button').first().click();
    await row.getByRole('button', { name: 'Supprimer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('ask once too, at a time of the reader’s own zone', async () => {
    const page = await browser.open(app.url, { path: '/schedules', sub: 'once', role: 'MEMBER' });
    await page.getByRole('button', { name: 'Schedule a question' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Question').fill('Happy new year?');
    await dialog.getByLabel('How often').selectOption('once');
    await dialog.getByLabel('Day and time').fill('2040-01-01T09:30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/once, on Jan 1, 2040, 9:30 AM/).waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it('schedules violate nothing of WCAG 2.2 AA, and fit 400 pixels', async () => {
    const sub = `axe-${scheme}`;
    await schedule(sub, { message: 'What is new?', when: { at: '2040-01-01T00:00:00Z' } });
    const page = await browser.open(app.url, { path: '/schedules', scheme, sub, role: 'MEMBER', width: 400 });
    await page.getByRole('main').getByRole('listitem').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Schedule a question' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Time zone').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
