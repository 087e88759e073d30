import { CallNotMade, type ChatPart, type ChatRequest, ModelError } from '@palabre/llm-client';
import { finish, ScriptedChatModel, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import type { Config } from '../common/config/config.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { DomainError } from '../common/errors/domain-error.js';
import { createLogger } from '../common/process/logger.js';
import type { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { scriptedFacts, scriptedProvider, scriptedProviders } from '../llm/scripted-providers.double.js';
import type { CompanyProviders } from '../companies/providers/company-providers.service.js';
import type { MadeModelCall } from '../conversations/turns/model-calls/model-call.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { QuotaSpent, type Quotas } from '../companies/usage/quotas.service.js';
import { AgentModels } from './agent-models.service.js';
import type { ModelCallRecord } from './loop/agent-ports.js';
import type { AgentTurn } from './loop/agent-turn.js';
import { TurnModels } from './turn-models.service.js';

const request: ChatRequest & { model: string } = {
  model: 'own',
  messages: [{ role: 'user', content: 'How much?' }],
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const { signal } = new AbortController();

const unreadable = new ModelError(
  'MODEL_UNAVAILABLE',
  'The key of the provider lost can no longer be read.',
  false,
);

const spent = new QuotaSpent({ of: 'member', period: 'DAY', provider: '', resetsAt: new Date(0) });

interface Given {
  hasQuotas?: boolean;
  /** The answers to checks of quotas, in order. Afterwards nothing is used up. */
  refusals?: (Error | null)[];
  fallback?: string | null;
  wanted?: string | null;
  summary?: string | null;
  reasoningEffort?: Assistant['reasoningEffort'];
}

const logger = createLogger({ level: 'silent', pretty: false });

async function start({
  hasQuotas = false,
  refusals = [],
  fallback = null,
  wanted = 'own',
  summary = null,
  reasoningEffort = null,
}: Given = {}) {
  const model = new ScriptedChatModel(() => [text('42'), finish()]);
  /** Waits and checks, in order. */
  const looks: string[] = [];
  const database: Pick<Database, 'read'> = { read: (_company, work) => work({} as Transaction) };
  const quotas: Pick<Quotas, 'refuseSpent'> = {
    refuseSpent: async (_tx, memberId, { provider }) => {
      looks.push(`${memberId} at ${provider}`);
      const refusal = refusals.shift();
      if (refusal) throw refusal;
    },
  };
  const price = { input: 2, cachedInput: 1, output: 10 };
  const provider = scriptedProvider(model, scriptedFacts({ own: { contextWindow: 9_000, price } }));
  const others = new ScriptedChatModel(() => [text('elsewhere'), finish()]);
  const theirs = scriptedProvider(others, scriptedFacts({}));
  const companies: Pick<CompanyProviders, 'providerOf'> = {
    providerOf: async (company, name) => {
      if (name === 'lost/x') throw unreadable;
      return company === 'nord' && name.startsWith('theirs/') ? theirs : null;
    },
  };
  const recorded: MadeModelCall[] = [];
  const port = await new TurnModels(
    database as Database,
    new AgentModels(scriptedProviders(provider, 'default', fallback), companies as CompanyProviders, logger, {
      model: { upkeepName: null },
    } as Config),
    quotas as Quotas,
  ).portOf(
    { companyId: 'nord', memberId: 'awa', conversationId: 'talk' } as Turn,
    {
      assistant: { model: wanted, reasoningEffort } as Assistant,
      hasQuotas,
      agentTurn: { prompt: { summary } } as AgentTurn,
    },
    { stored: async () => void looks.push('stored'), record: (call) => recorded.push(call) },
  );
  const call = (): Promise<ChatPart[]> => Array.fromAsync(port.stream(request, signal));
  return { model, others, looks, port, recorded, call };
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
  ])('are the assistant’s %s, and %s to fall back on', async (wanted, fallback, candidates) => {
    expect((await start({ wanted, fallback })).port.candidates).toEqual(candidates);
  });

  it('hold as much as is known of them', async () => {
    expect((await start()).port.abilitiesOf('own').windowTokens).toBe(9_000);
  });

  it('are called in the name of the company', async () => {
    const { model, call } = await start();
    expect(await call()).toContainEqual({ type: 'text', text: '42' });
    expect(model.requests).toEqual([{ ...request, companyId: 'nord', cacheKey: 'talk' }]);
  });

  it('hold no more than the provider said when it refused a call', async () => {
    const { port } = await start();
    const refusal = (windowTokens?: number) =>
      new ModelError('CONTEXT_TOO_LARGE', 'Too long.', false, '', undefined, { windowTokens });
    port.record({ ...recordOf('own'), historyDropped: 0, failure: refusal(4_096) });
    for (const failure of [refusal(8_192), refusal(), new Error('Enough.'), undefined])
      port.record({ ...recordOf('own'), historyDropped: 0, failure });
    expect(['own', 'other'].map((name) => port.abilitiesOf(name).windowTokens)).toEqual([4_096, 128_000]);
  });

  it.each<[string, number | null, string | null]>([
    ['own', 0.00007, null],
    ['unknown', null, '- It was said.'],
  ])(
    'are recorded with their price, and whether they tell of what was said: %s',
    async (model, costUsd, summary) => {
      const { port, recorded } = await start({ summary });
      const record = recordOf(model);
      port.record({ ...record, historyDropped: 3 });
      expect(recorded).toEqual([
        { ...record, provider: 'INSTALLATION', costUsd, hasSummary: summary !== null },
      ]);
    },
  );
});

