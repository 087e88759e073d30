import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { drawnPdf } from '../../packages/reader/src/pdf/fixtures/drawn-pdf.double.js';
import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';

/** The page that a citation names, drawn by pdf.js in a thread of its own. */
const book = new ScriptBook();
let app: TestApp;
let browser: ConsoleBrowser;
beforeAll(async () => {
  app = await startApp(book.replyTo);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

const SAID = 'The share of solar power rises to 40 percent before December 2027.';

function report(): Promise<Uint8Array> {
  return drawnPdf((document) => {
    document.fontSize(12).text('Minutes of the meeting in Dakar. Nothing was decided about fuel.');
    document.addPage().text('All members of the board were there on Monday.');
    document.moveDown(4).text(SAID);
  });
}

/** Has the PDF cited, and opens the cited page. */
async function open(language: string, name: string, options: { scheme?: 'dark'; width?: number } = {}) {
  const page = await browser.open(app.url, { path: '/documents', language, sub: name, ...options });
  await page.locator('input[type=file]').setInputFiles({
    name: `${name}.pdf`,
    mimeType: 'application/pdf',
    buffer: Buffer.from(await report()),
  });
  const row = page.getByRole('listitem').filter({ hasText: `${name}.pdf` });
  await row.locator('.tag.good').waitFor();
  await page.goto(`${app.url}/chat`);
  await page.getByRole('radio', { name: /文庫/ }).check();
  const question = book.add(
    [toolCall('retrieve_documents', { query: 'share of solar power' }), finish()],
    [text('It rises to 40 percent [1].'), finish()],
  );
  await page.locator('.composer textarea').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.answer:not(.live) .marker').click();
  return page;
}

it('is shown with the cited words marked', async () => {
  const page = await open('en', 'report');
  await page.getByRole('button', { name: 'Show the page' }).click();
  const dialog = page.getByRole('dialog', { name: 'report.pdf' });
  await dialog.getByText('Page 2', { exact: true }).waitFor();
  const figure = dialog.getByRole('figure');
  await figure.locator('mark').first().waitFor({ state: 'attached' });
  const marked = (await figure.locator('mark').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
  expect(marked).toContain('The share of solar power rises to 40 percent');
  expect(await figure.innerText()).not.toContain('Minutes');
  expect(await figure.locator('rect').count()).toBeGreaterThan(0);
  const darkPixels = await figure.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, index) => index % 4 === 0 && value < 100).length;
  });
  expect(darkPixels).toBeGreaterThan(100);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

it('violates nothing of WCAG 2.2 AA, and fits 400 pixels, in French and in the dark', async () => {
  const page = await open('fr', 'rapport', { scheme: 'dark', width: 400 });
  await page.getByRole('button', { name: 'Voir la page' }).click();
  await page.getByRole('figure').locator('rect').first().waitFor();
  expect(await violationsIn(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

it('says so where it cannot be drawn, and offers the document', async () => {
  const page = await open('en', 'gone');
  await page.route(/\/files\//, (route) => route.fulfill({ body: 'This is no PDF.' }));
  await page.getByRole('button', { name: 'Show the page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The page cannot be shown here. Open the document instead.').waitFor();
  await dialog.getByRole('button', { name: 'Open the document' }).waitFor();
});
