import fc from 'fast-check';
import { CallNotMade, type ChatRequest, GuardedChatModel, ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  gate,
  hang,
  reasoning,
  retraction,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../common/manual-clock.double.js';
import { MAX_COUNTED, noUsage, type Usage } from '../../conversations/turns/turn-event.js';
import type { SkillOffer } from './agent-ports.js';
import { beginRun } from './agent-run.js';
import { offeredTools } from './skills/offered-tools.js';
import { callModel, type ModelCall, MAX_CALLS, type Said } from './model-call.js';
import { messagesTokens, toolsTokens } from './prompt/prompt-tokens.js';
import {
  HastyClock,
  play,
  type Played,
  roughTokens,
  ScriptedModels,
  scriptedPorts,
  scriptedTurn,
} from './scripted-turn.double.js';
import { markedNote } from './prompt/prompt.js';
import { shownIn as shown } from '../../conversations/turns/log/turn-entries.double.js';

function away(retryAfterMs?: number): ScriptStep {
  return failure(new ModelError('MODEL_UNAVAILABLE', 'It is away.', true, undefined, retryAfterMs));
}
const badKey = failure(new ModelError('MODEL_UNAVAILABLE', 'The key is wrong.', false));
const refused = failure(new ModelError('MODEL_REFUSED', 'No.', false));
const tooLarge = failure(new ModelError('CONTEXT_TOO_LARGE', 'Too long.', false));

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };

const request: ChatRequest = { model: null, messages: [], tools: [], maxOutputTokens: 100 };
const call: ModelCall = {
  purpose: 'ANSWER',
  steps: [],
  offer: { tools: [look], packs: [] },
  tools: () => [look],
  isShown: true,
};

interface Called extends Played<Said> {
  usage: Usage;
  models: ScriptedModels;
  model: ScriptedChatModel;
  clock: HastyClock;
}

type Replies = ConstructorParameters<typeof ScriptedChatModel>[0];

async function run(
  script: Replies,
  {
    what = call,
    candidates = ['first'],
    windowTokens = 128_000,
    maxSeconds = 120,
    maxOutputTokens = 100,
    history = [] as string[],
    memory = { prepare: () => undefined, read: () => Promise.resolve('') },
    signal = new AbortController().signal,
    usage = { ...noUsage },
  } = {},
): Promise<Called> {
  const model = new ScriptedChatModel(script);
  const models = new ScriptedModels(model, { candidates, windowTokens });
  const clock = new HastyClock();
  const turn = scriptedTurn(3);
  turn.budget = { ...turn.budget, maxSeconds, maxOutputTokens };
  turn.prompt.history = history.map((words, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: words,
  }));
  const played = await play(
    callModel(beginRun(scriptedPorts({ model, models, memory, clock }), turn, usage, signal), what),
  );
  return { ...played, usage, models, model, clock };
}

const answer = [text('It is 42.'), finish()];
const retrying = { type: 'status-changed', status: 'RUNNING', detail: 'RETRYING' };
function delta(words: string) {
  return { type: 'text-delta', text: words };
}

