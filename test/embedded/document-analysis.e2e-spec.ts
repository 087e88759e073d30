import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { type AnalysisResult, indicatorsIn } from '../../src/documents/analysis/analysis-result.js';
import { AnalysisWork } from '../../src/documents/analysis/analysis-work.service.js';
import { analyzeDocument } from '../../src/documents/analysis/analyze-document.job.js';
import { DocumentRepository } from '../../src/documents/document.repository.js';
import { NamedDocuments } from '../../src/documents/analysis/named-documents.service.js';
import {
  AnalysisModel,
  energy,
  findings,
  longPages,
  report,
  skillResultIn,
  water,
  women,
} from '../harness/analysis-model.js';
import { processed, upload } from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import {
  follow,
  identityOf,
  type NotificationView,
  notificationsOf,
  take,
} from '../harness/notification-view.js';
import { impatiently, patiently } from '../harness/patient-analyses.js';
import { barrier } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { storeDocument, type StoredPage } from '../harness/stored-documents.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';
import { setQuota } from '../harness/usage-view.js';

// A turn waits for up to 100 s here.
const MEFALI = { assistantKey: 'mefali' };

let app: TestApp;
let company: string;
let companyId: string;
let awa: TestClient;
let memberId: string;
let model: AnalysisModel;

