import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject } from 'vitest';

import { ConsoleBrowser } from '../harness/console.js';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import { createTestDatabase } from '../harness/test-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** How often the server is killed. */
    webCrashes: number;
  }
}

const MESSAGES = `query ($id: ID!) { conversation(id: $id) {
  activeTurn { id } messages(last: 2) { edges { node { role text status } } } } }`;

interface Stored {
  conversation: { messages: { edges: { node: { role: string; text: string; status: string } }[] } };
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

it('shows what is stored after the server was killed in mid-answer, without being touched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palabre-crash-'));
  await using database = await createTestDatabase({ isLasting: true });
  const { url } = database.location.database;
  const port = String(await freePort());
  const settings = {
    ...(url !== null && { DATABASE_URL: url }),
    DATA_DIR: folder,
    PORT: port,
    OFFLINE_MODEL_TOKENS_PER_SECOND: '40',
    LEASE_SECONDS: '10',
  };
  await using browser = await ConsoleBrowser.launch();
  let server = await ServerProcess.start(settings);
  try {
    const page = await browser.open(server.url);
    const second = await page.context().newPage();
    for (let crash = 0; crash < (inject('webCrashes') ?? 2); crash += 1) {
      await page.getByRole('link', { name: 'New conversation' }).click();
      await page.getByRole('radio', { name: /Mefali/ }).check();
      await page
        .getByRole('textbox', { name: /^Ask / })
        .fill('Quelle est l’empreinte carbone de 3 500 litres de gazole au Sénégal ?');
      await page.keyboard.press('Enter');
      await page.locator('.answer.live .markdown .block').first().waitFor();
      await second.goto(page.url());
      // At another place in the text each time, or after it.
      await page.waitForFunction(
        (length) => (document.querySelector('.answer .markdown')?.textContent?.length ?? 0) > length,
        (crash % 7) * 12,
      );
      await server.kill('SIGKILL');
      server = await ServerProcess.start(settings);
      const client = await server.client();
      for (const tab of [page, second]) {
        await tab.locator('.answer:not(.live)').waitFor({ timeout: 120_000 });
        const id = new URL(tab.url()).pathname.split('/').at(-1);
        const { conversation } = await client.get<Stored>(MESSAGES, { id });
        const [question, answer] = conversation.messages.edges.map(({ node }) => node);
        expect([question?.role, answer?.role, answer?.status]).toEqual(['USER', 'ASSISTANT', 'COMPLETE']);
        expect(words(await tab.locator('.answer .markdown').innerText())).toBe(words(answer!.text));
      }
    }
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
  browser.checkProblems();
}, 900_000);
