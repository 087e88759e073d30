/**
 * What the console asks of a browser whose processor is four times as slow as this one's: the first paint of the chat, ten
 * thousand messages that are read back and scrolled through, and an answer of 100 tokens a second, with the heap after
 * each minute of it.
 *
 *   npm run bench -- console [--only paint,messages,answer] [--minutes 10] [--messages 10000] [--slowdown 4]
 *
 * It takes the minutes of the answer and about three more: what takes longer than PATIENCE_MS is broken off, and told.
 * Browser, server and scripted model share this machine: what else it does is in the figures. Chromium is at
 * /usr/bin/chromium, or where CHROMIUM says.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';
import { finish, gate, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../dist/companies/auth/token-signer.js';
import { createLogger } from '../dist/common/process/logger.js';
import { readConfig } from '../dist/common/config/read-config.js';
import { startServer } from '../dist/app/server.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'paint,messages,answer' },
    minutes: { type: 'string', default: '10' },
    messages: { type: 'string', default: '10000' },
    slowdown: { type: 'string', default: '4' },
  },
});
const [minutes, messages, slowdown] = [values.minutes, values.messages, values.slowdown].map(Number);

const TOKENS_PER_SECOND = 100;
const PATIENCE_MS = 180_000;
/** Of one import. */
const MAX_IMPORTED = 5_000;
const secret = 'only for this benchmark, 32 characters';

const provider = await startScriptedProvider(longAnswer);
const config = readConfig({
  PORT: '0',
  AUTH_SECRET: secret,
  LLM_BASE_URL: provider.baseUrl,
  LLM_MODEL: 'scripted',
  CONVERSATION_TITLES: 'question',
  MAX_OPERATIONS_PER_MINUTE: '1000000',
  MAX_THREAD_MS_PER_MINUTE: '1000000',
});
const server = await startServer(config, createLogger({ level: 'error', pretty: false }), {
  location: { ...config, dataDir: null },
});
const token = await signToken(secret, { sub: 'bench', company: 'demo', role: 'ADMIN' }, 7200);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args });
const parts = { paint: firstPaint, messages: manyMessages, answer: longStream };
try {
  for (const name of values.only.split(',')) await parts[name]();
} finally {
  await browser.close();
  await server.close();
  await provider.close();
}

/** As many tokens as the time has seconds for, a paragraph each sixty. */
function longAnswer() {
  const began = performance.now();
  const gates = Array.from({ length: minutes * 60 * TOKENS_PER_SECOND }, () => Promise.withResolvers());
  let opened = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - began) * TOKENS_PER_SECOND) / 1000;
    for (; opened < Math.min(due, gates.length); opened += 1) gates[opened].resolve();
    if (opened === gates.length) clearInterval(timer);
  }, 5);
  const steps = gates.flatMap(({ promise }, index) => [
    gate(promise),
    text(index % 60 === 59 ? `word${index}.\n\n` : `word${index} `),
  ]);
  return [...steps, finish()];
}

async function slowPage(context = browser) {
  const page = await context.newPage({ locale: 'en', viewport: { width: 1280, height: 860 } });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask', buffered: true });
    const looking = new MutationObserver(() => {
      if (!document.querySelector('.composer textarea')) return;
      looking.disconnect();
      // Once it has been painted.
      requestAnimationFrame(() => setTimeout(() => (globalThis.chatShown = performance.now())));
    });
    looking.observe(document, { childList: true, subtree: true });
  });
  return { page, devtools };
}

async function firstPaint() {
  const rows = [];
  // The second visit finds the files and what the browser has compiled of them.
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 860 } });
  for (const visit of ['first', 'second', 'third']) {
    const { page } = await slowPage(context);
    await page.goto(`${server.url}/chat#token=${token}`);
    await page.getByRole('textbox', { name: /^Ask / }).waitFor();
    const { paint, ready } = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      ready: globalThis.chatShown,
    }));
    const row = { visit, 'first paint, ms': Math.round(paint), 'chat drawn, ms': Math.round(ready) };
    rows.push({ ...row, ...(await longTasksOf(page)) });
    await page.close();
  }
  await context.close();
  console.log(`The chat, on a processor ${slowdown} times as slow`);
  console.table(rows);
}