describe('a call of a model', () => {
  it('tells the text as it comes, and what it came to', async () => {
    const { entries, result, models } = await run([[reasoning('Hm.'), ...answer]]);
    expect(entries).toEqual([delta('It is 42.')]);
    expect(result).toEqual({ text: 'It is 42.', reasoning: '', calls: [], reason: 'stop' });
    expect(models.records).toEqual([
      {
        purpose: 'ANSWER',
        model: 'first',
        messages: [
          { role: 'system', content: expect.stringMatching(/^What stands between <result …>/) },
          { role: 'user', content: 'How much?' },
        ],
        tools: [look],
        usage: {
          inputTokens: 10,
          outputTokens: 5,
          cachedInputTokens: 0,
          reasoningTokens: roughTokens.count('Hm.'),
          source: 'PROVIDER',
        },
        outcome: 'stop',
        durationMs: 0,
        firstPartMs: 0,
        at: new ManualClock().now(),
        historyDropped: 0,
      },
    ]);
  });

  it('takes the first of thousands of skill calls', async () => {
    const calls = Array.from({ length: 1_000 }, (_, index) => toolCall('look', { index }, `call-${index}`));
    const { result } = await run([[...calls, finish('tool-calls')]]);
    expect(result?.calls).toHaveLength(MAX_CALLS);
    expect(result?.calls.at(-1)?.id).toBe(`call-${MAX_CALLS - 1}`);
  });

  it('keeps to itself what is not for the asker', async () => {
    const { entries, result } = await run([[text('I think.'), away()], answer], {
      what: { ...call, isShown: false },
    });
    expect(entries).toEqual([retrying]);
    expect(result?.text).toBe('It is 42.');
  });

  it('asks for a tool as it is told to, and says at the end of the prompt what holds for it alone', async () => {
    const { model } = await run([[toolCall('look'), finish()]], {
      what: { ...call, toolChoice: 'required', note: 'Two steps are left.' },
    });
    expect(model.requests[0]).toMatchObject({ toolChoice: 'required', model: 'first', maxOutputTokens: 100 });
    expect(model.requests[0]?.messages.at(-1)?.content).toBe(
      `How much?\n\n${markedNote('Two steps are left.')}`,
    );
  });

  it('is told what is remembered at that moment, in all its tries alike', async () => {
    const notes = ['<memory>\nfirst\n</memory>', '<memory>\nsecond\n</memory>'];
    const memory = { prepare: () => undefined, read: async () => notes.shift() ?? '' };
    const { model } = await run([[away()], [text('42'), finish()]], { memory });
    const told = model.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(told).toEqual([told[0], told[0]]);
    expect(told[0]).toBe('<memory>\nfirst\n</memory>\n\nHow much?');
    expect(notes).toHaveLength(1);
  });

  it('is tried again when the model fails, without what the failed try had shown', async () => {
    const { entries, result, clock } = await run([[text('It is f'), away()], [away()], answer]);

    expect(entries).toEqual([
      delta('It is f'),
      { type: 'text-reset', cause: 'RETRIED' },
      retrying,
      retrying,
      delta('It is 42.'),
    ]);
    expect(result?.text).toBe('It is 42.');
    expect(clock.pauses).toHaveLength(2);
    expect(clock.pauses[0]).toBeGreaterThanOrEqual(250);
    expect(clock.pauses[0]).toBeLessThanOrEqual(500);
    expect(clock.pauses[1]).toBeGreaterThanOrEqual(500);
    expect(clock.pauses[1]).toBeLessThanOrEqual(1000);
  });

  it('takes back what it had shown of thoughts', async () => {
    const reply = [text('Okay, the user asks.'), retraction(), ...answer];
    const { entries, result, models, usage } = await run([reply]);
    expect(entries).toEqual([
      delta('Okay, the user asks.'),
      { type: 'text-reset', cause: 'RETRIED' },
      delta('It is 42.'),
    ]);
    expect(result?.text).toBe('It is 42.');
    expect(usage.modelCalls).toBe(1);
    expect(models.records[0]?.usage.reasoningTokens).toBe(roughTokens.count('Okay, the user asks.'));
    const unseen = await run([reply], { what: { ...call, isShown: false } });
    expect(unseen).toMatchObject({ entries: [], result: { text: 'It is 42.' } });
    const called = await run([[text('Okay.'), retraction(), toolCall('look'), finish()]]);
    expect(called.result).toMatchObject({ text: '', calls: [{ name: 'look' }] });
  });

  it('counts for its turn no further than can be shown and stored, and tells all that it used', async () => {
    const inputTokens = MAX_COUNTED - 1;
    const { usage, models } = await run([answer], { usage: { ...noUsage, inputTokens } });
    expect(usage).toMatchObject({ inputTokens: MAX_COUNTED, outputTokens: 5 });
    expect(models.records[0]?.usage.inputTokens).toBe(10);
  });

  it('counts every try, with an estimate of what broke off', async () => {
    const { usage, models } = await run([
      [text('It is f'), toolCall('look', '{"a":1}'), away()],
      [away()],
      answer,
    ]);
    const [broken, silent, good] = models.records;
    const sent = messagesTokens(broken?.messages ?? [], roughTokens) + toolsTokens([look], roughTokens);
    const said = roughTokens.count('It is flook{"a":1}');
    expect(models.records.map(({ outcome }) => outcome)).toEqual([
      'MODEL_UNAVAILABLE',
      'MODEL_UNAVAILABLE',
      'stop',
    ]);
    expect(broken?.usage).toMatchObject({ source: 'ESTIMATED', inputTokens: sent, outputTokens: said });
    expect(silent?.usage).toMatchObject({ source: 'ESTIMATED', inputTokens: 0, outputTokens: 0 });
    expect(good?.usage).toMatchObject({ source: 'PROVIDER', inputTokens: 10 });
    expect(usage).toEqual({ ...noUsage, modelCalls: 3, inputTokens: sent + 10, outputTokens: said + 5 });
  });

  it('waits as long as it is asked to', async () => {
    const { clock, result } = await run([[away(45_000)], answer]);
    expect(clock.pauses).toEqual([45_000]);
    expect(result).not.toBeNull();
  });

  it('does not wait for what comes too late', async () => {
    const { clock, error, entries } = await run([[away(45_000)], answer], { maxSeconds: 40 });
    expect(clock.pauses).toEqual([]);
    expect(entries).toEqual([]);
    expect(error).toMatchObject({ message: 'It is away.' });
  });

  it('is tried four times, then with the next model, and then no more', async () => {
    const { model, error, clock } = await run(() => [away()], { candidates: ['first', 'second'] });
    expect(model.requests.map((request) => request.model)).toEqual([
      ...Array.from({ length: 4 }, () => 'first'),
      ...Array.from({ length: 4 }, () => 'second'),
    ]);
    expect(clock.pauses).toHaveLength(6);
    expect(error).toMatchObject({ message: 'It is away.' });
  });

  it.each([
    ['whose key is wrong', badKey],
    ['that asks for more time than is waited for', away(5_001)],
  ])('goes to the next model at once from one %s', async (_, step) => {
    const { model, clock, entries, result } = await run([[step], answer], {
      candidates: ['first', 'second'],
    });
    expect(model.requests.map((request) => request.model)).toEqual(['first', 'second']);
    expect(clock.pauses).toEqual([]);
    expect(entries[0]).toEqual(retrying);
    expect(result?.text).toBe('It is 42.');
  });

  it('has the last word when there is nobody else to ask', async () => {
    expect((await run([[badKey]])).error).toMatchObject({ message: 'The key is wrong.' });
    const { error, model } = await run([[refused], answer], { candidates: ['first', 'second'] });
    expect(error).toMatchObject({ code: 'MODEL_REFUSED' });
    expect(model.requests).toHaveLength(1);
  });

  it.each<[string, ScriptStep[]]>([
    ['an empty stream', []],
    ['nothing', [finish()]],
    ['blanks', [text(' \n'), finish()]],
    ['thoughts alone', [reasoning('Hm.'), finish('length')]],
  ])('is tried again when it comes to %s', async (_, reply) => {
    const { result, usage } = await run([reply, answer]);
    expect(result?.text).toBe('It is 42.');
    expect(usage.modelCalls).toBe(2);
  });

  it('keeps what a content filter broke off, and says so', async () => {
    const { entries, error, usage, models } = await run([[text('It is'), finish('content-filter')]], {
      candidates: ['first', 'second'],
    });
    expect(entries).toEqual([delta('It is')]);
    expect(error).toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringContaining('filter'),
      retryable: false,
    });
    expect(models.records).toMatchObject([{ outcome: 'MODEL_REFUSED', usage: { source: 'PROVIDER' } }]);
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 10, outputTokens: 5 });
  });

  it.each<[string, ModelCall, ScriptStep[]]>([
    ['words that are not for the asker', { ...call, isShown: false }, [text('I think')]],
    ['words before a call', call, [text('I look.'), toolCall('look')]],
  ])('goes on after %s, whatever a filter broke off', async (_, what, steps) => {
    const { result } = await run([[...steps, finish('content-filter')]], { what });
    expect(result).toMatchObject({ reason: 'content-filter' });
  });

  it.each([
    ['{"at":', true],
    ['', true],
    ['{"at":1}', undefined],
  ])('says of the last call (%j) alone that the output limit cut it', async (words, isCut) => {
    const { result } = await run([[toolCall('look', ''), toolCall('look', words), finish('length')]]);
    expect(result?.calls.map((one) => one.isCut)).toEqual([undefined, isCut]);
    const broken = await run([[toolCall('look', '{"at":'), finish()]]);
    expect(broken.result?.calls.map((one) => one.isCut)).toEqual([undefined]);
  });

  it('does not take a call for an answer where only words will do', async () => {
    const { result, model } = await run([[toolCall('look'), finish()], answer], {
      what: { ...call, tools: null },
    });
    expect(result?.text).toBe('It is 42.');
    const told = expect.stringMatching(/^What stands between <result …>/);
    expect(model.requests.map(({ tools, messages }) => [tools, messages[0]?.content])).toEqual([
      [[], told],
      [[], told],
    ]);
  });

  describe('whose prompt the provider finds too long', () => {
    const history = Array.from({ length: 12 }, (_, index) => `${index} ${'word '.repeat(60)}`);
    const sizes = (model: ScriptedChatModel): number[] =>
      model.requests.map(({ messages }) => messagesTokens(messages, roughTokens));

    it('is made with a shorter one, without a word about it', async () => {
      const { model, entries, result, clock } = await run([[tooLarge], [tooLarge], answer], { history });
      const [first = 0, second = 0, third = 0] = sizes(model);
      expect(second).toBeLessThanOrEqual(0.7 * first + roughTokens.count(JSON.stringify([look])));
      expect(third).toBeLessThan(second);
      expect(entries).toEqual([delta('It is 42.')]);
      expect(result?.text).toBe('It is 42.');
      expect(clock.pauses).toEqual([]);
      for (const { messages } of model.requests) expect(messages.at(-1)?.content).toBe('How much?');
    });

    it.each([
      [300, 300],
      // The prompt would be the same again.
      [128_000, null],
    ])('is cut to a window of %s where the provider says so', async (windowTokens, taken) => {
      const said = new ModelError('CONTEXT_TOO_LARGE', 'Too long.', false, '', undefined, { windowTokens });
      const { model, result } = await run([[failure(said)], answer], { history });
      const [first = 0, second = 0] = sizes(model);
      const [, { maxOutputTokens = 0, tools = [] } = {}] = model.requests;
      const size = second + roughTokens.count(JSON.stringify(tools)) + maxOutputTokens;
      expect(second).toBeLessThan(first);
      expect(size).toBeLessThanOrEqual(taken ?? 0.7 * first + 200);
      expect(size).toBeGreaterThan(0.5 * (taken ?? first));
      expect(result?.text).toBe('It is 42.');
    });

    it('offers fewer tools where they are what is too long', async () => {
      const large = { ...look, description: 'Looks. '.repeat(200) };
      const tools = (offer: SkillOffer) => offeredTools(offer, [], 'en');
      const offer = { tools: [large], packs: [] };
      const { model, result } = await run([[tooLarge], answer], { what: { ...call, offer, tools } });
      const [first, second] = model.requests;
      expect(first?.tools).toEqual([large]);
      expect(second?.tools.map(({ name }) => name)).toEqual(['search_skills']);
      expect(second?.messages[0]?.content).toContain('search_skills');
      expect(result?.text).toBe('It is 42.');
    });

    it('leaves the answer less room, once, where a prompt is not long', async () => {
      const { model, result } = await run(
        ({ maxOutputTokens }) => (maxOutputTokens > 500 ? [tooLarge] : answer),
        { maxOutputTokens: 4_000 },
      );
      expect(result?.text).toBe('It is 42.');
      const [first, second] = model.requests;
      expect(model.requests).toHaveLength(2);
      expect(second?.messages).toEqual(first?.messages);
      expect(second?.maxOutputTokens).toBeGreaterThan(300);
      const never = await run(() => [tooLarge], { maxOutputTokens: 4_000 });
      expect(never.error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
      expect(never.model.requests).toHaveLength(2);
    });

    it('is given up after three shorter ones, or when there is nothing left to leave out', async () => {
      const long = await run(() => [tooLarge], { history, candidates: ['first', 'second'] });
      expect(long.error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
      expect(long.model.requests.length).toBeGreaterThan(1);
      expect(long.model.requests.length).toBeLessThanOrEqual(4);
      expect(new Set(long.model.requests.map(({ model }) => model))).toEqual(new Set(['first']));
      const short = await run(() => [tooLarge]);
      expect(short.error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
    });

    it('stays short for the rest of the turn', async () => {
      const model = new ScriptedChatModel([[tooLarge], answer, answer]);
      const turn = scriptedTurn(3);
      turn.prompt.history = history.map((words, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        text: words,
      }));
      const ports = scriptedPorts({ model });
      const both = beginRun(ports, turn, { ...noUsage }, new AbortController().signal);
      await play(callModel(both, call));
      await play(callModel(both, call));
      expect(sizes(model)[2]).toBe(sizes(model)[1]);
    });

    it('is not made at all when we find so ourselves', async () => {
      const { model, error, usage } = await run([answer], { windowTokens: 30 });
      expect(error).toMatchObject({ code: 'CONTEXT_TOO_LARGE' });
      expect(model.requests).toEqual([]);
      expect(usage).toEqual(noUsage);
    });
  });

  describe('that is broken off', () => {
    it('rejects with the reason, leaves the model, and counts what was sent', async () => {
      const controller = new AbortController();
      const reason = new Error('Enough.');
      const { error, usage, models, model } = await run(
        () => {
          setImmediate(() => controller.abort(reason));
          return [text('It is'), hang()];
        },
        { signal: controller.signal },
      );
      expect(error).toBe(reason);
      expect(model.aborted).toBe(1);
      expect(models.records).toEqual([expect.objectContaining({ outcome: 'ABORTED' })]);
      expect(usage).toMatchObject({ modelCalls: 1, outputTokens: roughTokens.count('It is') });
      expect(usage.inputTokens).toBeGreaterThan(0);
    });

    it('while it waits for its turn at the provider, is not counted', async () => {
      const controller = new AbortController();
      const reason = new Error('Enough.');
      const scripted = new ScriptedChatModel([[hang()]]);
      const model = new GuardedChatModel(scripted, { model: 'first', maxConcurrent: 1 });
      const started = model.stream(request, new AbortController().signal);
      void started.next();
      const models = new ScriptedModels(model);
      const usage = { ...noUsage };
      const ports = scriptedPorts({ model, models });
      const playing = play(callModel(beginRun(ports, scriptedTurn(3), usage, controller.signal), call));
      setImmediate(() => controller.abort(reason));
      expect((await playing).error).toEqual(new CallNotMade(reason));
      await started.return?.();
      expect(scripted.requests).toHaveLength(1);
      expect([usage, models.records]).toEqual([noUsage, []]);
    });

    it('in the pause before the next try, makes no other', async () => {
      const controller = new AbortController();
      const reason = new Error('Enough.');
      const model = new ScriptedChatModel([[away(60_000)], answer]);
      const clock = new ManualClock();
      const ports = scriptedPorts({ model, clock });
      const waiting = clock.nextTimer();
      const playing = play(
        callModel(beginRun(ports, scriptedTurn(3), { ...noUsage }, controller.signal), call),
      );
      await waiting;
      controller.abort(reason);
      expect((await playing).error).toBe(reason);
      expect(model.requests).toHaveLength(1);
      expect(clock.waiting).toBe(0);
    });

    it('by an error that is not the model’s, is neither tried again nor counted', async () => {
      const spent = new Error('The quota is used up.');
      const { error, usage, models } = await run(() => {
        throw spent;
      });
      expect(error).toBe(spent);
      expect(usage).toEqual(noUsage);
      expect(models.records).toEqual([]);
    });
  });

  it('takes as long as it takes: what it lasted is told', async () => {
    const clock = new ManualClock();
    const spoken = Promise.withResolvers<void>();
    const model = new ScriptedChatModel([[text('It is '), gate(spoken.promise), text('42.'), finish()]]);
    const models = new ScriptedModels(model);
    const ports = scriptedPorts({ model, models, clock });
    const loop = callModel(
      beginRun(ports, scriptedTurn(3), { ...noUsage }, new AbortController().signal),
      call,
    );
    await loop.next();
    clock.advance(1500);
    spoken.resolve();
    await play(loop);
    expect(models.records).toEqual([expect.objectContaining({ durationMs: 1500 })]);
  });

  it('shows what it came to and nothing else, whatever fails', async () => {
    const step = fc.oneof(
      fc.constantFrom('So. ', 'It is 42. ', ' ').map(text),
      fc.constant(null).map(retraction),
    );
    const ending = fc.constantFrom(away(), away(1000), badKey, tooLarge, refused, finish(), finish('length'));
    const reply = fc.tuple(fc.array(step, { maxLength: 3 }), ending).map(([steps, last]) => [...steps, last]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 14 }),
        fc.integer({ min: 1, max: 3 }),
        async (replies, models) => {
          const candidates = ['first', 'second', 'third'].slice(0, models);
          const {
            entries,
            result,
            model,
            usage,
            models: port,
          } = await run((_, number) => replies[number - 1] ?? [refused], { candidates });
          if (result) expect(shown(entries)).toBe(result.text);
          expect(model.requests.length).toBeLessThanOrEqual(4 * models + 3);
          expect(port.records.map(({ model: name }) => name)).toEqual(
            model.requests.map(({ model: name }) => name),
          );
          expect(usage.modelCalls).toBe(model.requests.length);
          const sum = port.records.reduce((tokens, record) => tokens + record.usage.inputTokens, 0);
          expect(usage.inputTokens).toBe(sum);
        },
      ),
      { numRuns: 500 },
    );
  });
});
