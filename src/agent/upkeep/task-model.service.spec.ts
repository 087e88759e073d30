import { pino } from 'pino';
import { ModelError, type Tokenizer } from '@palabre/llm-client';
import {
  failure,
  finish,
  hang,
  ScriptedChatModel,
  type ScriptedReply,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import type { Config } from '../../common/config/config.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { scriptedFacts, scriptedProvider, scriptedProviders } from '../../llm/scripted-providers.double.js';
import type { CompanyProviders } from '../../companies/providers/company-providers.service.js';
import type { TurnModelCall } from '../../conversations/turns/model-calls/model-call.repository.js';
import type { ModelCalls } from '../../conversations/turns/model-calls/model-calls.service.js';
import type { SpentQuota, Quotas } from '../../companies/usage/quotas.service.js';
import { AgentModels } from '../agent-models.service.js';
import { AsideCalls } from '../aside-calls.service.js';
import { roughTokens } from '../loop/scripted-turn.double.js';
import { type TaskFor, TaskModel } from './task-model.service.js';
import { titleTask } from './title-task.js';

const task = titleTask('en', 'How much?', '42 t.');

const taskFor: TaskFor = {
  companyId: 'nord',
  turnId: 'turn',
  memberId: 'awa',
  assistantKey: 'mefali',
  model: 'own',
  purpose: 'TITLE',
};

function start(
  reply: ScriptedReply,
  spent: SpentQuota | null = null,
  asked = task,
  upkeepName: string | null = null,
) {
  const model = new ScriptedChatModel([reply]);
  const added: TurnModelCall[] = [];
  const lines: object[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as object) });
  const database: Pick<Database, 'read' | 'transaction'> = {
    read: (_company, work) => work({} as Transaction),
    transaction: (_company, work) => work({} as Transaction),
  };
  const price = { input: 1_000_000, cachedInput: 0, output: 0 };
  const provider = scriptedProvider(model, scriptedFacts({ own: { price } }));
  const companies: Pick<CompanyProviders, 'providerOf'> = { providerOf: async () => null };
  const calls: Pick<ModelCalls, 'addAside'> = { addAside: async (_tx, made) => void added.push(made) };
  const quotas: Pick<Quotas, 'findSpent'> = { findSpent: async () => spent };
  const models = new TaskModel(
    database as Database,
    new AgentModels(scriptedProviders(provider, 'default', 'spare'), companies as CompanyProviders, logger, {
      model: { upkeepName },
    } as Config),
    new AsideCalls(database as Database, calls as ModelCalls, roughTokens as Tokenizer),
    quotas as Quotas,
    logger,
  );
  const ask = (signal = new AbortController().signal, whom = taskFor) => models.ask(asked, whom, signal);
  return { model, added, lines, ask };
}