async function manyMessages() {
  const id = await importMessages();
  const { page, devtools } = await slowPage();
  await page.goto(`${server.url}/chat/${id}#token=${token}`);
  await page.locator('.messages article').last().waitFor();
  const opening = { what: 'opening', ...(await longTasksOf(page)) };
  const began = performance.now();
  // Read back to the first message, by scrolling to the beginning again and again.
  const shown = await page.evaluate(async (patienceMs) => {
    const scroller = document.querySelector('.thread > .scroller');
    const end = performance.now() + patienceMs;
    while (document.querySelector('.earlier') && performance.now() < end) {
      scroller.scrollTop = 0;
      await new Promise(requestAnimationFrame);
    }
    return document.querySelectorAll('.messages article').length;
  }, PATIENCE_MS);
  const reading = {
    what: `reading back to ${shown} messages`,
    ms: Math.round(performance.now() - began),
    ...(await longTasksOf(page)),
  };
  const rows = [opening, reading];
  for (const [what, pixels, frames] of [
    ['scrolling as one reads', 40, 600],
    ['scrolling by the wheel', 200, 600],
    ['flying to the end', 2_000, 10_000],
  ]) {
    const times = await scroll(page, pixels, frames);
    const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)]);
    const half = { frames: times.length, 'half within, ms': at(0.5), '99 % within, ms': at(0.99) };
    rows.push({ what, ms: Math.round(sum(times)), ...(await longTasksOf(page)), ...half });
  }
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  console.log(`${messages} messages, on a processor ${slowdown} times as slow`);
  console.table(rows);
  console.log(`The heap after that: ${(usedSize / 1e6).toFixed(1)} MB`);
  await page.close();
}

/** Scrolls by so many pixels a frame, from the beginning to the end or for so many frames: the times between frames. */
function scroll(page, pixels, frames) {
  return page.evaluate(
    async ({ pixels, frames, patienceMs }) => {
      const scroller = document.querySelector('.thread > .scroller');
      const times = [];
      scroller.scrollTop = 0;
      await new Promise(requestAnimationFrame);
      const end = performance.now() + patienceMs;
      let last = performance.now();
      while (
        times.length < frames &&
        last < end &&
        scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2
      ) {
        scroller.scrollTop += pixels;
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - last);
        last = performance.now();
      }
      return times.toSorted((one, other) => one - other);
    },
    { pixels, frames, patienceMs: PATIENCE_MS },
  );
}

async function longTasksOf(page) {
  const tasks = await page.evaluate(() => globalThis.longTasks.splice(0));
  return { 'long tasks': tasks.length, 'the longest, ms': Math.max(0, ...tasks) };
}

/** Imports have a limit: the messages of the later ones are moved to the first. */
async function importMessages() {
  const ids = [];
  for (let first = 0; first < messages; first += MAX_IMPORTED) {
    const said = Array.from({ length: Math.min(MAX_IMPORTED, messages - first) }, (_, index) => ({
      role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
      text: `**Message ${first + index}.** ${'It has some words, a [link](https://example.org) and a list:\n\n- one\n- two\n\n'.repeat(1 + (index % 3))}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, first + index)).toISOString(),
    }));
    const { importConversation: made } = await request(
      'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
      { input: { assistantKey: 'mefali', title: 'Many messages', messages: said } },
    );
    ids.push(made.id);
  }
  const [into, ...others] = ids;
  const { viewer } = await request('{ viewer { company { id } } }');
  await server.resources.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `UPDATE message SET conversation_id = $1, branch_id =
         (SELECT shown_branch_id FROM conversation WHERE company_id = $2 AND id = $1)
       WHERE company_id = $2 AND conversation_id = ANY ($3)`,
      [into, viewer.company.id, others],
    ),
  );
  return into;
}

async function request(query, variables) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function longStream() {
  await request(
    'mutation ($input: UpdateAssistantInput!) { updateAssistant(key: "mefali", input: $input) { id } }',
    {
      input: { maxSeconds: 900, maxOutputTokens: 128_000 },
    },
  );
  const { page, devtools } = await slowPage();
  await page.goto(`${server.url}/chat#token=${token}`);
  await page.getByRole('radio', { name: /Mefali/ }).check();
  await page.getByRole('textbox', { name: /^Ask / }).fill('Go on and on.');
  await page.keyboard.press('Enter');
  await page.locator('.answer.live .block').first().waitFor();
  await longTasksOf(page);
  const rows = [];
  const began = performance.now();
  for (let step = 1; step <= minutes * 2; step += 1) {
    await sleep(began + step * 30_000 - performance.now());
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const characters = await page.evaluate(
      () => document.querySelector('.answer .markdown')?.textContent.length,
    );
    rows.push({
      'after, s': step * 30,
      characters,
      'heap, MB': (usedSize / 1e6).toFixed(1),
      ...(await longTasksOf(page)),
    });
  }
  console.log(`An answer of ${TOKENS_PER_SECOND} tokens a second, on a processor ${slowdown} times as slow`);
  console.table(rows);
  await page.close();
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
