import { newId } from '../../src/common/ids.js';
import { Message } from '../../src/conversations/message.repository.js';
import { MessagePathRepository } from '../../src/conversations/message-path.repository.js';
import { MessageTreeRepository } from '../../src/conversations/message-tree.repository.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { identityOf } from '../harness/notification-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';

const WINDOW = 20;
const MESSAGES = 120;

const paths = new MessagePathRepository();
let app: TestApp;
let companyId: string;
let conversationId: string;
/** The ids of the messages, in their order. */
let said: string[];

function inCompany<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return app.database.transaction(companyId, work);
}

/** Where each stored summary ends, in the order of the messages. */
async function ends(): Promise<number[]> {
  const rows = await inCompany((tx) =>
    tx.query<{ id: string }>('SELECT until_id AS id FROM conversation_summary ORDER BY until_id'),
  );
  return rows.map(({ id }) => said.indexOf(id));
}

/** Sums up to a message as upkeep does: from the newest summary of the path to `leaf`. */
function sumUp(leaf: string, until: string): Promise<boolean> {
  return inCompany(async (tx) => {
    const before = await paths.findSummary(tx, { leaf });
    return paths.keepSummary(tx, { before, until, text: `- ${until}`, window: WINDOW });
  });
}

beforeAll(async () => {
  app = await startApp(() => []);
  const ada = await app.client();
  ({ companyId } = await identityOf(ada));
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text: `${index}`,
    createdAt: '2026-01-01T00:00:00Z',
  }));
  const imported = await ada.get<{ importConversation: { id: string } }>(
    'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
    { input: { assistantKey: 'mefali', messages } },
  );
  conversationId = imported.importConversation.id;
  said = await inCompany((tx) =>
    tx.ids('SELECT id FROM message WHERE conversation_id = $1 ORDER BY id', [conversationId]),
  );
  for (let turn = WINDOW; turn < MESSAGES; turn += 2) await sumUp(said[turn + 1]!, said[turn - WINDOW + 1]!);
});
afterAll(() => app[Symbol.asyncDispose]());

it('keeps the summaries of a path that others may leave, and not one a turn', async () => {
  const kept = await ends();
  expect(kept.length).toBeLessThanOrEqual(MESSAGES / WINDOW + 1);
  expect(kept.at(-1)).toBe(MESSAGES - WINDOW - 1);
});

it('has each path that leaves show or sum up all that was said before', async () => {
  for (const [place, leaf] of said.slice(0, MESSAGES - WINDOW).entries()) {
    const summary = await inCompany((tx) => paths.findSummary(tx, { leaf }));
    const covered = summary ? said.indexOf(summary.untilId) : -1;
    expect(place - covered - 1).toBeLessThanOrEqual(WINDOW);
  }
});

it('keeps the summary of the path that a branch leaves', async () => {
  const before = await ends();
  const id = newId();
  await inCompany(async (tx) => {
    const fork = { branchId: conversationId, forkId: said[50]! };
    await new MessageTreeRepository().addBranch(tx, conversationId, id, fork);
    const [message] = await tx.list(Message, { id: said[51]! });
    await tx.insert(Message, { ...message!, id, branchId: id });
  });
  await sumUp(id, id);
  expect(await ends()).toEqual([...before, -1]);
});
