/**
 * `npm run console:screenshots`: starts the built server with a company of its own and the offline model, uses the console
 * in Chromium (at /usr/bin/chromium, or where CHROMIUM says), and writes images/*.png, in light and dark.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../', import.meta.url));
const images = fileURLToPath(new URL('images/', import.meta.url));

const DOCUMENT = `# Charte énergie 2026

## Électricité

Le siège de Dakar a consommé 12 000 kWh d'électricité en 2025, dont 3 100 kWh produits par les panneaux solaires du toit.
L'objectif est de porter la part solaire à 40 % avant décembre 2027.

## Carburants

Les groupes électrogènes et les véhicules ont brûlé 3 500 litres de gazole. Toute livraison de plus de 200 litres est
signée par la responsable des achats.

## Suivi

Les relevés sont faits le premier lundi de chaque mois et gardés cinq ans.
`;

/** What is done before a picture is taken. Each begins in the chat. */
const pictures = {
  'new-conversation': async (page) => {
    await page.getByRole('radio', { name: /Mefali/ }).check();
  },
  chat: async (page) => {
    await ask(
      page,
      /Mefali/,
      'Quelle est l’empreinte carbone de 12 000 kWh d’électricité au Sénégal et 3 500 litres de gazole ?',
    );
    await page.locator('.answer:not(.live)').waitFor();
    await page.locator('.steps summary').first().click();
  },
  sources: async (page) => {
    await ask(page, /文庫/, 'Quel est l’objectif de part solaire ?');
    await page.locator('.answer:not(.live)').waitFor();
    await page.locator('.marker, .chip').first().click();
    await page.locator('.passage.open').waitFor();
  },
  approval: async (page) => {
    await ask(page, /Mefali/, 'Retiens que notre entreprise est à Saint-Louis.');
    await page.locator('.approval, .answer:not(.live)').first().waitFor();
  },
  inbox: async (page) => {
    await page.getByRole('link', { name: /Inbox/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  },
};

async function ask(page, assistant, question) {
  await page.getByRole('radio', { name: assistant }).check();
  await page.getByRole('textbox', { name: /^Ask / }).fill(question);
  await page.keyboard.press('Enter');
}

const folder = await mkdtemp(join(tmpdir(), 'palabre-screenshots-'));
const server = spawn(process.execPath, ['dist/app/main.js'], {
  cwd: root,
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
  },
});
try {
  const link = new URL(await linkOf(server));
  await fill(link);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args,
  });
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, act] of Object.entries(pictures)) {
      const viewport = { width: 1280, height: 800 };
      const page = await browser.newPage({ viewport, colorScheme, locale: 'en', reducedMotion: 'reduce' });
      await page.goto(link.href);
      await page.getByRole('textbox', { name: /^Ask / }).waitFor();
      await act(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`), animations: 'disabled' });
      await page.close();
    }
  }
  await browser.close();
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}

async function linkOf({ stdout }) {
  let output = '';
  for await (const text of stdout.setEncoding('utf8')) {
    output += text;
    const [, link] = /Console +(\S+)\n/.exec(output) ?? [];
    if (link) return link;
  }
  throw new Error(`The server did not start:\n${output}`);
}

/** A document to be cited, and a skill that asks first. */
async function fill(link) {
  const token = new URLSearchParams(link.hash.slice(1)).get('token');
  const request = async (query, variables = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables });
    const { data, errors } = await (
      await fetch(new URL('/graphql', link), { method: 'POST', headers, body })
    ).json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const bytes = Buffer.from(DOCUMENT);
  const input = { name: 'Charte énergie 2026.md', mediaType: 'text/markdown', bytes: bytes.length };
  const { createDocumentUpload: upload } = await request(
    `mutation ($input: CreateDocumentUploadInput!) {
      createDocumentUpload(input: $input) { url method headers document { id } } }`,
    { input },
  );
  await fetch(new URL(new URL(upload.url).pathname + new URL(upload.url).search, link), {
    method: upload.method,
    headers: upload.headers,
    body: bytes,
  });
  const status = `query ($id: ID!) { document(id: $id) { status } }`;
  while ((await request(status, { id: upload.document.id })).document.status !== 'COMPLETED');
  await request(
    `mutation { setSkillApproval(key: "remember", required: true, askerMayApprove: true) { key } }`,
  );
}
