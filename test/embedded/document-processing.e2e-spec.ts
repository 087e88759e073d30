import { DomainError } from '../../src/common/errors/domain-error.js';
import { ProcessingAttempts } from '../../src/documents/processing/processing-attempts.service.js';
import { processDocument } from '../../src/documents/processing/process-document.job.js';
import {
  type DocumentAnswer,
  processed,
  progressOf,
  searchDocuments,
  upload,
} from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { identityOf } from '../harness/notification-view.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const TEXT = 'Le karité de Kolda est mûr en juillet.';
/** More than goes into one transaction. */
const LONG = `${TEXT} `.repeat(8_000);

interface ContentRow {
  status: string;
  attempt: number;
  failures: number;
  passageCount: number;
}

let app: TestApp;
let company: string;
let companyId: string;
let ada: TestClient;

beforeAll(async () => {
  app = await startApp([], {}, { isLasting: true });
});
afterAll(() => app[Symbol.asyncDispose]());

async function signIn(): Promise<void> {
  ada = await app.client({ company });
  ({ companyId } = await identityOf(ada));
}

beforeEach(async () => {
  parseBy();
  company = await app.company();
  await signIn();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function content(): Promise<ContentRow> {
  const [row] = await app.database.transaction(companyId, (tx) =>
    tx.query<ContentRow>(
      'SELECT status, attempt, failures, passage_count AS "passageCount" FROM document_content',
    ),
  );
  if (!row) throw new Error('There is no content.');
  return row;
}

/** The ordinals of all passages, in order. */
async function ordinals(): Promise<number[]> {
  const rows = await app.database.transaction(companyId, (tx) =>
    tx.query<{ ordinal: number }>('SELECT ordinal FROM passage ORDER BY ordinal'),
  );
  return rows.map(({ ordinal }) => ordinal);
}

async function expectEachOnce(document: DocumentAnswer): Promise<void> {
  expect(document.status).toBe('COMPLETED');
  expect(await ordinals()).toEqual(Array.from({ length: document.passages ?? 0 }, (_, ordinal) => ordinal));
  expect(await content()).toMatchObject({ passageCount: document.passages });
}

/** Gives most of a long text, and then fails in `times` of the attempts. */
function failing(times: number, error: Error): { attempts: () => number } {
  let attempts = 0;
  parseBy(async function* () {
    attempts += 1;
    yield { number: 1, markdown: LONG };
    if (attempts <= times) throw error;
    yield { number: 2, markdown: TEXT };
    return undefined;
  });
  return { attempts: () => attempts };
}

describe('a failure that nobody foresaw', () => {
  it('is followed by another attempt, which begins anew', async () => {
    const { attempts } = failing(2, new Error('Out of luck.'));
    const id = await upload(ada, 'a.txt', TEXT);
    const told = await Array.fromAsync(progressOf(ada, id));
    const shares = told.map(({ progress }) => progress);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    await expectEachOnce(told.at(-1)!);
    expect(attempts()).toBe(3);
    expect(await content()).toMatchObject({ attempt: 3, failures: 2 });
  });

  it('that happens three times is the end, and nothing is left to be found', async () => {
    const { attempts } = failing(9, new Error('Secret words.'));
    const id = await upload(ada, 'a.txt', TEXT);
    expect(await processed(ada, id)).toMatchObject({
      status: 'FAILED',
      error:
        'The document could not be processed. Please upload it again, and ask your operator if that does not help.',
    });
    expect(attempts()).toBe(3);
    expect(await ordinals()).toEqual([]);
    expect(await searchDocuments(ada, 'karité')).toEqual([]);
    // Whoever uploads it again has as many tries.
    failing(0, new Error('Never.'));
    await upload(ada, 'b.txt', TEXT);
    await expectEachOnce(await processed(ada, id));
  });

  it('of what is only away for a while is not counted', async () => {
    failing(3, new DomainError('UNAVAILABLE', 'The storage is away.'));
    const id = await upload(ada, 'a.txt', TEXT);
    await expectEachOnce(await processed(ada, id));
    expect(await content()).toMatchObject({ attempt: 4, failures: 0 });
  });
});

it('passages of a write that broke at its end are not written twice', async () => {
  const { add } = ProcessingAttempts.prototype;
  let writes = 0;
  vi.spyOn(ProcessingAttempts.prototype, 'add').mockImplementation(async function (
    this: ProcessingAttempts,
    ...given
  ) {
    writes += 1;
    await add.apply(this, given);
    // The database has committed, and nobody was told.
    if (writes === 1) throw new DomainError('UNAVAILABLE', 'Nobody knows.');
  });
  const id = await upload(ada, 'a.txt', LONG);
  await expectEachOnce(await processed(ada, id));
  expect(await content()).toMatchObject({ attempt: 1, failures: 0 });
});

it('what an attempt writes that was thought dead is refused', async () => {
  const gates = [gate(), gate()];
  let attempts = 0;
  parseBy(async function* () {
    const own = gates[attempts];
    attempts += 1;
    yield { number: 1, markdown: LONG };
    await own?.wait();
    yield { number: 2, markdown: LONG };
    return undefined;
  });
  const id = await upload(ada, 'a.txt', TEXT);
  await gates[0]!.reached;
  // As the queue does with the work of a process that is not heard of any more.
  await app.database.transaction(companyId, async (tx) => {
    const [row] = await tx.query<{ id: string }>('SELECT id FROM document_content');
    await app.server.resources.jobs.enqueue(tx, processDocument, { companyId, contentId: row?.id ?? '' });
  });
  await gates[1]!.reached;
  gates[0]!.open();
  gates[1]!.open();
  await expectEachOnce(await processed(ada, id));
});

it('a server that stops gives back what it reads, and it is read by the next', async () => {
  const reading = gate();
  let attempts = 0;
  parseBy(async function* () {
    attempts += 1;
    yield { number: 1, markdown: LONG };
    if (attempts === 1) await reading.wait();
    return undefined;
  });
  const id = await upload(ada, 'a.txt', TEXT);
  await reading.reached;
  await app.restart();
  await signIn();
  await expectEachOnce(await processed(ada, id));
  expect(await content()).toMatchObject({ attempt: 2, failures: 0 });
});

it('documents of a company do not wait for all that another one has sent', async () => {
  const reading = gate();
  const read: string[] = [];
  parseBy(async function* ({ name }) {
    read.push(name);
    await reading.wait();
    yield { number: 1, markdown: TEXT };
    return undefined;
  });
  const sent: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    sent.push(await upload(ada, `many ${index}.txt`, `${TEXT} ${index}`));
  }
  await eventually(
    () => Promise.resolve(read),
    (names) => names.length === 2,
  );
  const other = await app.client({ company: await app.company() });
  const alone = await upload(other, 'alone.txt', TEXT);
  reading.open();
  await processed(other, alone);
  for (const id of sent) await processed(ada, id);
  // Two of theirs were being read already, and one may be taken together with it.
  expect(read.indexOf('alone.txt')).toBeLessThan(4);
  expect(read).toHaveLength(8);
});
