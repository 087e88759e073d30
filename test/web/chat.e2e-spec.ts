import type { Page } from 'playwright-core';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import type { BookReply } from '../harness/script-book.js';
import { ScriptBook } from '../harness/script-book.js';
import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
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
afterEach(async () => {
  browser.checkProblems();
});

/** A second is not enough on a machine that is busy. */
const PATIENCE = { timeout: 15_000 };

const IMPORT_MESSAGES = `mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }`;

function someMessages(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text: `Message ${index}.`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
  }));
}

function composer(page: Page) {
  return page.getByRole('textbox', { name: /^Ask / });
}

function answers(page: Page) {
  return page.getByRole('article', { name: /^Answer of / });
}

/** Asks in a new conversation what is answered by `replies`. */
async function ask(page: Page, ...replies: BookReply[]): Promise<string> {
  const question = book.add(...replies);
  await composer(page).fill(question);
  await composer(page).press('Enter');
  await page.waitForURL(/\/chat\/[\w-]+$/);
  return question;
}

/** A reply that is said as far as the gate, which the test opens. */
function held(before: string, after: string): { reply: BookReply; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: [text(before), gate(promise), text(after), finish()], open: resolve };
}

describe('a question', () => {
  it('is answered as it is written, and the conversation is listed', async () => {
    const page = await browser.open(app.url);
    const { reply, open } = held('The sun ', 'is a **star**.');
    const question = await ask(page, reply);
    await answers(page).getByText('The sun').waitFor();
    await page.getByText('Writing').waitFor();
    open();
    await answers(page).getByText('The sun is a star.').waitFor();
    expect(await answers(page).locator('strong').innerText()).toBe('star');
    await page.getByRole('complementary', { name: 'Conversations' }).getByText(question).waitFor();
  });

  it('is stopped, and what there is stays', async () => {
    const page = await browser.open(app.url);
    const { reply, open } = held('It is long', ' and longer.');
    await ask(page, reply);
    await answers(page).getByText('It is long').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped before the end.').waitFor();
    expect(await answers(page).locator('.markdown').innerText()).toBe('It is long');
    open();
  });

  it('shows what skills did, folded', async () => {
    const page = await browser.open(app.url);
    await ask(page, [toolCall('get_company_profile', {}), finish()], [text('You are Demo.'), finish()]);
    await answers(page).getByText('You are Demo.').waitFor();
    const steps = answers(page).locator('details');
    expect(await steps.getAttribute('open')).toBeNull();
    await steps.getByText('1 step').click();
    await steps.getByText('done').waitFor();
  });

  it('is taken up again after a reload, and in another tab', async () => {
    const page = await browser.open(app.url);
    const { reply, open } = held('First half, ', 'second half.');
    await ask(page, reply);
    await answers(page).getByText('First half,').waitFor();
    await page.reload();
    await answers(page).getByText('First half,').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await answers(other).getByText('First half,').waitFor();
    open();
    await answers(page).getByText('First half, second half.').waitFor();
    await answers(other).getByText('First half, second half.').waitFor();
  });
});

describe('versions', () => {
  it('of a question and of an answer are turned over like pages', async () => {
    const page = await browser.open(app.url);
    await ask(page, [text('One.'), finish()]);
    await answers(page).getByText('One.').waitFor();
    await page.getByRole('button', { name: 'Answer once more' }).click();
    await page.getByText('2/2').waitFor();
    await page.getByRole('button', { name: 'Previous version' }).click();
    await page.getByText('1/2').waitFor();

    const other = book.add([text('Two.'), finish()]);
    await page.getByRole('button', { name: 'Ask otherwise' }).click();
    await page.getByRole('textbox', { name: 'Ask otherwise' }).fill(other);
    await page.getByRole('button', { name: 'Send' }).first().click();
    await answers(page).getByText('Two.').waitFor();
    await page.getByRole('button', { name: 'Previous version' }).click();
    await answers(page).getByText('One.').waitFor();
  });
});