describe('the models of a company’s own provider', () => {
  it('are asked there, and nowhere else', async () => {
    const { port, model, others } = await start({ wanted: 'theirs/gpt-5', fallback: 'spare' });
    expect(port.candidates).toEqual(['theirs/gpt-5']);
    await Array.fromAsync(port.stream({ ...request, model: 'theirs/gpt-5' }, signal));
    expect(others.requests).toHaveLength(1);
    expect(model.requests).toEqual([]);
  });

  it('are no others where the name begins with no provider of theirs', async () => {
    expect((await start({ wanted: 'openai/gpt-5', fallback: 'spare' })).port.candidates).toEqual([
      'openai/gpt-5',
      'spare',
    ]);
  });

  it('fail where the key cannot be read any more', async () => {
    const { port, model } = await start({ wanted: 'lost/x', fallback: 'spare' });
    await expect(Array.fromAsync(port.stream({ ...request, model: 'lost/x' }, signal))).rejects.toBe(
      unreadable,
    );
    expect(model.requests).toEqual([]);
  });

  it('think as much as the assistant is to', async () => {
    const { model, call } = await start({ reasoningEffort: 'high' });
    await call();
    expect(model.requests).toMatchObject([{ reasoningEffort: 'high' }]);
  });
});

describe('the quotas of a turn', () => {
  it('are not looked at where nothing is granted', async () => {
    const { looks, call } = await start({ refusals: [spent] });
    await call();
    expect(looks).toEqual([]);
  });

  it('are looked at before each call, with the turn’s own stored; it is not made once they are used up', async () => {
    const { looks, model, call } = await start({ hasQuotas: true, refusals: [null, spent] });
    await call();
    await expect(call()).rejects.toBe(spent);
    expect(looks).toEqual(['stored', 'awa at INSTALLATION', 'stored', 'awa at INSTALLATION']);
    expect(model.requests).toHaveLength(1);
  });

  it('are those for the provider that is asked, fallback or not, which every call is counted for', async () => {
    const theirs = await start({ hasQuotas: true, wanted: 'theirs/gpt-5' });
    await theirs.call();
    theirs.port.record({ ...recordOf('theirs/gpt-5'), historyDropped: 0 });
    expect(theirs.looks).toEqual(['stored', 'awa at theirs']);
    expect(theirs.recorded).toMatchObject([{ provider: 'theirs' }]);
    const spare = await start({ hasQuotas: true, fallback: 'spare/x' });
    await Array.fromAsync(spare.port.stream({ ...request, model: 'spare/x' }, signal));
    expect(spare.looks).toEqual(['stored', 'awa at INSTALLATION']);
  });

  it('are not waited for, nor is a call made, where the turn is stopped meanwhile', async () => {
    const { model, port } = await start({ hasQuotas: true });
    const controller = new AbortController();
    const calling = Array.fromAsync(port.stream(request, controller.signal));
    const reason = new Error('Enough.');
    controller.abort(reason);
    await expect(calling).rejects.toEqual(new CallNotMade(reason));
    expect(model.requests).toEqual([]);
  });

  it('are waited for while the database is away', async () => {
    const away = new DomainError('UNAVAILABLE', 'The database is away.');
    const { looks, model, call } = await start({ hasQuotas: true, refusals: [away] });
    await call();
    expect(looks).toEqual(['stored', 'awa at INSTALLATION', 'awa at INSTALLATION']);
    expect(model.requests).toHaveLength(1);
  });
});
