import fc from 'fast-check';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import {
  carryOut,
  type MessageView,
  REGENERATE,
  SELECT,
  SHOWN,
  type Shown,
  Tree,
  treeStep,
} from '../harness/message-tree.js';
import { isUpkeep, lastOf, readRequest, toolsOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';

/** More than a prompt repeats word by word, so that there are summaries. */
const IMPORTED = 30;

let app: TestApp;
let answers = 0;
/** What the model was sent to answer the turn that is under way. */
let prompts: Set<string>[] = [];
/** What it was sent afterwards, about any turn of the tree. */
let tasks: Set<string>[] = [];
/** How often each of these held something of what was said. */
const held = { summary: 0, memory: 0, recall: 0 };

/** What was said, wherever it stands: no two messages are the same. */
function saidIn(value: unknown): Set<string> {
  return new Set(JSON.stringify(value).match(/(?:question|answer) \d+/g));
}

/** Keeps all that it is told, and says truly where it was said. */
function keep(body: JsonObject): ProviderReply {
  const said = [...saidIn(readRequest(body).messages)];
  tasks.push(new Set(said));
  const memories = ['question', 'answer'].flatMap((message) => {
    const content = said.findLast((each) => each.startsWith(message));
    return content === undefined ? [] : [{ kind: 'FACT', subject: content, content, message }];
  });
  const kept: Record<string, JsonObject> = {
    keep_summary: { points: said },
    note_memories: { memories },
    name_conversation: { title: said.join() },
  };
  const [tool = ''] = toolsOf(body);
  if (tool === 'keep_summary') held.summary += 1;
  return [toolCall(tool, kept[tool]!), finish()];
}

function replyTo(body: JsonObject): ProviderReply {
  if (isUpkeep(body)) return keep(body);
  prompts.push(saidIn(readRequest(body).messages));
  const last = lastOf(body);
  if (last.role !== 'tool') return [toolCall('recall', { query: 'question answer' }), finish()];
  if (/"text":".*answer \d/.test(last.content)) held.recall += 1;
  if (/"subject":"question \d/.test(last.content)) held.memory += 1;
  return [text(`answer ${(answers += 1)}`), finish()];
}

/** Resolves once all that is done after a turn is done. Nothing tells of it. */
async function settled(turnId: string): Promise<void> {
  await eventually(
    () =>
      app.database.dataSource.query<object[]>(
        `SELECT FROM pgboss.job WHERE data ->> 'turnId' = $1 AND state IN ('created', 'active', 'retry')`,
        [turnId],
      ),
    (jobs) => jobs.length === 0,
  );
}

async function answered(member: TestClient, { turn }: StartTurnAnswer): Promise<void> {
  const events = await member.allEvents(turn!.id);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  await settled(turn!.id);
}

async function imported(member: TestClient): Promise<string> {
  const messages = Array.from({ length: IMPORTED }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text: index % 2 === 0 ? `question ${1000 + index}` : `answer ${1_000_000 + index}`,
    createdAt: '2026-01-01T00:00:00Z',
  }));
  const { importConversation } = await member.get<{ importConversation: { id: string } }>(
    'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
    { input: { assistantKey: 'therese', messages } },
  );
  return importConversation.id;
}

async function shown(member: TestClient, id: string): Promise<MessageView[]> {
  const { conversation } = await member.get<Shown>(SHOWN, { id, first: 100 });
  return conversation.messages.edges.map(({ node }) => node);
}

beforeAll(async () => {
  app = await startApp(replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());

it('is in no prompt, summary, memory or recall of another branch', async () => {
  const steps = fc.array(treeStep, { minLength: 3, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const member = await app.client({ sub: newId(), role: 'MEMBER' });
      const conversationId = await imported(member);
      const tree = new Tree(await shown(member, conversationId));
      tasks = [];
      for (const [at, step] of plan.entries()) {
        prompts = [];
        const path = await carryOut(tree, conversationId, step, at, {
          ask: async (message, input) => answered(member, await member.startTurn({ message, ...input })),
          regenerate: async (messageId) => {
            const asked = await member.get<{ regenerate: StartTurnAnswer }>(REGENERATE, {
              input: { messageId },
            });
            await answered(member, asked.regenerate);
          },
          select: async (id) => void (await member.get(SELECT, { id })),
          shown: () => shown(member, conversationId),
        });
        for (const prompt of prompts) expect([...prompt.difference(saidIn(path))]).toEqual([]);
      }
      const paths = tree.nodes.map(({ id }) => saidIn(tree.pathTo(id).map((node) => node.text)));
      const mixed = tasks.filter((task) => !paths.some((path) => task.isSubsetOf(path)));
      expect(mixed.map((task) => [...task])).toEqual([]);
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(Object.entries(held).filter(([, count]) => count === 0)).toEqual([]);
});
