import type { Assistant } from '../companies/assistants/assistant.entity.js';
import { DomainError } from '../common/errors/domain-error.js';
import { createLogger } from '../common/process/logger.js';
import type { Config } from '../common/config/config.js';
import type { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { CallNotMade, type ChatPart, type ChatRequest, ModelError } from '../llm/chat-model.js';
import { ModelFacts } from '../llm/model-facts.js';
import { finish, ScriptedChatModel, text } from '../llm/scripted-chat-model.double.js';
import type { MadeModelCall } from '../conversations/turns/model-calls/model-call.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { QuotaSpent, type UsageService } from '../companies/usage/usage.service.js';
import { AgentModels } from './agent-models.service.js';
import type { ModelCallRecord } from './loop/agent-ports.js';
import type { AgentTurn } from './loop/agent-turn.js';
import { TurnModels } from './turn-models.service.js';

const request: ChatRequest = {
  model: 'own',
  messages: [{ role: 'user', content: 'How much?' }],
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const { signal } = new AbortController();

const spent = new QuotaSpent({ message: 'You have used it up.', resetsAt: new Date(0) });

interface Given {
  hasQuotas?: boolean;
  /** What looking whether anything is used up is answered with, one time after the other; then: nothing is. */
  refusals?: (Error | null)[];
  fallback?: string | null;
  wanted?: string | null;
  summary?: string | null;
}

const logger = createLogger({ level: 'silent', pretty: false });

function start({
  hasQuotas = false,
  refusals = [],
  fallback = null,
  wanted = 'own',
  summary = null,
}: Given = {}) {
  const model = new ScriptedChatModel(() => [text('42'), finish()]);
  /** What was waited for and looked at, in this order. */
  const looks: string[] = [];
  const database: Pick<Database, 'read'> = { read: (_company, work) => work({} as Transaction) };
  const usage: Pick<UsageService, 'refuseSpent'> = {
    refuseSpent: async (_tx, memberId) => {
      looks.push(memberId);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
    },
  };
  const config = { model: { name: 'default', fallback: fallback && { name: fallback } } } as Config;
  const price = { input: 2, cachedInput: 1, output: 10 };
  const facts = new ModelFacts([['own', { contextWindowTokens: 9_000, price }]]);
  const recorded: MadeModelCall[] = [];
  const port = new TurnModels(
    database as Database,
    new AgentModels(config, model, facts, logger),
    usage as UsageService,
  ).portOf(
    { companyId: 'nord', memberId: 'awa' } as Turn,
    { assistant: { model: wanted } as Assistant, hasQuotas, agentTurn: { prompt: { summary } } as AgentTurn },
    { stored: async () => void looks.push('stored'), record: (call) => recorded.push(call) },
  );
  const call = (): Promise<ChatPart[]> => Array.fromAsync(port.stream(request, signal));
  return { model, looks, port, recorded, call };
}

const usage: ModelCallRecord['usage'] = {
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  source: 'PROVIDER',
};
function recordOf(model: string): Omit<ModelCallRecord, 'historyDropped'> {
  return {
    purpose: 'ANSWER',
    model,
    messages: [],
    tools: [],
    usage,
    outcome: 'stop',
    durationMs: 1,
    at: new Date(0),
  };
}

describe('the models of a turn', () => {
  it.each([
    ['own', null, ['own']],
    [null, null, ['default']],
    ['own', 'spare', ['own', 'spare']],
    ['own', 'own', ['own']],
  ])('are the assistant’s %s, and %s to fall back on', (wanted, fallback, candidates) => {
    expect(start({ wanted, fallback }).port.candidates).toEqual(candidates);
  });

  it('hold as much as is known of them', () => {
    expect(start().port.windowOf('own')).toBe(9_000);
  });

  it('are called in the name of the company', async () => {
    const { model, call } = start();
    expect(await call()).toContainEqual({ type: 'text', text: '42' });
    expect(model.requests).toEqual([{ ...request, companyId: 'nord' }]);
  });

  it('hold no more than the provider said when it refused a call', () => {
    const { port } = start();
    const refusal = (windowTokens?: number) =>
      new ModelError('CONTEXT_TOO_LARGE', 'Too long.', false, '', undefined, { windowTokens });
    port.record({ ...recordOf('own'), historyDropped: 0, failure: refusal(4_096) });
    for (const failure of [refusal(8_192), refusal(), new Error('Enough.'), undefined])
      port.record({ ...recordOf('own'), historyDropped: 0, failure });
    expect([port.windowOf('own'), port.windowOf('other')]).toEqual([4_096, 128_000]);
  });

  it.each<[string, number | null, string | null]>([
    ['own', 0.00007, null],
    ['unknown', null, '- It was said.'],
  ])(
    'are recorded with their price, and whether they tell of what was said: %s',
    (model, costUsd, summary) => {
      const { port, recorded } = start({ summary });
      const record = recordOf(model);
      port.record({ ...record, historyDropped: 3 });
      expect(recorded).toEqual([{ ...record, costUsd, hasSummary: summary !== null }]);
    },
  );
});

describe('the quotas of a turn', () => {
  it('are not looked at where nothing is granted', async () => {
    const { looks, call } = start({ refusals: [spent] });
    await call();
    expect(looks).toEqual([]);
  });

  it('are looked at before each call, with the turn’s own stored; it is not made once they are used up', async () => {
    const { looks, model, call } = start({ hasQuotas: true, refusals: [null, spent] });
    await call();
    await expect(call()).rejects.toBe(spent);
    expect(looks).toEqual(['stored', 'awa', 'stored', 'awa']);
    expect(model.requests).toHaveLength(1);
  });

  it('are not waited for, nor is a call made, where the turn is stopped meanwhile', async () => {
    const { model, port } = start({ hasQuotas: true });
    const controller = new AbortController();
    const calling = Array.fromAsync(port.stream(request, controller.signal));
    const reason = new Error('Enough.');
    controller.abort(reason);
    await expect(calling).rejects.toEqual(new CallNotMade(reason));
    expect(model.requests).toEqual([]);
  });

  it('are waited for while the database is away', async () => {
    const away = new DomainError('UNAVAILABLE', 'The database is away.');
    const { looks, model, call } = start({ hasQuotas: true, refusals: [away] });
    await call();
    expect(looks).toEqual(['stored', 'awa', 'awa']);
    expect(model.requests).toHaveLength(1);
  });
});