describe('a model that does a task', () => {
  it('has to call the task’s function, in the name of the company', async () => {
    const { model, ask } = start([toolCall('name_conversation', { title: 'Footprint' }), finish()]);
    expect(await ask()).toBe('Footprint');
    expect(model.requests).toEqual([
      {
        model: 'own',
        messages: task.messages,
        tools: [task.tool],
        toolChoice: { name: 'name_conversation' },
        maxOutputTokens: 200,
        companyId: 'nord',
        isUpkeep: true,
      },
    ]);
  });

  it('is the installation’s for upkeep, if there is one, but reads documents as the assistant’s own', async () => {
    const reply = [text('Footprint'), finish()];
    const { model, ask } = start(reply, null, task, 'small');
    await ask();
    expect(model.requests.map((request) => request.model)).toEqual(['small']);
    const reading = start(reply, null, task, 'small');
    await reading.ask(undefined, { ...taskFor, purpose: 'ANALYSIS' });
    expect(reading.model.requests.map((request) => request.model)).toEqual(['own']);
  });

  it('is counted for whose turn it was, with its price', async () => {
    const usage = { inputTokens: 3, outputTokens: 2, reasoningTokens: 1 };
    const { added, ask } = start([text('Footprint'), finish(null, usage)]);
    expect(await ask()).toBe('Footprint');
    expect(added).toMatchObject([
      {
        companyId: 'nord',
        turnId: 'turn',
        call: {
          id: expect.any(String),
          kept: 0,
          memberId: 'awa',
          assistantKey: 'mefali',
          purpose: 'TITLE',
          model: 'own',
          messages: task.messages,
          usage: { ...usage, source: 'PROVIDER' },
          costUsd: 3,
          outcome: 'stop',
        },
      },
    ]);
  });

  it('is counted too when what it says cannot be used', async () => {
    const { added, ask } = start([toolCall('name_conversation', '{'), finish()]);
    expect(await ask()).toBeNull();
    expect(added).toMatchObject([{ call: { outcome: 'tool-calls' } }]);
  });

  it.each<[ScriptedReply, object]>([
    [[toolCall('name_conversation', '{'), finish()], { reason: expect.stringMatching(/was called with/) }],
    [[toolCall('other', '{}'), finish()], { reason: 'The answer was empty.' }],
    [[text(' '), finish()], { reason: 'The answer was empty.' }],
    [[text('""'), finish()], { reason: 'It answered without a call of name_conversation.' }],
    [[text('"'), finish('length')], { reason: 'The answer was cut off at 200 tokens.' }],
    [[failure(new ModelError('MODEL_UNAVAILABLE', 'It hung up.', true))], { err: expect.anything() }],
  ])('is told of in the log with what was wrong: %j', async (reply, why) => {
    const { lines, ask } = start(reply);
    expect(await ask()).toBeNull();
    expect(lines).toEqual([expect.objectContaining({ ...why, model: 'own', purpose: 'TITLE' })]);
  });

  it('is counted by an estimate when it breaks off, and gives nothing', async () => {
    const gone = new ModelError('MODEL_UNAVAILABLE', 'The model hung up.', true);
    const { added, ask } = start([text('Half a title'), failure(gone)]);
    expect(await ask()).toBeNull();
    expect(added).toMatchObject([
      { call: { outcome: 'MODEL_UNAVAILABLE', usage: { outputTokens: 3, source: 'ESTIMATED' } } },
    ]);
    expect(added[0]?.call.usage.inputTokens).toBeGreaterThan(10);
  });

  it('has used up nothing when it refused', async () => {
    const refusal = new ModelError('MODEL_UNAVAILABLE', 'The model is busy.', true);
    const { added, ask } = start([failure(refusal)]);
    expect(await ask()).toBeNull();
    expect(added).toMatchObject([
      { call: { outcome: 'MODEL_UNAVAILABLE', usage: { inputTokens: 0, outputTokens: 0 } } },
    ]);
  });

  it('is left when it takes too long, and counted by an estimate', async () => {
    const { model, added, ask } = start([hang()], null, { ...task, maxSeconds: 0.01 });
    expect(await ask()).toBeNull();
    expect(model.aborted).toBe(1);
    expect(added).toMatchObject([
      { call: { outcome: 'MODEL_UNAVAILABLE', usage: { outputTokens: 0, source: 'ESTIMATED' } } },
    ]);
    expect(added[0]?.call.usage.inputTokens).toBeGreaterThan(10);
  });

  it('is not called when what was granted is used up', async () => {
    const spent: SpentQuota = { of: 'member', period: 'DAY', provider: '', resetsAt: new Date(0) };
    const { model, added, ask } = start([text('Footprint'), finish()], spent);
    expect(await ask()).toBeNull();
    expect([model.requests, added]).toEqual([[], []]);
  });

  it('is left for the reason that it is stopped for', async () => {
    const { model, ask } = start([hang()]);
    const controller = new AbortController();
    const reason = new Error('The process is stopping.');
    const asking = ask(controller.signal);
    setImmediate(() => controller.abort(reason));
    await expect(asking).rejects.toBe(reason);
    expect(model.aborted).toBe(1);
  });
});
