import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { readRequest } from '../harness/provider-request.js';
import { newQuestion, ScriptBook, upkeepReply } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';

const book = new ScriptBook();
/** The prompt that has an image: its question is no plain text, which the book could read. */
let seen = '';
let app: TestApp;
let browser: ConsoleBrowser;

function replyTo(body: JsonObject): ProviderReply {
  const sent = JSON.stringify(body);
  if (!sent.includes('image_url')) return book.replyTo(body);
  const kept = upkeepReply(body);
  if (kept) return kept;
  seen = sent;
  return [text('Understood.'), finish()];
}

beforeAll(async () => {
  app = await startApp(replyTo);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

const prompt = 'Where is it to be sent?';
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'Town' },
    boxes: { type: 'integer', title: 'Boxes' },
    weight: { type: 'number', title: 'Weight' },
    fragile: { type: 'boolean', title: 'Fragile' },
    size: { type: 'string', enum: ['small', 'large'], title: 'Size' },
    days: { type: 'array', items: { type: 'string', enum: ['Monday', 'Friday'] }, title: 'Days' },
  },
  required: ['city', 'size'],
};

/** A question whose answer is asked back; what the model is then told is kept. */
function askingBack(args: JsonObject): { question: string; told: () => string } {
  let told = '';
  const question = book.add([toolCall('ask_user', args), finish()], (body) => {
    told = readRequest(body).messages.findLast(({ role }) => role === 'tool')?.content ?? '';
    return [text('Understood.'), finish()];
  });
  return { question, told: () => told };
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Ask / }).fill(question);
  await page.keyboard.press('Enter');
}

function understood(page: Page): Promise<void> {
  return page.getByRole('article').getByText('Understood.').waitFor();
}

describe('a question of the model', () => {
  it('is answered by its form, with each kind of field', async () => {
    const page = await browser.open(app.url);
    const { question, told } = askingBack({ prompt, schema });
    await ask(page, question);
    const card = page.getByRole('region', { name: prompt });
    await card.getByText('Town').waitFor();
    await card.getByRole('button', { name: 'Send the answer' }).click();
    expect(await card.getByLabel('Town').evaluate((field) => field.matches(':invalid'))).toBe(true);
    await card.getByLabel('Town').fill('Thiès');
    await card.getByLabel('Boxes').fill('3');
    await card.getByLabel('Weight').fill('2.5');
    await card.getByLabel('Fragile').check();
    await card.getByLabel('Size').selectOption('large');
    await card.getByRole('group', { name: 'Days' }).getByLabel('Friday').check();
    await card.getByRole('button', { name: 'Send the answer' }).click();
    await understood(page);
    const value = { city: 'Thiès', boxes: 3, weight: 2.5, fragile: true, size: 'large', days: ['Friday'] };
    for (const [name, one] of Object.entries(value)) {
      expect(told()).toContain(`"${name}":${JSON.stringify(one)}`);
    }
  });

  it('is declined in the inbox, which no longer counts it', async () => {
    const page = await browser.open(app.url, { language: 'fr' });
    const { question, told } = askingBack({ prompt });
    await page.getByRole('textbox', { name: /^Demandez / }).fill(question);
    await page.keyboard.press('Enter');
    await page.getByLabel('Votre réponse').waitFor();
    await page.locator('.navigation-item .count').getByText('1').first().waitFor();
    await page.locator('.navigation-item', { has: page.locator('.count') }).click();
    await page.getByRole('heading', { name: 'Attend votre réponse' }).waitFor();
    await page.getByRole('button', { name: 'Refuser' }).click();
    await page.locator('.navigation-item .count').waitFor({ state: 'detached' });
    await expect.poll(told).not.toBe('');
    expect(told()).toContain('pas voulu répondre');
  });

  it.each(['light', 'dark'] as const)('is for everybody, in %s', async (scheme) => {
    const page = await browser.open(app.url, { scheme, width: 400 });
    const { question } = askingBack({ prompt, schema });
    await ask(page, question);
    await page.getByLabel('Town').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Decline' }).click();
    await understood(page);
  });
});

describe('attachments', () => {
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('The baobab is in Kolda.') };

  it('are sent with a question, seen by the model and shown with it', async () => {
    const page = await browser.open(app.url);
    const create = { width: 40, height: 30, channels: 3, background: 'teal' } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    const photo = { name: 'photo.png', mimeType: 'image/png', buffer };
    const given = page.locator('.composer').getByRole('list', { name: 'Attached files' });
    await page
      .locator('.composer input[type=file]')
      .setInputFiles([note, photo, { ...note, name: 'not.txt' }]);
    await page.getByRole('button', { name: 'Do not attach “not.txt”' }).click();
    await given.getByRole('progressbar').last().waitFor({ state: 'detached' });
    expect(await given.getByRole('listitem').count()).toBe(2);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('textbox', { name: /^Ask / }).fill(newQuestion());
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await understood(page);
    expect(seen).toContain('The baobab is in Kolda.');
    expect(seen).toContain('data:image/png;base64,');
    const shown = page.getByRole('article', { name: /^Your question/ });
    await shown.getByRole('link', { name: 'note.txt' }).waitFor();
    const image = shown.getByRole('link', { name: 'photo.png' }).locator('img');
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(40);
    expect(await violationsIn(page)).toEqual([]);
    await page.locator('.composer .chip').waitFor({ state: 'detached' });
  });

  it.each(['drop', 'paste'] as const)('come by %s, and say why one is refused', async (way) => {
    const page = await browser.open(app.url);
    await page.getByRole('textbox', { name: /^Ask / }).evaluate((field, type) => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'scan.tiff', { type: 'image/tiff' }));
      const options = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        type === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    }, way);
    await page
      .getByRole('listitem')
      .getByRole('alert')
      .getByText(/TIFF|image/i)
      .waitFor();
  });
});
