import type { Tokenizer } from '@palabre/llm-client';
import { finish, ScriptedChatModel, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { createLogger } from '../../common/process/logger.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { CompanySkills } from '../../skills/skills-in-use.service.js';
import type { CreatedTurn } from '../../conversations/turns/claims/turn-queue.service.js';
import { noUsage } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import {
  ended,
  play,
  roughTokens,
  ScriptedModels,
  ScriptedSkills,
  scriptedTurn,
} from '../loop/scripted-turn.double.js';
import type { RunHandle } from './running-turn.js';
import type { RunContext, TurnContext } from '../turn-context.service.js';
import type { TurnFiles } from '../turn-files.service.js';
import type { TurnMemory } from '../turn-memory.service.js';
import type { TurnModels } from '../turn-models.service.js';
import { type FirstLook, TurnPorts } from '../turn-ports.service.js';
import type { TurnSkills, TurnSkillsOptions } from '../turn-skills.service.js';
import { TurnWork } from './turn-work.service.js';
import type { ConversationUpkeep, Upkeep } from '../upkeep/conversation-upkeep.service.js';

const turn = { id: 'turn', memberId: 'awa' } as Turn;
const claimed = { turn, phaseBeganMs: new ManualClock().elapsedMs() };

function contextOf(strategy: Assistant['strategy']): RunContext {
  return {
    assistant: {
      key: 'mefali',
      strategy,
      language: 'en',
      maxSeconds: 7,
      backgroundMaxSeconds: 900,
    } as Assistant,
    agentTurn: { ...scriptedTurn(3), strategy },
    memory: {} as RunContext['memory'],
    allowed: new Map(),
    hasQuotas: false,
    messageIds: [],
    upkeep: { title: true, summary: false, memories: false },
  };
}

/** What is put together; a context is read only where one is given. */
function start(read: RunContext | null = null, windowTokens = 128_000) {
  const model = new ScriptedChatModel([[text('42'), finish()]]);
  const asked: TurnSkillsOptions[] = [];
  const inLine: [string, Upkeep][] = [];
  const context = {
    read: async () => {
      if (!read) throw new Error('It had been read.');
      return read;
    },
    readCreated: async () => read,
  } as unknown as TurnContext;
  const listed: CompanySkills = { rows: [], own: new Map(), state: 0 };
  const skills: Pick<TurnSkills, 'portOf' | 'readFirst'> = {
    readFirst: async () => listed,
    portOf: async (options) => {
      asked.push(options);
      return new ScriptedSkills({});
    },
  };
  const upkeep: Pick<ConversationUpkeep, 'putInLine'> = {
    putInLine: async (_tx, { id }, left) => void inLine.push([id, left]),
  };
  const memory: Pick<TurnMemory, 'portOf' | 'readBlankState'> = {
    readBlankState: async () => 0,
    portOf: () => ({ prepare: () => undefined, read: async () => '' }),
  };
  const ports = new TurnPorts(
    { portOf: () => new ScriptedModels(model, { windowTokens }) } as unknown as TurnModels,
    skills as TurnSkills,
    memory as TurnMemory,
    roughTokens as Tokenizer,
    new ManualClock(),
  );
  const files: Pick<TurnFiles, 'complete'> = { complete: async (_turn, agentTurn) => agentTurn };
  const work = new TurnWork(context, ports, upkeep as ConversationUpkeep, files as TurnFiles);
  const { signal } = new AbortController();
  const sink = { isReady: false, take: () => undefined };
  const run: RunHandle = { signal, text: sink, stored: () => Promise.resolve(), record: () => undefined };
  const logger = createLogger({ level: 'silent', pretty: false });
  return { work, run, logger, asked, inLine, listed, signal };
}

describe('what it takes to run a turn', () => {
  it('is read with the question where the turn begins at once, and not again', async () => {
    const read = contextOf('REACTIVE');
    const { work, listed } = start(read);
    const begun = await work.read({} as Transaction, { turn } as CreatedTurn);
    const first: FirstLook = { skills: listed, blankMemoryState: 0 };
    expect(begun).toEqual({ context: read, first });
    const later = start();
    await later.work.prepare(claimed, later.run, later.logger, begun);
    expect(later.asked.map(({ first }) => first)).toEqual([listed]);
  });

  it('is read by the run where it does not, and its skills when they are offered', async () => {
    const { work, run, logger, asked } = start(contextOf('REACTIVE'));
    await work.prepare(claimed, run, logger);
    expect(asked.map(({ first, assistant }) => [first, assistant])).toMatchObject([
      [null, { key: 'mefali', language: 'en' }],
    ]);
  });

  it.each([
    ['REACTIVE', null],
    ['GROUNDED', null],
    ['PLANNED', 900],
  ] as const)(
    'has the assistant’s time, in the background only where it may go there: %s',
    async (strategy, seconds) => {
      const { work, run, logger } = start(contextOf(strategy));
      const prepared = await work.prepare(claimed, run, logger);
      expect(prepared).toMatchObject({
        maxSeconds: 7,
        backgroundMaxSeconds: seconds,
        payer: { memberId: 'awa', assistantKey: 'mefali' },
      });
    },
  );

  it('allows the calls that people have approved', async () => {
    const allowed = new Map([['yes', 'ADMIN' as const]]);
    const { work, run, logger, asked } = start({ ...contextOf('REACTIVE'), allowed });
    await work.prepare(claimed, run, logger);
    expect(asked.map((options) => options.allowed)).toEqual([allowed]);
  });

  it('answers with its strategy, and leaves the rest to be done', async () => {
    const { work, run, logger, inLine, signal } = start(contextOf('REACTIVE'));
    const { events, atEnd } = await work.prepare(claimed, run, logger);
    expect((await play(events({ ...noUsage }, signal))).result).toEqual(ended('ANSWERED'));
    await atEnd({} as Transaction);
    expect(inLine).toEqual([['turn', { title: true, summary: false, memories: false }]]);
  });

  it('has what the model’s window had no room for summed up', async () => {
    const long = contextOf('REACTIVE');
    const history = Array.from({ length: 10 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: 'word '.repeat(200),
    }));
    long.agentTurn = { ...long.agentTurn, prompt: { ...long.agentTurn.prompt, history } };
    const { work, run, logger, inLine, signal } = start(long, 1_500);
    const { events, atEnd } = await work.prepare(claimed, run, logger);
    await play(events({ ...noUsage }, signal));
    await atEnd({} as Transaction);
    const [[, left]] = inLine as [[string, Upkeep]];
    expect(left).toEqual({ title: true, summary: true, memories: false, window: expect.any(Number) });
    // Some of them, and the question with its answer.
    expect(left.window).toBeGreaterThanOrEqual(2);
    expect(left.window).toBeLessThan(10);
  });
});
