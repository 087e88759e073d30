/**
 * `npm run console:screenshots` starts the built server with a new company and the offline model, uses the console in
 * Chromium (CHROMIUM, or else /usr/bin/chromium), and writes images/*.png in light and dark.
 * The machine needs a font for Chinese.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import Pdf from 'pdfkit';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const root = fileURLToPath(new URL('../../', import.meta.url));
const images = fileURLToPath(new URL('images/', import.meta.url));

/** Two pages. An answer cites the second one. */
const CHARTER = [
  ['Charte énergie 2026', 'Cette charte engage la coopérative et ses douze sites, de Dakar à Ziguinchor.'],
  [
    'Électricité',
    'Le siège de Dakar a consommé 12 000 kWh d’électricité en 2025, dont 3 100 kWh produits par les panneaux solaires du toit.',
    'L’objectif est de porter la part solaire à 40 % avant décembre 2027.',
    'Carburants',
    'Les groupes électrogènes et les véhicules ont brûlé 3 500 litres de gazole. Toute livraison de plus de 200 litres est signée par la responsable des achats.',
    'Suivi',
    'Les relevés sont faits le premier lundi de chaque mois et gardés cinq ans.',
  ],
];

/** The steps before each picture. They start in the chat. */
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
    await page.locator('.thread > .scroller').evaluate((scroller) => scroller.scrollTo({ top: 0 }));
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
  'cited-page': async (page) => {
    await pictures.sources(page);
    await page.getByRole('button', { name: 'Show the page' }).first().click();
    await page.locator('.cited-page rect').first().waitFor();
  },
  inbox: (page) => visit(page, 'Inbox'),
  schedules: (page) => visit(page, 'Schedules'),
  skills: (page) => visit(page, 'Skills'),
  assistants: (page) => visit(page, 'Assistants'),
  documents: async (page) => {
    await visit(page, 'Documents');
    await page.getByRole('searchbox').fill('part solaire');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Passages found' }).waitFor();
  },
  memory: async (page) => {
    await visit(page, 'Memory');
    await page.getByLabel('A question, as you would ask it').fill('Où est le four ?');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.locator('.told-items').waitFor();
  },
  turns: (page) => visit(page, 'Turns'),
  turn: async (page) => {
    await visit(page, 'Turns');
    await page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('link', { name: /Mefali/ })
      .last()
      .click();
    await page.locator('.waterfall').waitFor();
  },
  usage: (page) => visit(page, 'Usage'),
  company: (page) => visit(page, 'Company'),
};

async function visit(page, screen) {
  await page.getByRole('link', { name: screen, exact: screen !== 'Inbox' }).click();
  await page.getByRole('heading', { level: 1, name: screen }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

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
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      await keep(await page.screenshot({ animations: 'disabled' }), `${name}-${colorScheme}`);
      await page.close();
    }
  }
  await browser.close();
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Stores the picture with 128 colours, which are enough for the console. */
async function keep(picture, name) {
  await sharp(picture)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(join(images, `${name}.png`));
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

async function charter() {
  const pdf = new Pdf({ size: 'A4', margin: 64 });
  for (const [index, page] of CHARTER.entries()) {
    if (index > 0) pdf.addPage();
    for (const text of page) {
      pdf.fontSize(text.length < 25 ? 18 : 12).text(text);
      pdf.moveDown();
    }
  }
  pdf.end();
  return Buffer.concat(await Array.fromAsync(pdf));
}

/** Adds a document to cite, a skill that needs approval, and content for every screen. */
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
  const bytes = await charter();
  const input = { name: 'Charte énergie 2026.pdf', mediaType: 'application/pdf', bytes: bytes.length };
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
  while ((await request(status, { id: upload.document.id })).document.status !== 'COMPLETED')
    await sleep(200);
  await request(
    `mutation { setSkillApproval(key: "remember", required: true, askerMayApprove: true) { key } }`,
  );
  await request(`mutation {
    oven: remember(input: { kind: FACT, subject: "Four", content: "Le four est à Thiès, près du marché.", shared: true }) { id }
    style: remember(input: { kind: PREFERENCE, subject: "Réponses", content: "Des réponses courtes, avec les chiffres." }) { id }
  }`);
  await request(`mutation {
    daily: createSchedule(input: { assistantKey: "mefali", timeZone: "Africa/Dakar", when: { cron: "0 9 * * MON-FRI" },
      message: "Quels appels à projets verts se terminent cette semaine ?" }) { id }
    monthly: createSchedule(input: { assistantKey: "mefali", timeZone: "Africa/Dakar", when: { cron: "30 8 1 * *" },
      message: "Quelle est notre empreinte carbone du mois passé ?" }) { id }
  }`);
  await request(`mutation {
    reports: createApiKey(input: { name: "Rapports mensuels", scopes: [READ] }) { secret }
    portal: createApiKey(input: { name: "Portail clients", scopes: [READ, TURNS] }) { secret }
    setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 5000000 }) { period }
  }`);
}