describe('a long conversation', () => {
  it('is read back to its first message, and goes on from its last', async () => {
    const ada = await app.client();
    const { importConversation: conversation } = await ada.get<{ importConversation: { id: string } }>(
      IMPORT_MESSAGES,
      { input: { assistantKey: 'mefali', title: 'Long', messages: someMessages(240) } },
    );
    const page = await browser.open(app.url, { path: `/chat/${conversation.id}` });
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('article');
    await messages.getByText('Message 239.', { exact: true }).waitFor();
    const scroller = page.locator('.thread > .scroller');
    const wasFirst = messages.getByText('Message 210.', { exact: true });
    await page.getByRole('button', { name: 'Show earlier messages' }).scrollIntoViewIfNeeded();
    await expect.poll(() => messages.count()).toBe(130);
    // What was read stays where it was, and what came before it is above.
    const { y } = (await wasFirst.boundingBox())!;
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(860);
    await expect
      .poll(async () => {
        await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
        return messages.count();
      }, PATIENCE)
      .toBe(240);
    await messages.getByText('Message 0.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).count()).toBe(0);
    // Of what is far away there is the text alone, until somebody goes there.
    const copies = page.getByRole('button', { name: 'Copy' });
    await expect.poll(() => copies.count(), PATIENCE).toBeLessThan(80);
    await messages.getByText('Message 119.', { exact: true }).scrollIntoViewIfNeeded();
    const middle = page.getByRole('listitem').filter({ hasText: 'Message 119.' });
    await middle.getByRole('button', { name: 'Copy' }).waitFor();

    await composer(page).fill(book.add([text('And more.'), finish()]));
    await composer(page).press('Enter');
    await messages.getByText('And more.').waitFor();
    await expect.poll(() => messages.count()).toBe(242);
  });
});

describe('the list', () => {
  it('is searched, and conversations are renamed, pinned, put away and deleted', async () => {
    const page = await browser.open(app.url);
    await ask(page, [text('Yes.'), finish()]);
    await answers(page).getByText('Yes.').waitFor();
    const list = page.getByRole('complementary', { name: 'Conversations' });
    const act = async (name: string): Promise<void> => {
      await list.locator('.conversation.open').getByRole('button').click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    await act('Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Solar panels');
    await page.getByRole('button', { name: 'Save' }).click();
    const solar = list.getByRole('link', { name: 'Solar panels' });
    await solar.waitFor();

    await act('Pin');
    await list.getByRole('region', { name: 'Pinned' }).getByText('Solar panels').waitFor();

    await list.getByRole('searchbox').fill('solár');
    await page.waitForURL(/find=/);
    await expect.poll(() => list.locator('.conversation').count()).toBe(1);
    await list.getByRole('searchbox').fill('');
    await page.waitForURL((url) => !url.search.includes('find'));

    await act('Archive');
    await solar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archived' }).click();
    await solar.waitFor();

    await act('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await solar.waitFor({ state: 'detached' });
    await page.waitForURL(/\/chat(\?|$)/);
  });
});

describe('many conversations', () => {
  it('are listed a page at a time, to the first', async () => {
    const lea = await app.client({ sub: 'lea' });
    for (let index = 0; index < 130; index += 1) {
      await lea.get(IMPORT_MESSAGES, {
        input: { assistantKey: 'mefali', title: `Talk ${index}.`, messages: someMessages(1) },
      });
    }
    const page = await browser.open(app.url, { sub: 'lea' });
    const list = page.getByRole('complementary', { name: 'Conversations' });
    for (const count of [50, 100, 130]) {
      await expect.poll(() => list.getByRole('link', { name: /Talk/ }).count(), PATIENCE).toBe(count);
      if (count < 130) await list.getByRole('button', { name: 'Show more' }).click();
    }
    await list.getByText('Talk 0.', { exact: true }).waitFor();
    expect(await list.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    // One that is renamed elsewhere is called so here, wherever it stands.
    const first = await list.getByRole('link', { name: 'Talk 0.' }).getAttribute('href');
    await lea.get(
      'mutation ($input: UpdateConversationInput!) { updateConversation(input: $input) { id } }',
      {
        input: { id: first?.split('/').at(-1), title: 'Renamed' },
      },
    );
    await list.getByText('Renamed', { exact: true }).waitFor();
    await expect.poll(() => list.getByRole('link', { name: /Talk/ }).count(), PATIENCE).toBe(129);
  });
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it.each([1280, 400])(
    'violates nothing of WCAG 2.2 AA at %i pixels, and is not moved sideways',
    async (width) => {
      const page = await browser.open(app.url, { scheme, width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await ask(
        page,
        [toolCall('get_company_profile', {}), finish()],
        [
          text(
            '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n- [link](https://example.org/)',
          ),
          finish(),
        ],
      );
      await answers(page).getByText('Title').waitFor();
      await page.getByRole('button', { name: 'Answer once more' }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    },
  );
});
