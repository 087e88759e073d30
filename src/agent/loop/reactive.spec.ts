import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { JsonObject } from '../../common/json.js';
import { ModelError } from '../../llm/chat-model.js';
import {
  failure,
  finish,
  gate,
  hang,
  reasoning,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '../../llm/scripted-chat-model.js';
import { parseArguments } from '../../skills/skill-arguments.js';
import { noUsage, type TurnEventBody, type Usage } from '../../turns/turn-event.js';
import type { SkillOutcome, SkillPort } from './agent-ports.js';
import type { AgentResult, AgentTurn } from './agent-turn.js';
import { reactive } from './reactive.js';

const succeeded = (result: string): SkillOutcome => ({ status: 'SUCCEEDED', result, preview: result });

type Carry = (input: JsonObject, signal: AbortSignal) => Promise<SkillOutcome>;

/** Skills in memory: each is a function, and may be switched off while a turn runs. */
class Skills implements SkillPort {
  readonly called: string[] = [];
  readonly off = new Set<string>();
  private calls = 0;

  constructor(private readonly skills: Record<string, Carry>) {}

  list = () =>
    Promise.resolve(
      Object.keys(this.skills)
        .filter((name) => !this.off.has(name))
        .map((name) => ({ name, description: `Does ${name}.`, parameters: { type: 'object' } })),
    );

  call = (call: { key: string; arguments: string }, signal: AbortSignal): Promise<SkillOutcome> => {
    this.called.push(call.key);
    const carry = this.skills[call.key];
    const unknown: SkillOutcome = { status: 'FAILED', result: '{"error":"unknown"}', preview: 'unknown' };
    return carry ? carry(this.read(call.arguments), signal) : Promise.resolve(unknown);
  };

  read = (argumentsText: string): JsonObject => parseArguments(argumentsText) ?? {};

  newCallId = (): string => `call-${(this.calls += 1)}`;
}

const turn = (maxSteps = 3): AgentTurn => ({
  model: null,
  budget: { maxSteps, maxOutputTokens: 100 },
  prompt: {
    template: '{skill}',
    language: 'en',
    today: new Date(0),
    member: { name: 'Awa' },
    company: {
      name: 'Nord',
      sector: null,
      country: null,
      city: null,
      headcount: null,
      revenueAmount: null,
      revenueCurrency: null,
      environmentalPractices: [],
      declaredGoals: [],
      attributes: {},
    },
    summary: null,
    history: [],
    question: 'How much?',
  },
});

interface Run {
  events: TurnEventBody[];
  result: AgentResult | null;
  error: unknown;
  usage: Usage;
  model: ScriptedChatModel;
}

type Replies = ConstructorParameters<typeof ScriptedChatModel>[0];

/** Runs to the end, whatever that is; `onEvent` looks on. */
const run = async (
  script: Replies,
  skills: SkillPort = new Skills({}),
  { maxSteps = 3, controller = new AbortController(), onEvent = (_: TurnEventBody): void => {} } = {},
): Promise<Run> => {
  const model = new ScriptedChatModel(script);
  const usage = { ...noUsage };
  let now = 0;
  const ports = { model, skills, now: () => (now += 1) };
  const loop = reactive(ports, turn(maxSteps), usage, controller.signal);
  const events: TurnEventBody[] = [];
  try {
    for (;;) {
      const next = await loop.next();
      if (next.done) return { events, result: next.value, error: null, usage, model };
      events.push(next.value);
      onEvent(next.value);
    }
  } catch (error) {
    return { events, result: null, error, usage, model };
  }
};

const types = (events: readonly TurnEventBody[]): string[] => events.map(({ type }) => type);
const look = (input: JsonObject = {}): ScriptStep => toolCall('look', input);

describe('the reactive loop', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  const checkUnhandled = async (): Promise<void> => {
    // What nobody observes is reported after the microtasks of a round.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  };
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(checkUnhandled);

  it('streams an answer', async () => {
    const { events, result, model } = await run([
      [reasoning('Hm.'), text('4'), text(''), text('2'), finish()],
    ]);
    expect(events).toEqual([
      { type: 'text-delta', text: '4' },
      { type: 'text-delta', text: '2' },
    ]);
    expect(result).toEqual({ finishReason: 'ANSWERED' });
    expect(model.requests).toEqual([
      { model: null, maxOutputTokens: 100, tools: [], messages: expect.anything() },
    ]);
  });

  it('withdraws what led up to a skill call, and tells the model the result', async () => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('"42"')) });
    const script = [
      [text('I look. '), look({ at: 'it' }), finish()],
      [text('It is 42.'), finish()],
    ];
    const { events, result, model, usage } = await run(script, skills);
    expect(events).toEqual([
      { type: 'text-delta', text: 'I look. ' },
      { type: 'text-reset', cause: 'PREAMBLE' },
      { type: 'skill-started', callId: 'call-1', skill: 'look', arguments: { at: 'it' } },
      {
        type: 'skill-finished',
        callId: 'call-1',
        skill: 'look',
        callStatus: 'SUCCEEDED',
        resultPreview: '"42"',
        durationMs: expect.any(Number),
      },
      { type: 'text-delta', text: 'It is 42.' },
    ]);
    expect(result).toEqual({ finishReason: 'ANSWERED' });
    expect(model.requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'I look. ', toolCalls: [{ name: 'look', arguments: '{"at":"it"}' }] },
      { role: 'tool', content: '"42"' },
    ]);
    expect(usage).toMatchObject({ modelCalls: 2, skillCalls: 1 });
  });

  it('withdraws nothing where nothing was said', async () => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('1')) });
    const { events } = await run(
      [
        [look(), finish()],
        [text('1'), finish()],
      ],
      skills,
    );
    expect(types(events)).toEqual(['skill-started', 'skill-finished', 'text-delta']);
  });

  it('carries out skills at the same time and keeps results in the order of asking', async () => {
    const order = ['a', 'b', 'c'];
    const gates = new Map(order.map((name) => [name, Promise.withResolvers<void>()]));
    const finished: string[] = [];
    const skills: Skills = new Skills(
      Object.fromEntries(
        order.map((name) => [
          name,
          async () => {
            // Each is let go by the one asked for after it, so one at a time would wait for ever.
            if (name === 'c') gates.get('c')?.resolve();
            await gates.get(name)?.promise;
            finished.push(name);
            gates.get(order[order.indexOf(name) - 1] ?? '')?.resolve();
            return succeeded(`of ${name}`);
          },
        ]),
      ),
    );
    const asking = [...order.map((name) => toolCall(name)), finish()];
    const { events, model } = await run([asking, [text('Done.'), finish()]], skills);
    expect(finished).toEqual(['c', 'b', 'a']);
    expect(events.map((event) => ('skill' in event ? [event.type, event.skill] : [event.type]))).toEqual([
      ...order.map((name) => ['skill-started', name]),
      ...order.map((name) => ['skill-finished', name]),
      ['text-delta'],
    ]);
    const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => content)).toEqual(['of a', 'of b', 'of c']);
  });

  it('goes on after a skill that failed', async () => {
    const { events, result } = await run([
      [toolCall('nope'), finish()],
      [text('No.'), finish()],
    ]);
    expect(events[1]).toMatchObject({ type: 'skill-finished', callStatus: 'FAILED' });
    expect(result).toEqual({ finishReason: 'ANSWERED' });
  });

  it.each([1, 2, 5])('offers skills %d times, then asks once more for an answer', async (maxSteps) => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('1')) });
    const script: Replies = ({ tools }) =>
      tools.length > 0 ? [text('Again. '), look(), finish()] : [text('All I have.'), finish()];
    const { events, result, model, usage } = await run(script, skills, { maxSteps });
    expect(result).toEqual({ finishReason: 'MAX_STEPS' });
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([
      ...Array.from({ length: maxSteps }, () => 1),
      0,
    ]);
    expect(usage).toMatchObject({ modelCalls: maxSteps + 1, skillCalls: maxSteps });
    expect(types(events).slice(-2)).toEqual(['skill-finished', 'text-delta']);
  });

  it('carries out nothing for a model that goes on asking when it is offered none', async () => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('1')) });
    const { result } = await run(() => [text('Once more! '), look(), finish()], skills, { maxSteps: 2 });
    expect(result).toEqual({ finishReason: 'MAX_STEPS' });
    expect(skills.called).toEqual(['look', 'look']);
  });

  it.each([
    ['nothing', [finish()], 'MODEL_UNAVAILABLE', true],
    ['blanks', [text(' \n'), finish()], 'MODEL_UNAVAILABLE', true],
    ['thoughts alone', [reasoning('Hm.'), finish('length')], 'MODEL_UNAVAILABLE', true],
    ['what is withheld', [finish('content-filter')], 'MODEL_REFUSED', false],
  ] as const)('takes %s for no answer', async (_, reply, code, retryable) => {
    const { error, usage } = await run([reply]);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, retryable });
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 10 });
  });

  it('has no answer either when the reserve was spent on asking for skills', async () => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('1')) });
    const { error, model } = await run(() => [look(), finish()], skills, { maxSteps: 1 });
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(model.requests).toHaveLength(2);
  });

  it('offers what is switched on at each call, in the request and in the prompt', async () => {
    const skills: Skills = new Skills({
      look: () => {
        skills.off.add('look');
        return Promise.resolve(succeeded('1'));
      },
      find: () => Promise.resolve(succeeded('2')),
    });
    const { model } = await run(
      [
        [look(), finish()],
        [text('1'), finish()],
      ],
      skills,
    );
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['look', 'find'],
      ['find'],
    ]);
    expect(model.requests.map(({ messages }) => messages[0]?.content.includes('look'))).toEqual([
      true,
      false,
    ]);
  });

  it('says when an answer was cut at its limit', async () => {
    expect((await run([[text('It is fo'), finish('length')]])).result).toEqual({
      finishReason: 'MAX_TOKENS',
    });
  });

  it('sums up usage, also of what came before a failure', async () => {
    const skills = new Skills({ look: () => Promise.resolve(succeeded('1')) });
    const script = [
      [look(), look(), finish(null, { inputTokens: 7, outputTokens: 3, cachedInputTokens: 2 })],
      [look(), finish(null, { inputTokens: 20, outputTokens: 4, cachedInputTokens: 5 })],
      [text('So'), failure(new ModelError('MODEL_UNAVAILABLE', 'Gone.', true))],
    ];
    const { error, usage } = await run(script, skills);
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: 'Gone.' });
    expect(usage).toEqual({
      inputTokens: 27,
      outputTokens: 7,
      cachedInputTokens: 7,
      modelCalls: 3,
      skillCalls: 3,
      costUsd: null,
    });
  });

  describe('when it is aborted', () => {
    const reason = new Error('Enough.');

    it.each<[string, ScriptStep[]]>([
      ['before the first word', [hang()]],
      ['in the middle of a text', [text('So far'), hang()]],
      ['while a gate is closed', [text('So far'), gate(new Promise(() => {})), finish()]],
    ])('%s, rejects with the reason and leaves the model', async (_, reply) => {
      const controller = new AbortController();
      const started = run(
        () => {
          setImmediate(() => controller.abort(reason));
          return reply;
        },
        undefined,
        { controller },
      );
      const { error, model } = await started;
      expect(error).toBe(reason);
      expect(model.aborted).toBe(1);
    });

    it('beforehand, asks no model', async () => {
      const controller = new AbortController();
      controller.abort(reason);
      const { error, events } = await run([[text('4'), finish()]], undefined, { controller });
      expect(error).toBe(reason);
      expect(events).toEqual([]);
    });

    it('during skills, waits until every one has let go, and rejects with the reason', async () => {
      const controller = new AbortController();
      const letGo: string[] = [];
      const untilAborted =
        (name: string): Carry =>
        (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              letGo.push(name);
              reject(signal.reason as Error);
            });
          });
      const skills = new Skills({
        a: untilAborted('a'),
        b: untilAborted('b'),
        quick: () => {
          setImmediate(() => controller.abort(reason));
          return Promise.resolve(succeeded('1'));
        },
      });
      const asking = [toolCall('a'), toolCall('quick'), toolCall('b'), finish()];
      const { error, events } = await run([asking], skills, { controller });
      expect(error).toBe(reason);
      expect(letGo).toEqual(['a', 'b']);
      expect(types(events)).toEqual(['skill-started', 'skill-started', 'skill-started']);
    });
  });
});
