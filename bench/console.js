/**
 * What the console asks of a browser whose processor is four times as slow as this one's: the first paint of the chat, ten
 * thousand messages that are read back and scrolled through, and an answer of 100 tokens a second, with the heap after
 * each minute of it.
 *
 *   npm run bench -- console [--minutes 10] [--messages 10000] [--slowdown 4]
 *
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
    minutes: { type: 'string', default: '10' },
    messages: { type: 'string', default: '10000' },
    slowdown: { type: 'string', default: '4' },
  },
});
const [minutes, messages, slowdown] = [values.minutes, values.messages, values.slowdown].map(Number);

const TOKENS_PER_SECOND = 100;
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
try {
  await firstPaint();
  await manyMessages();
  await longStream();
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

async function slowPage() {
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 860 } });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask', buffered: true });
  });
  return { page, devtools };
}

async function firstPaint() {
  const rows = [];
  for (const name of ['first visit', 'second visit']) {
    const { page } = await slowPage();
    await page.goto(`${server.url}/chat#token=${token}`);
    await page.getByRole('textbox', { name: /^Ask / }).waitFor();
    if (name === 'second visit') await page.reload();
    await page.getByRole('textbox', { name: /^Ask / }).waitFor();
    const { paint, ready } = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      ready: performance.now(),
    }));
    rows.push({
      what: name,
      'first paint, ms': Math.round(paint),
      'can be written in, ms': Math.round(ready),
    });
    await page.close();
  }
  console.log(`The chat, on a processor ${slowdown} times as slow`);
  console.table(rows);
}

async function manyMessages() {
  const id = await importMessages();
  const { page } = await slowPage();
  await page.goto(`${server.url}/chat/${id}#token=${token}`);
  await page.locator('.messages > li').last().waitFor();
  await page.evaluate(() => void (globalThis.longTasks.length = 0));
  const began = performance.now();
  // Read back to the first message, by scrolling to the beginning again and again.
  await page.evaluate(async (wanted) => {
    const scroller = document.querySelector('.thread > .scroller');
    const count = () => document.querySelectorAll('.messages article').length;
    while (count() < wanted) {
      scroller.scrollTop = 0;
      await new Promise(requestAnimationFrame);
    }
  }, messages);
  const reading = {
    what: 'reading back',
    ...(await longTasksOf(page)),
    ms: Math.round(performance.now() - began),
  };
  const frames = await page.evaluate(async () => {
    const scroller = document.querySelector('.thread > .scroller');
    const frames = [];
    let last = performance.now();
    scroller.scrollTop = 0;
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2) {
      scroller.scrollTop += 2_000;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - last);
      last = performance.now();
    }
    return frames.toSorted((one, other) => one - other);
  });
  const scrolling = { what: 'scrolling through', ...(await longTasksOf(page)), ms: Math.round(sum(frames)) };
  console.log(`${messages} messages, on a processor ${slowdown} times as slow`);
  console.table([reading, scrolling]);
  const at = (share) => Math.round(frames[Math.floor((frames.length - 1) * share)]);
  console.log(
    `${frames.length} frames of scrolling: half within ${at(0.5)} ms, 99 % within ${at(0.99)} ms, all within ${at(1)} ms`,
  );
  await page.close();
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
  await page.evaluate(() => void (globalThis.longTasks.length = 0));
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