beforeAll(async () => {
  app = await shareApp((body: JsonObject) => model.reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  patiently();
  model = new AnalysisModel();
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ({ companyId, id: memberId } = await identityOf(awa));
});
afterEach(() => vi.restoreAllMocks());

function store(name: string, pages: readonly StoredPage[], more: object = {}) {
  return storeDocument(app, { companyId, memberId, name, pages, ...more });
}

/** The only document there is, with its content. */
function remove(contentId: string | null): Promise<void> {
  return app.database.transaction(companyId, async (tx) => {
    await tx.query('DELETE FROM document WHERE company_id = $1', [companyId]);
    await tx.query('DELETE FROM document_content WHERE company_id = $1 AND id = $2', [companyId, contentId]);
  });
}

/** Asks, and gives what the skill told the model. */
async function ask(client = awa, more: object = MEFALI): Promise<JsonObject> {
  const before = model.told.length;
  const { turnId } = await client.ask('Analyse ce document.', more);
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  expect(model.told).toHaveLength(before + 1);
  return model.told.at(-1) as JsonObject;
}

async function failureOf(more: object = MEFALI): Promise<string> {
  return String((await ask(awa, more)).error);
}

function resultsIn(): Promise<{ status: string; result: AnalysisResult | null }[]> {
  return app.database.read(companyId, (tx) => tx.query('SELECT status, result FROM document_analysis'));
}

async function notified(client = awa): Promise<NotificationView[]> {
  return (await notificationsOf(client)).edges.map(({ node }) => node);
}

/** Whatever was granted to Awa is used up. */
async function spendAll(): Promise<void> {
  const ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  await setQuota(ada, { subject: 'MEMBER', memberId, period: 'DAY', maxTokens: 1 });
}

describe('a short document', () => {
  it('is analysed while the turn waits: summary, figures, what it holds for ESG and what is missing', async () => {
    const made = { ...energy, value: '14 200', quote: 'Nous avons consommé 14 200 kWh.' };
    model.find = () =>
      findings({
        summary: 'Un rapport RSE.',
        figures: [energy, made, { ...energy, page: 2, label: 'Ailleurs' }],
        esg: [
          women,
          water,
          { ...women, code: 'E01' },
          { code: 'S01', page: 1, quote: 'Tous ont un contrat.' },
        ],
      });
    const { id } = await store('rapport.pdf', report);
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 'COMPLETED',
      document: { id, name: 'rapport.pdf' },
      content: 'Un rapport RSE.',
      keyFigures: [{ label: 'Électricité 2024', value: '12 400 kWh', page: 1 }],
      coverage: { pages: 2, pagesRead: 2, pieces: 1, unread: 0, isWhole: true },
    });
    const [{ result } = { result: null }] = await resultsIn();
    expect(result?.keyFigures).toEqual([energy]);
    const found = result && indicatorsIn(result, 'esg');
    expect(found?.covered).toEqual([
      { ...women, code: 'E01', label: 'Suivi des consommations d’énergie' },
      { ...water, label: 'Suivi de l’eau' },
      { ...women, label: 'Femmes dans l’effectif' },
    ]);
    const missing = found?.missing ?? [];
    expect(missing).toHaveLength(35);
    expect(missing.slice(0, 2)).toEqual([
      { code: 'E03', label: 'Bilan carbone, scopes 1 et 2', weight: 12, pillar: 'E' },
      { code: 'E07', label: 'Autorisations environnementales et rejets', weight: 9, pillar: 'E' },
    ]);
    expect(missing.map(({ pillar }) => pillar).join('')).toMatch(/^E{11}S{13}G{11}$/);
    expect(model.asked).toEqual([1]);
    expect(await notified()).toEqual([]);
  });

  it('is analysed once for all who ask, and for each focus', async () => {
    await store('rapport.pdf', report);
    const ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
    await ask();
    await ask(ben);
    expect(model.asked).toEqual([1]);
    model.input = { document: 'rapport.pdf', focus: 'summary' };
    expect(await ask(ben)).not.toHaveProperty('esg');
    expect(model.asked).toEqual([1, 1]);
  });

  it('has the model called in the name of who asked, and counted as what it is', async () => {
    await store('rapport.pdf', report);
    await ask();
    const calls = await app.database.read(companyId, (tx) =>
      tx.query<{ purpose: string }>('SELECT purpose FROM model_call ORDER BY id'),
    );
    expect(calls.map(({ purpose }) => purpose).toSorted()).toEqual(['ANALYSIS', 'ANSWER', 'ANSWER']);
  });

  it('may be one that was just uploaded, and a question has the passages that bear on it', async () => {
    model.find = () => findings({ summary: 'Un rapport RSE.', figures: [{ ...energy, page: null }] });
    const content = `${report[0]!.text}\n\n## Social\n\n${report[1]!.text}\n`;
    await processed(awa, await upload(awa, 'rapport.pdf.md', content, 'text/markdown'));
    model.input = { document: 'rapport.pdf.md', focus: 'summary', question: 'Quelle part de femmes ?' };
    const answer = await ask();
    expect(answer).toMatchObject({
      content: 'Un rapport RSE.',
      keyFigures: [{ label: 'Électricité 2024', value: '12 400 kWh' }],
      coverage: { pages: null, pagesRead: null, isWhole: true },
    });
    expect(JSON.stringify(answer.passages)).toContain('52 % de l’effectif');
  });

  it('that another one shares its content with is the same', async () => {
    const { contentId } = await store('rapport.pdf', report);
    await store('copie du rapport.pdf', report, { contentId });
    await ask();
    model.input = { document: 'copie' };
    expect(await ask()).toMatchObject({ document: { name: 'copie du rapport.pdf' } });
    expect(model.asked).toEqual([1]);
  });

  it('takes its analysis along when it is removed', async () => {
    const { contentId } = await store('rapport.pdf', report);
    await ask();
    await remove(contentId);
    expect(await resultsIn()).toEqual([]);
  });
});

