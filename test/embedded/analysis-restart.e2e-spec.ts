import type { JsonObject } from '@palabre/json';

import { AnalysisModel, findings, longPages, report } from '../harness/analysis-model.js';
import { eventually } from '../harness/eventually.js';
import { follow, identityOf, notificationsOf, take } from '../harness/notification-view.js';
import { impatiently } from '../harness/patient-analyses.js';
import { barrier } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { storeDocument } from '../harness/stored-documents.js';
import type { TestClient } from '../harness/test-client.js';

let app: TestApp;
let company: string;
let model: AnalysisModel;

beforeAll(async () => {
  app = await startApp((body: JsonObject) => model.reply(body), {}, { isLasting: true });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  impatiently();
  model = new AnalysisModel();
  company = await app.company();
});
afterEach(() => vi.restoreAllMocks());

function client(): Promise<TestClient> {
  return app.client({ company, sub: 'awa', role: 'MEMBER' });
}

function countRead(companyId: string): Promise<number> {
  return app.database.read(
    companyId,
    async (tx) => (await tx.query('SELECT FROM analysis_piece WHERE findings IS NOT NULL')).length,
  );
}

it('is put in line again once nobody was heard of for longer than a model may take', async () => {
  const awa = await client();
  const { companyId, id: memberId } = await identityOf(awa);
  await storeDocument(app, { companyId, memberId, name: 'notes.pdf', pages: report });
  const reading = model.holdBack(1);
  model.input = { document: 'notes.pdf' };
  const ask = async (): Promise<void> => {
    const { turnId } = await awa.ask('Analyse ce document.');
    await awa.allEvents(turnId);
  };
  await ask();
  await reading.reached;
  const enqueue = vi.spyOn(app.server.resources.jobs, 'enqueue');
  const askAfter = async (seconds: number): Promise<number> => {
    await app.database.transaction(companyId, (tx) =>
      tx.query('UPDATE document_analysis SET heard_at = now() - make_interval(secs => $1)', [seconds]),
    );
    await ask();
    return enqueue.mock.calls.filter(([, { name }]) => name === 'analyze-document').length;
  };
  expect(await askAfter(170)).toBe(0);
  expect(await askAfter(300)).toBe(1);
  const inbox = await follow(awa);
  reading.open();
  expect(await take(inbox, 1)).toMatchObject([{ kind: 'DOCUMENT_ANALYSED' }]);
});

it('leaves the rest to the next server, which reads no piece again that was read', async () => {
  const before = await client();
  const { companyId, id: memberId } = await identityOf(before);
  await storeDocument(app, { companyId, memberId, name: 'rapport.pdf', pages: longPages(5) });
  const reading = barrier();
  // Two are read at a time: the third is never answered, so that the fourth and all after it are.
  model.find = (number) => (number === 3 ? [reading.step] : findings());
  const { turnId } = await before.ask('Analyse ce document.');
  await before.allEvents(turnId);
  expect(model.told).toMatchObject([{ status: 'RUNNING' }]);
  await reading.reached;
  await eventually(
    () => countRead(companyId),
    (count) => count === 4,
  );
  model.find = () => findings();
  await app.restart();
  const after = await client();
  const inbox = await follow(after);
  const told = async () => (await notificationsOf(after)).edges.map(({ node }) => node);
  if ((await told()).length === 0) await take(inbox, 1);
  expect(await told()).toMatchObject([{ kind: 'DOCUMENT_ANALYSED' }]);
  expect(model.asked.toSorted()).toEqual([1, 2, 3, 3, 4, 5]);
});
