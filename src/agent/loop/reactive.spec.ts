import { ModelError } from '@palabre/llm-client';
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
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../common/manual-clock.double.js';
import { wordingIn } from '../../common/wording/wording.js';
import { noUsage, type TurnEntry, type Usage } from '../../conversations/turns/turn-event.js';
import type { AgentResult, MadeCall } from './agent-turn.js';
import { markedNote } from './prompt/prompt.js';
import { messagesTokens, toolsTokens } from './prompt/prompt-tokens.js';
import { reactive } from './reactive.js';
import {
  type Carry,
  ended,
  HastyClock,
  play,
  type Played,
  resultIn,
  roughTokens,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';

interface Run extends Played<AgentResult> {
  usage: Usage;
  model: ScriptedChatModel;
}

type Replies = ConstructorParameters<typeof ScriptedChatModel>[0];

async function run(
  script: Replies,
  skills = new ScriptedSkills({}),
  {
    maxSteps = 3,
    made = [] as readonly MadeCall[],
    before = noUsage,
    controller = new AbortController(),
    clock = new HastyClock() as ManualClock,
    onEntry = (_: TurnEntry): void => undefined,
  } = {},
): Promise<Run> {
  const model = new ScriptedChatModel(script);
  const usage = { ...before };
  const ports = scriptedPorts({ model, skills, clock });
  const played = await play(reactive(ports, scriptedTurn(maxSteps, made), usage, controller.signal), onEntry);
  return { ...played, usage, model };
}

function types(events: readonly TurnEntry[]): string[] {
  return events.map(({ type }) => type);
}
function look(input = {}): ScriptStep {
  return toolCall('look', input, 'model-call');
}

describe('the reactive loop', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  const checkUnhandled = async (): Promise<void> => {
    // Unhandled rejections are reported after a round's microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  };
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(checkUnhandled);

  it('streams an answer', async () => {
    const {
      entries: events,
      result,
      model,
    } = await run([[reasoning('Hm.'), text('4'), text(''), text('2'), finish()]]);
    expect(events).toEqual([{ type: 'text-delta', text: '42' }]);
    expect(result).toEqual(ended('ANSWERED'));
    expect(model.requests).toEqual([
      { model: 'first', maxOutputTokens: 100, tools: [], messages: expect.anything() },
    ]);
  });

  it('withdraws what led up to a skill call, and tells the model the result', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('"42"')) });
    const script = [
      [text('I look. '), look({ at: 'it' }), finish()],
      [text('It is 42.'), finish()],
    ];
    const { entries: events, result, model, usage } = await run(script, skills);
    expect(events).toEqual([
      { type: 'text-delta', text: 'I look. ' },
      { type: 'text-reset', cause: 'PREAMBLE' },
      {
        type: 'skill-started',
        callId: 'call-001',
        skill: 'look',
        arguments: { at: 'it' },
        asked: {
          step: 0,
          preamble: 'I look. ',
          modelCallId: 'model-call',
          modelArguments: '{"at":"it"}',
        },
        usage: { ...noUsage, inputTokens: 10, outputTokens: 5, modelCalls: 1, skillCalls: 1 },
      },
      {
        type: 'skill-finished',
        callId: 'call-001',
        skill: 'look',
        callStatus: 'SUCCEEDED',
        resultPreview: 'of "42"',
        durationMs: 0,
        result: '"42"',
      },
      { type: 'text-delta', text: 'It is 42.' },
    ]);
    expect(result).toEqual(ended('ANSWERED'));
    expect(model.requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'assistant', content: 'I look. ', toolCalls: [{ name: 'look', arguments: '{"at":"it"}' }] },
      { role: 'tool', content: '<result skill="look">\n"42"\n</result>' },
    ]);
    expect(usage).toMatchObject({ modelCalls: 2, skillCalls: 1 });
  });

  it('withdraws nothing where nothing was said', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const { entries: events } = await run(
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
    const skills: ScriptedSkills = new ScriptedSkills(
      Object.fromEntries(
        order.map((name) => [
          name,
          async () => {
            // Each is released by the next, so running one at a time would never end.
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
    const { entries: events, model } = await run([asking, [text('Done.'), finish()]], skills);
    expect(finished).toEqual(['c', 'b', 'a']);
    expect(events.map((event) => ('skill' in event ? [event.type, event.skill] : [event.type]))).toEqual([
      ...order.map((name) => ['skill-started', name]),
      ...order.map((name) => ['skill-finished', name]),
      ['text-delta'],
    ]);
    const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => resultIn(content))).toEqual(['of a', 'of b', 'of c']);
  });

  it('goes on after a skill that failed', async () => {
    const { entries: events, result } = await run([
      [toolCall('nope'), finish()],
      [text('No.'), finish()],
    ]);
    expect(events[1]).toMatchObject({ type: 'skill-finished', callStatus: 'FAILED' });
    expect(result).toEqual(ended('ANSWERED'));
  });

  it.each([1, 2, 5])('offers skills %d times, then asks once more for an answer', async (maxSteps) => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const script: Replies = ({ tools }) =>
      tools.length > 0 ? [text('Again. '), look(), finish()] : [text('All I have.'), finish()];
    const { entries: events, result, model, usage } = await run(script, skills, { maxSteps });
    expect(result).toEqual(ended('MAX_STEPS'));
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([
      ...Array.from({ length: maxSteps }, () => 1),
      0,
    ]);
    expect(usage).toMatchObject({ modelCalls: maxSteps + 1, skillCalls: maxSteps });
    expect(types(events).slice(-2)).toEqual(['skill-finished', 'text-delta']);
  });

  it('carries out nothing for a model that goes on asking when it is offered none', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const { result } = await run(() => [text('Once more! '), look(), finish()], skills, { maxSteps: 2 });
    expect(result).toEqual(ended('MAX_STEPS'));
    expect(skills.called.map(({ key }) => key)).toEqual(['look', 'look']);
  });

  it.each([
    ['nothing', [finish()], 'MODEL_UNAVAILABLE', true],
    ['blanks', [text(' \n'), finish()], 'MODEL_UNAVAILABLE', true],
    ['thoughts alone', [reasoning('Hm.'), finish('length')], 'MODEL_UNAVAILABLE', true],
    ['what is withheld', [finish('content-filter')], 'MODEL_REFUSED', false],
  ] as const)('takes %s for no answer', async (_, reply, code, retryable) => {
    const { error, usage, model } = await run(() => reply);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, retryable });
    const calls = model.requests.length;
    expect(calls).toBe(retryable ? 4 : 1);
    expect(usage).toMatchObject({ modelCalls: calls, inputTokens: 10 * calls });
  });

  it('has no answer either when the reserve was spent on asking for skills', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const { error, model } = await run(() => [look(), finish()], skills, { maxSteps: 1 });
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0, 0, 0, 0]);
    expect(skills.called).toHaveLength(1);
  });

  it('offers what is switched on at each call, and says nothing of it a second time', async () => {
    const skills: ScriptedSkills = new ScriptedSkills({
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
    for (const { messages } of model.requests) expect(messages[0]?.content).not.toContain('look');
  });

  describe('when its time is nearly over', () => {
    const clockAt = (seconds: number): HastyClock => {
      const clock = new HastyClock();
      clock.advance(1000 * seconds);
      return clock;
    };
    const skills = (): ScriptedSkills => new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });

    it('asks for an answer, without skills but in the same words', async () => {
      const { result, model } = await run([[text('All I have.'), finish()]], skills(), {
        clock: clockAt(105),
      });
      expect(result).toEqual(ended('MAX_SECONDS'));
      expect(model.requests[0]).toMatchObject({
        tools: [],
        messages: [{ content: expect.stringMatching(/^What stands between <result …>/) }, {}],
      });
      expect(model.requests[0]?.messages.at(-1)?.content).toBe(
        `How much?\n\n${markedNote(wordingIn('en').plan.answerNow)}`,
      );
    });

    it('lets a text go on, and calls no skill that is asked for then', async () => {
      const clock = clockAt(104);
      const spoken = Promise.withResolvers<void>();
      const asking = [text('I look. '), gate(spoken.promise), look(), finish()];
      const called = skills();
      const onEntry = (): void => {
        clock.advance(2000);
        spoken.resolve();
      };
      const script = [asking, [text('All I have.'), finish()]];
      const { entries, result } = await run(script, called, { clock, onEntry });
      expect(types(entries)).toEqual(['text-delta', 'text-reset', 'text-delta']);
      expect(result).toEqual(ended('MAX_SECONDS'));
      expect(called.called).toEqual([]);
    });

    it.each([
      ['says nothing', [reasoning('Hm.')]],
      ['has only begun to', [text('\n')]],
    ])('stops a call that %s, and asks for an answer', async (_, begun) => {
      const clock = clockAt(1);
      const asked = Promise.withResolvers<void>();
      const script: Replies = (__, number) => {
        if (number === 1) asked.resolve();
        return number === 1 ? [...begun, hang()] : [text('All I have.'), finish()];
      };
      const played = run(script, skills(), { clock });
      await asked.promise;
      clock.advance(104_000);
      const { entries, result, model, usage } = await played;
      expect(entries.at(-1)).toEqual({ type: 'text-delta', text: 'All I have.' });
      expect(result).toEqual(ended('MAX_SECONDS'));
      expect(model.aborted).toBe(1);
      expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0]);
      expect(usage.modelCalls).toBe(2);
      expect(clock.waiting).toBe(0);
    });

    it('does not wait for a model that is away until there is no time for an answer', async () => {
      const away = failure(new ModelError('MODEL_UNAVAILABLE', 'Busy.', true, undefined, 10_000));
      const clock = new ManualClock();
      clock.advance(100_000);
      const played = run([[away], [text('All I have.'), finish()]], skills(), { clock });
      // The end of the time for skills, and that of the pause.
      while (clock.waiting < 2) await clock.nextTimer();
      clock.advance(5_000);
      const { entries, result } = await played;
      expect(entries.at(-1)).toEqual({ type: 'text-delta', text: 'All I have.' });
      expect(result).toEqual(ended('MAX_SECONDS'));
    });

    it('stops a text that has fallen silent, which stays until there is another', async () => {
      const clock = clockAt(104);
      const script: Replies = (_, number) =>
        number === 1 ? [text('I look. '), hang()] : [text('All I have.'), finish()];
      // The reserve of 15 s begins after one second; no word for a third of it is too long.
      const onEntry = (): void => clock.advance(5_000);
      const { entries, result } = await run(script, skills(), { clock, onEntry });
      expect(entries).toEqual([
        { type: 'text-delta', text: 'I look. ' },
        { type: 'text-reset', cause: 'RETRIED' },
        { type: 'text-delta', text: 'All I have.' },
      ]);
      expect(result).toEqual(ended('MAX_SECONDS'));
    });

    it('keeps the text that fell silent when no other comes', async () => {
      const clock = clockAt(104);
      const controller = new AbortController();
      const script: Replies = (_, number) => {
        if (number === 1) return [text('It is about 4'), hang()];
        setImmediate(() => controller.abort(new Error('The deadline.')));
        return [hang()];
      };
      const onEntry = (): void => clock.advance(5_000);
      const { entries, error } = await run(script, skills(), { clock, controller, onEntry });
      expect(entries).toEqual([{ type: 'text-delta', text: 'It is about 4' }]);
      expect(error).toBe(controller.signal.reason);
    });

    it('has been answered when the text that went on was the answer', async () => {
      const clock = clockAt(104);
      const spoken = Promise.withResolvers<void>();
      const onEntry = (): void => {
        clock.advance(2000);
        spoken.resolve();
      };
      const script = [[text('It is '), gate(spoken.promise), text('42.'), finish()]];
      expect((await run(script, skills(), { clock, onEntry })).result).toEqual(ended('ANSWERED'));
    });
  });

  it('ends its run with what a person is to be asked, and withdraws what led up to it', async () => {
    const guarded = new ScriptedSkills({ send: () => Promise.resolve(succeeded('1')) });
    guarded.guarded.add('send');
    const { entries, result, model } = await run([[text('I send it.'), toolCall('send'), finish()]], guarded);
    expect(types(entries)).toEqual(['text-delta', 'text-reset']);
    expect(result).toMatchObject({ type: 'waiting', inputs: [{ skill: 'send', reason: 'I send it.' }] });
    expect(model.requests).toHaveLength(1);
    expect(guarded.called).toEqual([]);
  });

  it('begins every prompt as the one before, but for what held for that alone', async () => {
    const long = 'word '.repeat(300);
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded(long)) });
    const script: Replies = ({ tools }, number) =>
      tools.length > 0 ? [look({ number }), finish()] : [text('All I have.'), finish()];
    const { model } = await run(script, skills, { maxSteps: 4 });
    const prompts = model.requests.map(({ messages }) => JSON.stringify(messages));
    for (const [index, prompt] of prompts.slice(1).entries()) {
      const before = prompts[index] ?? '';
      let shared = 0;
      while (shared < before.length && before[shared] === prompt[shared]) shared += 1;
      expect(shared / before.length).toBeGreaterThan(0.9);
    }
  });

  it('says when an answer was cut at its limit', async () => {
    expect((await run([[text('It is fo'), finish('length')]])).result).toEqual(ended('MAX_TOKENS'));
  });

  it('sums up usage, also of what came before a failure', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const script = [
      [look(), look(), finish(null, { inputTokens: 7, outputTokens: 3, cachedInputTokens: 2 })],
      [look(), finish(null, { inputTokens: 20, outputTokens: 4, cachedInputTokens: 5 })],
      [text('So'), failure(new ModelError('MODEL_REFUSED', 'Gone.', false))],
    ];
    const { error, usage, model } = await run(script, skills);
    expect(error).toMatchObject({ code: 'MODEL_REFUSED', message: 'Gone.' });
    const sent = messagesTokens(model.requests[2]?.messages ?? [], roughTokens);
    expect(usage).toEqual({
      inputTokens: 27 + sent + toolsTokens(model.requests[2]?.tools ?? [], roughTokens),
      outputTokens: 7 + roughTokens.count('So'),
      cachedInputTokens: 7,
      modelCalls: 3,
      skillCalls: 3,
      costUsd: null,
    });
  });

  describe('for a turn whose earlier owner broke off', () => {
    const looked: MadeCall = {
      callId: 'call-of-another',
      skill: 'look',
      asked: { step: 0, preamble: 'I look. ', modelCallId: 'model-call', modelArguments: '{"at":"it"}' },
      status: 'SUCCEEDED',
      result: '"42"',
      startedAt: new Date(0),
    };
    const before: Usage = { ...noUsage, inputTokens: 100, outputTokens: 50, modelCalls: 1, skillCalls: 1 };

    it('goes on after its last step, and counts on', async () => {
      const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('"43"')) });
      const script = [
        [look(), finish()],
        [text('It was 42.'), finish()],
      ];
      const { entries, result, model, usage } = await run(script, skills, { made: [looked], before });
      expect(types(entries)).toEqual(['skill-started', 'skill-finished', 'text-delta']);
      expect(entries[0]).toMatchObject({
        asked: { step: 1 },
        usage: { inputTokens: 110, modelCalls: 2, skillCalls: 2 },
      });
      expect(result).toEqual(ended('ANSWERED'));
      expect(skills.called).toHaveLength(1);
      expect(model.requests[0]?.messages.slice(2)).toEqual([
        {
          role: 'assistant',
          content: 'I look. ',
          toolCalls: [{ id: 'model-call', name: 'look', arguments: '{"at":"it"}' }],
        },
        { role: 'tool', toolCallId: 'model-call', content: '<result skill="look">\n"42"\n</result>' },
      ]);
      expect(usage).toMatchObject({ inputTokens: 120, outputTokens: 60, modelCalls: 3, skillCalls: 2 });
    });

    it('has the steps that are left of its budget, and no more', async () => {
      const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
      const script: Replies = ({ tools }) =>
        tools.length > 0 ? [look(), finish()] : [text('All I have.'), finish()];
      const { result, model } = await run(script, skills, { maxSteps: 2, made: [looked], before });
      expect(result).toEqual(ended('MAX_STEPS'));
      expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0]);
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
      const { error, entries: events } = await run([[text('4'), finish()]], undefined, { controller });
      expect(error).toBe(reason);
      expect(events).toEqual([]);
    });

    it('during skills, waits until every one has let go, tells what is known, and rejects with the reason', async () => {
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
      const skills = new ScriptedSkills({
        a: untilAborted('a'),
        b: untilAborted('b'),
        quick: () => {
          setImmediate(() => controller.abort(reason));
          return Promise.resolve(succeeded('1'));
        },
      });
      const asking = [toolCall('a'), toolCall('quick'), toolCall('b'), finish()];
      const { error, entries: events } = await run([asking], skills, { controller });
      expect(error).toBe(reason);
      expect(letGo).toEqual(['a', 'b']);
      expect(types(events)).toEqual(['skill-started', 'skill-started', 'skill-started', 'skill-finished']);
      expect(events.at(-1)).toMatchObject({ skill: 'quick', callStatus: 'SUCCEEDED', result: '1' });
    });
  });
});