describe('a document that is read in pieces', () => {
  it('has each read once, and its summary made of theirs', async () => {
    await store('rapport.pdf', longPages(5));
    model.find = (number) =>
      findings({
        summary: `Partie ${number}.`,
        figures: [
          {
            label: `Site ${number}`,
            value: `${number}00`,
            unit: 'kWh',
            page: number,
            quote: `le site a consommé ${number}00 kWh`,
          },
        ],
      });
    const answer = await ask();
    expect(answer).toMatchObject({ content: 'Le tout.', coverage: { pages: 5, pieces: 5, isWhole: true } });
    expect((answer.keyFigures as JsonObject[]).map(({ page }) => page)).toEqual([1, 2, 3, 4, 5]);
    expect(model.asked.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(model.digests).toBe(1);
  });

  it('is summed up in levels where there are many', async () => {
    await store('rapport.pdf', longPages(20));
    expect(await ask()).toMatchObject({ content: 'Le tout.', coverage: { pieces: 20, isWhole: true } });
    expect(model.asked).toHaveLength(20);
    // Fifteen and five, and then both.
    expect(model.digests).toBe(3);
  });

  it('is summed up by rule when no model can, and says what could not be read', async () => {
    await store('rapport.pdf', longPages(3));
    model.find = (number) =>
      number === 2 ? [text('Non.'), finish()] : findings({ summary: `Partie ${number}.` });
    model.digest = () => [finish()];
    expect(await ask()).toMatchObject({
      content: 'Partie 1.\nPartie 3.',
      coverage: { pieces: 3, unread: 1, isWhole: false },
    });
    expect(model.asked.toSorted()).toEqual([1, 2, 2, 3]);
  });

  it('goes on in the background, and whoever asked is told of the end', async () => {
    impatiently();
    const inbox = await follow(awa);
    const reading = barrier();
    model.find = (number) => (number === 3 ? [reading.step, ...findings()] : findings());
    await store('rapport.pdf', longPages(4));
    expect(await ask()).toMatchObject({ status: 'RUNNING', document: { name: 'rapport.pdf' } });
    await reading.reached;
    expect(await notified()).toEqual([]);
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([
      { kind: 'DOCUMENT_ANALYSED', title: 'Analyse terminée : rapport.pdf', body: 'Le tout.' },
    ]);
    expect(await ask()).toMatchObject({ status: 'COMPLETED', content: 'Le tout.' });
    expect(model.asked.toSorted()).toEqual([1, 2, 3, 4]);
  });

  it('goes with its document, also while it is read', async () => {
    impatiently();
    const reading = barrier();
    model.find = () => [reading.step, ...findings()];
    const { contentId } = await store('rapport.pdf', report);
    await ask();
    await reading.reached;
    await remove(contentId);
    reading.open();
    await eventually(
      () =>
        app.database.dataSource.query<{ state: string }[]>(
          `SELECT state FROM pgboss.job WHERE name = 'analyze-document' AND data ->> 'companyId' = $1`,
          [companyId],
        ),
      (jobs) => jobs.every(({ state }) => state === 'completed'),
    );
    expect(await resultsIn()).toEqual([]);
    expect(await notified()).toEqual([]);
  });
});

describe('an analysis that fails', () => {
  it('says so when the model gives nothing of use, and is begun anew when it is asked for again', async () => {
    await store('rapport.pdf', report);
    model.find = () => [text('Je ne sais pas.'), finish()];
    expect(await failureOf()).toContain('le modèle n’y est pas parvenu');
    model.find = () => findings({ summary: 'Maintenant oui.' });
    expect(await ask()).toMatchObject({ content: 'Maintenant oui.' });
  });

  it('is told of in the background', async () => {
    impatiently();
    const inbox = await follow(awa);
    const reading = barrier();
    model.find = () => [reading.step, text('Je ne sais pas.'), finish()];
    await store('rapport.pdf', report);
    await ask();
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([
      { kind: 'DOCUMENT_ANALYSIS_FAILED', title: 'Analyse impossible : rapport.pdf' },
    ]);
  });

  it('is none while the model is only away for a moment', async () => {
    await store('rapport.pdf', report);
    const inbox = await follow(awa);
    const reading = barrier();
    model.find = () =>
      model.asked.length === 1 ? [status(503)] : [reading.step, ...findings({ summary: 'Enfin.' })];
    impatiently();
    expect(await ask()).toMatchObject({ status: 'RUNNING' });
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED', body: 'Enfin.' }]);
  });

  it('ends, without another call, when what nobody has foreseen goes wrong again and again', async () => {
    await store('rapport.pdf', report);
    vi.spyOn(AnalysisWork.prototype, 'complete').mockRejectedValue(new Error('Nobody knows why.'));
    expect(await failureOf()).toContain('à cause d’une erreur');
    expect(model.asked).toEqual([1]);
    vi.restoreAllMocks();
    patiently();
    expect(await ask()).toMatchObject({ content: 'Un extrait.' });
    expect(model.asked).toEqual([1]);
  });

  it('is none because of characters that the database cannot hold', async () => {
    await store('rapport.pdf', longPages(2));
    const wrong = '\0\ud83c';
    model.find = () =>
      findings({ summary: `Un${wrong} extrait.`, figures: [{ ...energy, unit: `kWh${wrong}` }] });
    model.digest = () => [toolCall('note_summary', { summary: `Le tout${wrong}.` }), finish()];
    expect(await ask()).toMatchObject({ content: 'Le tout\ufffd.' });
    expect(model.asked.toSorted()).toEqual([1, 2]);
  });

  it('holds no text', async () => {
    await store('rapport.pdf', []);
    expect(await failureOf()).toContain('ne contient pas de texte');
  });
});

describe('a document that is asked for by its name', () => {
  it('is found however many newer ones have the name in theirs', async () => {
    const { id } = await store('Re\u0301sume\u0301.pdf', report);
    for (let count = 0; count < 101; count += 1) await store(`Résumé ${count}.pdf`, []);
    const documents = new NamedDocuments(new DocumentRepository());
    const found = await app.database.read(companyId, (tx) => documents.find(tx, 'résumé.PDF', []));
    expect(found.map((document) => document.id)).toEqual([id]);
  });
});

describe('whoever waits for an analysis', () => {
  it('is told once, and so is everybody else who does', async () => {
    impatiently();
    const ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
    await identityOf(ben);
    const [inbox, other] = [await follow(awa), await follow(ben)];
    const reading = barrier();
    model.find = () => [reading.step, ...findings()];
    await store('rapport.pdf', report);
    await ask();
    // Or it might be over before the others ask.
    await reading.reached;
    await ask();
    await ask(ben);
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([
      { kind: 'DOCUMENT_ANALYSED', title: 'Analyse terminée : rapport.pdf' },
    ]);
    expect(await take(other, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED' }]);
    expect(await notified()).toHaveLength(1);
    expect(model.asked).toEqual([1]);
  });

  it('has it put in line once, though many ask before it is begun', async () => {
    impatiently();
    const ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
    const enqueue = vi.spyOn(app.server.resources.jobs, 'enqueue');
    const begin = Promise.withResolvers<void>();
    const { claim } = AnalysisWork.prototype;
    vi.spyOn(AnalysisWork.prototype, 'claim').mockImplementation(async function (
      this: AnalysisWork,
      analysis,
    ) {
      await begin.promise;
      return claim.call(this, analysis);
    });
    await store('rapport.pdf', report);
    await ask();
    await ask(ben);
    expect(enqueue.mock.calls.filter(([, { name }]) => name === 'analyze-document')).toHaveLength(1);
    const inbox = await follow(awa);
    begin.resolve();
    expect(await take(inbox, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED' }]);
    expect(model.asked).toEqual([1]);
  });

  it('is told of the end too when the turn was cancelled meanwhile', async () => {
    const inbox = await follow(awa);
    const reading = barrier();
    model.find = () => [reading.step, ...findings({ summary: 'Enfin.' })];
    await store('rapport.pdf', report);
    const { turnId } = await awa.ask('Analyse ce document.', MEFALI);
    await reading.reached;
    await cancelTurn(awa, turnId);
    await eventually(
      () =>
        app.database.read(companyId, (tx) =>
          tx.query('SELECT FROM analysis_request WHERE turn_id = $1 AND is_to_tell', [turnId]),
        ),
      (left) => left.length === 1,
    );
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED', body: 'Enfin.' }]);
  });

  it('may be gone: nothing is analysed for nobody', async () => {
    impatiently();
    const reading = barrier();
    model.find = (number) => (number <= 2 ? [reading.step, text('Non.'), finish()] : findings());
    await store('rapport.pdf', longPages(3));
    await ask();
    await reading.reached;
    const { conversations } = await awa.get<{ conversations: { edges: { node: { id: string } }[] } }>(
      '{ conversations(first: 5) { edges { node { id } } } }',
    );
    for (const { node } of conversations.edges) {
      await awa.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: node.id });
    }
    const [row] = await app.database.read(companyId, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM document_analysis'),
    );
    const { jobs } = app.server.resources;
    await app.database.transaction(companyId, (tx) =>
      jobs.enqueue(tx, analyzeDocument, { companyId, analysisId: row!.id }),
    );
    await eventually(resultsIn, (list) => list.length === 0);
    reading.open();
    expect(await notified()).toEqual([]);
  });

  it('pays for it, and is told when what was granted is used up', async () => {
    impatiently();
    const inbox = await follow(awa);
    // Two are read at a time: nothing else is begun before these go on.
    const reading = model.holdBack(2);
    await store('rapport.pdf', longPages(6));
    await ask();
    await reading.reached;
    await spendAll();
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([
      { kind: 'DOCUMENT_ANALYSIS_FAILED', body: 'Le quota est épuisé.' },
    ]);
    expect(model.asked.toSorted()).toEqual([1, 2]);
  });

  it('is told alone that what was granted is used up, and it goes on for the others', async () => {
    impatiently();
    const ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
    await identityOf(ben);
    const [inbox, other] = [await follow(awa), await follow(ben)];
    // Two are read at a time: nothing else is begun before these go on.
    const reading = model.holdBack(2);
    await store('rapport.pdf', longPages(6));
    await ask();
    await reading.reached;
    await ask(ben);
    await spendAll();
    reading.open();
    expect(await take(inbox, 1)).toMatchObject([
      { kind: 'DOCUMENT_ANALYSIS_FAILED', body: 'Le quota est épuisé.' },
    ]);
    expect(await take(other, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED', body: 'Le tout.' }]);
    expect(model.asked.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await notified()).toHaveLength(1);
  });

  it('is told so at once while the turn waits', async () => {
    const ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
    // Two are read at a time: nothing else is begun before these go on.
    const reading = model.holdBack(2);
    await store('rapport.pdf', longPages(6));
    const { turnId } = await awa.ask('Analyse ce document.', MEFALI);
    await reading.reached;
    const { turnId: other } = await ben.ask('Analyse ce document.', MEFALI);
    await eventually(
      () => app.database.read(companyId, (tx) => tx.query('SELECT FROM analysis_request')),
      (requests) => requests.length === 2,
    );
    await spendAll();
    reading.open();
    expect(skillResultIn(await awa.allEvents(turnId))).toMatchObject({
      callStatus: 'FAILED',
      resultPreview: expect.stringContaining('le quota est épuisé'),
    });
    expect(skillResultIn(await ben.allEvents(other))).toMatchObject({
      callStatus: 'SUCCEEDED',
      resultPreview: expect.stringContaining('Analyse de « rapport.pdf »'),
    });
    expect(await notified()).toEqual([]);
  });
});

describe('the document that is meant', () => {
  it('is asked back for when there are several', async () => {
    await store('rapport 2023.pdf', report);
    await store('rapport 2024.pdf', report);
    model.input = { document: 'rapport' };
    expect(await failureOf()).toMatch(/Plusieurs documents.*rapport 2024\.pdf.*rapport 2023\.pdf/);
    model.input = {};
    expect(await failureOf()).toContain('Plusieurs documents');
    expect(model.asked).toEqual([]);
  });

  it('is the only one there is when none is named, or the one of the question', async () => {
    const { id } = await store('notes.md', report);
    model.input = {};
    expect(await ask()).toMatchObject({ document: { id } });
    await store('rapport.pdf', report);
    expect(await ask(awa, { ...MEFALI, documentIds: [id] })).toMatchObject({ document: { id } });
    model.input = { document: 'rapport.pdf' };
    expect(await failureOf({ ...MEFALI, documentIds: [id] })).toContain('Aucun document');
  });

  it('is none of another company, by name or by id', async () => {
    await store('notes.md', report);
    const other = await app.company();
    const eve = await app.client({ company: other, sub: 'eve', role: 'ADMIN' });
    const { companyId: otherId, id: eveId } = await identityOf(eve);
    const foreign = { companyId: otherId, memberId: eveId, name: 'rapport.pdf', pages: report };
    const { id } = await storeDocument(app, foreign);
    for (const document of ['rapport.pdf', id]) {
      model.input = { document };
      expect(await failureOf()).toContain('Aucun document');
    }
    expect(model.asked).toEqual([]);
  });

  it.each([
    ['PENDING', 'en cours de lecture (40 %)'],
    ['PROCESSING', 'en cours de lecture (40 %)'],
    ['FAILED', 'n’a pas pu être lu : Le fichier est vide.'],
  ] as const)('says so when it is %s', async (state, words) => {
    await store('autre.pdf', report);
    await store('rapport.pdf', [], {
      status: state,
      ...(state === 'FAILED' && { error: 'Le fichier est vide.' }),
    });
    expect(await failureOf()).toContain(words);
  });
});
