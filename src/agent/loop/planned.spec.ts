import fc from 'fast-check';
import { type ChatRequest, ModelError, type ToolCall } from '@palabre/llm-client';
import {
  failure,
  finish,
  gate,
  hang,
  ScriptedChatModel,
  type ScriptedReply,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../common/manual-clock.double.js';
import { wordingIn } from '../../common/wording/wording.js';
import { noUsage } from '../../conversations/turns/turn-event.js';
import type { MadeCall } from './agent-turn.js';
import { planned } from './planned.js';
import {
  answer,
  decided,
  goOn,
  isPlan,
  look,
  moved,
  playPlanned as run,
  type Replies,
  synthesize,
  toolNames,
  turnOf,
  types,
} from './scripted-plans.double.js';
import { ended, scriptedPorts, ScriptedSkills, succeeded } from './scripted-turn.double.js';

describe('the planned loop', () => {
  it('plans, carries out, plans again, and has the answer written', async () => {
    const { entries, result, model, models } = await run([
      [text('I look it up.'), look(), finish()],
      synthesize(),
      answer,
    ]);
    expect(types(entries)).toEqual([
      'plan-decided',
      'skill-started',
      'skill-finished',
      'plan-decided',
      'text-delta',
    ]);
    expect(entries[0]).toEqual(decided('CALL_SKILL', 'I look it up.', 'look'));
    expect(entries[3]).toEqual(decided('SYNTHESIZE', 'I know enough.'));
    expect(result).toEqual(ended('ANSWERED'));
    expect(models.records.map(({ purpose }) => purpose)).toEqual(['PLAN', 'PLAN', 'SYNTHESIS']);
    expect(model.requests.map(toolNames)).toEqual([
      ['look', 'synthesize_answer', 'continue_in_background'],
      ['look', 'synthesize_answer', 'continue_in_background'],
      [],
    ]);
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'required', undefined]);
  });

  it('leaves no timer behind when it is done', async () => {
    const clock = new ManualClock();
    await run([synthesize(), answer], { clock });
    expect(clock.waiting).toBe(0);
  });

  it('tells the planner what is left, and the writer to answer, at the end of prompts that begin alike', async () => {
    const { model } = await run([[look(), finish()], synthesize(), answer]);
    const last = model.requests.map(({ messages }) => messages.at(-1)?.content);
    expect(last[0]).toBe('How much?\n\n<note>\n5 step(s) and 45 s are left.\n</note>');
    expect(last[1]).toContain('</result>\n\n<note>\n4 step(s) and 45 s are left.\n</note>');
    expect(last[2]).toContain(`</result>\n\n<note>\n${wordingIn('en').plan.answerNow}\n</note>`);
    const systems = model.requests.map(({ messages }) => messages[0]?.content);
    expect(new Set(systems).size).toBe(1);
    expect(systems[0]).not.toContain('synthesize');
  });

  it.each(['Their answer: 7.', ''])(
    'has the answer written when the planner only says “%s”',
    async (words) => {
      const reply =
        words === ''
          ? [text(words), toolCall('synthesize_answer', '{"reas'), finish()]
          : [text(words), finish()];
      const { entries, result } = await run([reply, answer]);
      expect(entries).toEqual([decided('SYNTHESIZE', null), { type: 'text-delta', text: 'It is 42.' }]);
      expect(result).toEqual(ended('ANSWERED'));
    },
  );

  it('carries out several skills at once, and then what was decided beside them', async () => {
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const meet = async () => {
      if ((begun += 1) === 2) both.resolve();
      await both.promise;
      return succeeded('1');
    };
    const skills = new ScriptedSkills({ a: meet, b: meet });
    const { entries } = await run([[look('a'), ...synthesize().slice(0, 1), look('b'), finish()], answer], {
      skills,
    });
    expect(entries.map((entry) => ('skill' in entry ? `${entry.type} ${entry.skill}` : entry.type))).toEqual([
      'plan-decided',
      'plan-decided',
      'skill-started a',
      'skill-started b',
      'skill-finished a',
      'skill-finished b',
      'plan-decided',
      'text-delta',
    ]);
    expect(entries[1]).toEqual(decided('CALL_SKILL', null, 'b'));
  });

  it('does not offer skills that are named like its own decisions', async () => {
    const skills = new ScriptedSkills({ synthesize_answer: () => Promise.resolve(succeeded('1')) });
    const { model } = await run([synthesize(), answer], { skills });
    expect(model.requests.map(toolNames)).toEqual([['synthesize_answer', 'continue_in_background'], []]);
    expect(skills.called).toEqual([]);
  });

  it('withdraws what a writer had said who failed', async () => {
    const gone = failure(new ModelError('MODEL_UNAVAILABLE', 'Gone.', true));
    const { entries } = await run([synthesize(), [text('It is f'), gone], answer]);
    expect(types(entries)).toEqual([
      'plan-decided',
      'text-delta',
      'text-reset',
      'status-changed',
      'text-delta',
    ]);
  });

  it('says when the answer was cut at its limit', async () => {
    expect((await run([synthesize(), [text('It is'), finish('length')]])).result).toEqual(
      ended('MAX_TOKENS'),
    );
  });

  it('waits for a person with what needs one, when the rest is done', async () => {
    const skills = new ScriptedSkills({
      look: () => Promise.resolve(succeeded('1')),
      send: () => Promise.resolve(succeeded('2')),
    });
    skills.guarded.add('send');
    const { entries, result } = await run([[text('I send it. '), look('send'), look(), ...synthesize()]], {
      skills,
    });
    expect(types(entries)).toEqual(['plan-decided', 'plan-decided', 'skill-started', 'skill-finished']);
    expect(result).toMatchObject({ type: 'waiting', inputs: [{ skill: 'send', reason: 'I send it.' }] });
    expect(skills.called.map(({ key }) => key)).toEqual(['look']);
  });
});

describe('a planned turn in the background', () => {
  it('is there because the planner says so, and is not offered it again', async () => {
    const { entries, result, model } = await run([goOn(), [look(), finish()], synthesize(), answer]);
    expect(entries.slice(0, 3)).toEqual(moved('There is much to read.'));
    expect(result).toEqual(ended('ANSWERED'));
    expect(model.requests.map(toolNames)).toEqual([
      ['look', 'synthesize_answer', 'continue_in_background'],
      ['look', 'synthesize_answer'],
      ['look', 'synthesize_answer'],
      [],
    ]);
    const note = `${wordingIn('en').plan.inBackground} 3 step(s) and 600 s are left.`;
    const known = JSON.stringify({ note: wordingIn('en').plan.goesOnInBackground });
    const decision = `<result skill="continue_in_background">\n${known}\n</result>`;
    expect(model.requests[1]?.messages.at(-1)?.content).toBe(`${decision}\n\n<note>\n${note}\n</note>`);
    for (const { messages } of model.requests.slice(2))
      expect(messages.map(({ content }) => content)).toContain(decision);
  });

  it('tells of a decision that came with skills in the same step', async () => {
    const { model } = await run([[look(), ...goOn()], synthesize(), answer]);
    const second = model.requests[1]!;
    expect(askedIn(second).map(({ name }) => name)).toEqual(['look', 'continue_in_background']);
    checkPairs(second);
  });

  it('refuses to go there again, as it does skills that there are not', async () => {
    const { entries, model } = await run(
      [goOn(), goOn('Still.'), [look(), finish()], goOn('Yet again.'), synthesize(), answer],
      { turn: turnOf({ background: { maxSteps: 9, maxSeconds: 600 } }) },
    );
    const refused = entries.filter((entry) => entry.type === 'skill-finished' && entry.skill !== 'look');
    const failed = { skill: 'continue_in_background', callStatus: 'FAILED' };
    expect(refused).toEqual([expect.objectContaining(failed), expect.objectContaining(failed)]);
    expect(model.requests[2]?.messages.at(-1)?.content).toMatch(
      /^<result skill="continue_in_background">\n\{"error"/,
    );
    expect(types(entries).filter((type) => type === 'moved-to-background')).toHaveLength(1);
  });

  it.each([
    ['Compare los precios de los paneles en la región', 'es'],
    ['請比較所有方案', 'zh-Hant'],
    ['QN80C', 'en'],
  ])('is told of in the language of the question: %s', async (question, language) => {
    const turn = turnOf();
    turn.prompt.question = question;
    const { entries } = await run([goOn('Longue.'), synthesize(), answer], { turn });
    expect(entries.slice(0, 3)).toEqual(moved('Longue.', language));
  });

  it('is there when the steps of the foreground are used up, and answers when its own are', async () => {
    const { entries, result, model } = await run(
      (request) => (isPlan(request) ? [look(), finish()] : answer),
      { turn: turnOf({}, 2) },
    );
    const step = ['plan-decided', 'skill-started', 'skill-finished'];
    expect(types(entries)).toEqual([
      ...step,
      ...step,
      ...moved(null).map(({ type }) => type),
      ...step,
      ...step,
      ...step,
      'plan-decided',
      'text-delta',
    ]);
    expect(entries.slice(6, 9)).toEqual(moved(null));
    expect(entries.at(-2)).toEqual(decided('SYNTHESIZE', null));
    expect(result).toEqual(ended('MAX_STEPS'));
    expect(model.requests.map(isPlan)).toEqual([true, true, true, true, true, false]);
  });

  it('answers when the planner asks for nothing but the background a third time in a row', async () => {
    const { result, entries, model } = await run(
      (request, number) => (isPlan(request) ? goOn(`Reason ${number}.`) : answer),
      { turn: turnOf({ background: { maxSteps: 30, maxSeconds: 600 } }) },
    );
    expect(result).toEqual(ended('ANSWERED'));
    expect(types(entries).filter((type) => type === 'moved-to-background')).toHaveLength(1);
    expect(model.requests.map(isPlan)).toEqual([true, true, true, false]);
  });

  describe('because the seconds of the foreground are over', () => {
    /** Plays the turn, with a promise of the next entry of each type. */
    const follow = (script: Replies, skills: ScriptedSkills, clock: ManualClock) => {
      const seen = new Map<string, PromiseWithResolvers<void>>();
      const on = (type: string): PromiseWithResolvers<void> => {
        const waiting = seen.get(type) ?? Promise.withResolvers<void>();
        seen.set(type, waiting);
        return waiting;
      };
      const played = run(script, { skills, clock, onEntry: ({ type }) => on(type).resolve() });
      return { played, until: (type: string): Promise<void> => on(type).promise };
    };

    it('is there at that moment, in the middle of a slow skill that goes on', async () => {
      const clock = new ManualClock();
      const slow = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const skills = new ScriptedSkills({
        look: async (_, signal) => {
          begun.resolve();
          await slow.promise;
          signal.throwIfAborted();
          return succeeded('"42"');
        },
      });
      const { played, until } = follow([[look(), finish()], synthesize(), answer], skills, clock);
      await begun.promise;
      clock.advance(44_999);
      clock.advance(1);
      await until('moved-to-background');
      slow.resolve();
      const { entries, result, model } = await played;
      expect(types(entries)).toEqual([
        'plan-decided',
        'skill-started',
        'plan-decided',
        'status-changed',
        'moved-to-background',
        'skill-finished',
        'plan-decided',
        'text-delta',
      ]);
      expect(entries.slice(2, 5)).toEqual(moved(null));
      expect(entries[5]).toMatchObject({ callStatus: 'SUCCEEDED', durationMs: 45_000 });
      expect(result).toEqual(ended('ANSWERED'));
      expect(model.requests.map(toolNames)[1]).toEqual(['look', 'synthesize_answer']);
      expect(clock.waiting).toBe(0);
    });

    it('is there in the middle of a slow planner, whose own wish to go there comes too late', async () => {
      const clock = new ManualClock();
      const slow = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      const script = ({ tools }: ChatRequest, number: number): ScriptedReply => {
        if (number === 1) asked.resolve();
        if (number === 1) return [gate(slow.promise), ...goOn()];
        return tools.length > 0 ? synthesize() : answer;
      };
      const { played, until } = follow(script, new ScriptedSkills({}), clock);
      await asked.promise;
      clock.advance(50_000);
      await until('moved-to-background');
      slow.resolve();
      const { entries, result } = await played;
      expect(entries).toEqual([...moved(null), decided('SYNTHESIZE', 'I know enough.'), expect.anything()]);
      expect(result).toEqual(ended('ANSWERED'));
    });

    it('was over before it was resumed', async () => {
      const turn = turnOf({ phaseBeganMs: new ManualClock().elapsedMs() - 46_000 });
      const { entries } = await run([synthesize(), answer], { turn });
      expect(entries.slice(0, 3)).toEqual(moved(null));
    });
  });

  it('answers in time: skills are broken off, and the model is told so', async () => {
    const clock = new ManualClock();
    const begun = Promise.withResolvers<void>();
    const skills = new ScriptedSkills({
      look: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          begun.resolve();
        }),
    });
    const turn = turnOf({ backgroundAt: clock.now() });
    const played = run([[look(), finish()], answer], { skills, clock, turn });
    await begun.promise;
    clock.advance(585_000);
    const { entries, result, model } = await played;
    expect(entries[2]).toMatchObject({ callStatus: 'FAILED', resultPreview: wordingIn('en').plan.timeOver });
    expect(entries[3]).toEqual(decided('SYNTHESIZE', null));
    expect(result).toEqual(ended('MAX_SECONDS'));
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(wordingIn('en').plan.timeOver);
  });

  it('stops a planner that takes the time of the answer', async () => {
    const clock = new ManualClock();
    const asked = Promise.withResolvers<void>();
    const script: Replies = (request) => {
      if (!isPlan(request)) return answer;
      asked.resolve();
      return [text('Hm.'), hang()];
    };
    const played = run(script, { clock, turn: turnOf({ backgroundAt: clock.now() }) });
    await asked.promise;
    clock.advance(584_999);
    clock.advance(1);
    const { entries, result, model, models } = await played;
    expect(entries).toEqual([decided('SYNTHESIZE', null), { type: 'text-delta', text: 'It is 42.' }]);
    expect(result).toEqual(ended('MAX_SECONDS'));
    expect(model.aborted).toBe(1);
    expect(models.records.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ['PLAN', 'ABORTED'],
      ['SYNTHESIS', 'stop'],
    ]);
    expect(clock.waiting).toBe(0);
  });

  it('calls no skill that the planner asks for too late', async () => {
    const clock = new ManualClock();
    const slow = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const script: Replies = (_, number) => {
      if (number === 1) asked.resolve();
      return number === 1 ? [gate(slow.promise), look(), finish()] : answer;
    };
    const played = run(script, { clock, turn: turnOf({ backgroundAt: clock.now() }) });
    await asked.promise;
    clock.advance(590_000);
    slow.resolve();
    const { entries, result } = await played;
    expect(types(entries)).toEqual(['plan-decided', 'text-delta']);
    expect(result).toEqual(ended('MAX_SECONDS'));
  });

  it('is resumed there, with the steps that are left of it', async () => {
    const backgroundAt = new ManualClock().now();
    const at = (seconds: number): Date => new Date(backgroundAt.getTime() + 1000 * seconds);
    const made = [at(-20), at(-10), at(5)].map((startedAt, step): MadeCall => ({
      callId: `made-${step}`,
      skill: 'look',
      asked: { step, preamble: '', modelCallId: `model-${step}`, modelArguments: `{"step":${step}}` },
      status: 'SUCCEEDED',
      result: `"${step}"`,
      startedAt,
    }));
    const turn = turnOf({ backgroundAt, made });
    const script: Replies = (request) => (isPlan(request) ? [look(), finish()] : answer);
    const { entries, model, result } = await run(script, { turn });
    expect(types(entries)).not.toContain('moved-to-background');
    expect(model.requests.map(isPlan)).toEqual([true, true, false]);
    expect(model.requests[0]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
    expect(result).toEqual(ended('MAX_STEPS'));
  });
});

describe('a planned turn that is aborted', () => {
  it.each(['planner', 'skill'])(
    'during a slow %s, rejects with the reason and leaves no timer',
    async (slow) => {
      const clock = new ManualClock();
      const controller = new AbortController();
      const reason = new Error('Enough.');
      const stop = (): void => void setImmediate(() => controller.abort(reason));
      const skills = new ScriptedSkills({
        look: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
            stop();
          }),
      });
      const script: Replies = () => {
        if (slow === 'planner') stop();
        return slow === 'planner' ? [{ type: 'hang' }] : [look(), finish()];
      };
      const { error } = await run(script, { skills, clock, signal: controller.signal });
      expect(error).toBe(reason);
      expect(clock.waiting).toBe(0);
    },
  );
});

it('leaves nothing behind that nobody handles when it is left while it moves', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const clock = new ManualClock();
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const skills = new ScriptedSkills({
    look: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        begun.resolve();
      }),
  });
  const model = new ScriptedChatModel([[look(), finish()]]);
  const ports = scriptedPorts({ model, skills, clock });
  const loop = planned(ports, turnOf(), { ...noUsage }, controller.signal);
  await loop.next();
  await loop.next();
  const moving = loop.next();
  await begun.promise;
  clock.advance(45_000);
  expect((await moving).value).toEqual(decided('CONTINUE_IN_BACKGROUND', null));
  // Its entries can no longer be stored.
  controller.abort(new Error('The claim is lost.'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

it('answers within its budget whatever planner, skills and models do', async () => {
  const gone = failure(new ModelError('MODEL_UNAVAILABLE', 'Gone.', true));
  const kind = fc.constantFrom(
    'look',
    'both',
    'same',
    'skill and end',
    'move',
    'talk',
    'end',
    'nothing',
    'fail',
  );
  const budgets = fc.record({ fore: fc.integer({ min: 1, max: 4 }), back: fc.integer({ min: 1, max: 4 }) });
  const planReplies: Record<string, () => ScriptStep[]> = {
    look: () => [text('So. '), look(), finish()],
    both: () => [look(), look('send'), finish()],
    same: () => [toolCall('look', { at: 'it' }), finish()],
    'skill and end': () => [look('send'), ...synthesize()],
    move: () => goOn(),
    talk: () => [text('Hm.'), finish()],
    end: () => synthesize(),
    nothing: () => [finish()],
    fail: () => [text('Hm.'), gone],
  };
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(kind, { maxLength: 12 }),
      budgets,
      fc.nat({ max: 2 }),
      async (kinds, { fore, back }, failures) => {
        const carriedOut: string[] = [];
        const carry = async (input: object) => {
          carriedOut.push(JSON.stringify(input));
          return succeeded('1');
        };
        let left = failures;
        const skills = new ScriptedSkills({ look: carry, send: carry });
        const turn = { ...turnOf({}, fore), background: { maxSteps: back, maxSeconds: 600 } };
        const script: Replies = (request, number) => {
          checkPairs(request);
          if (isPlan(request)) return planReplies[kinds[number - 1] ?? 'look']?.() ?? [];
          return (left -= 1) >= 0 ? [text('It is f'), gone] : answer;
        };
        const { entries, result, error, model } = await run(script, { skills, turn });
        if (error) {
          // Four consecutive tries of one call: the model is unavailable.
          expect(error).toBeInstanceOf(ModelError);
          return;
        }
        expect(result?.type).toBe('done');
        answers += 1;
        const resetAt = entries.findLastIndex(({ type }) => type === 'text-reset');
        const shown = entries
          .slice(resetAt + 1)
          .map((entry) => (entry.type === 'text-delta' ? entry.text : ''));
        expect(shown.join('')).toBe('It is 42.');
        expect(model.requests.length).toBeLessThanOrEqual(4 * (fore + back + 1));
        for (const input of new Set(carriedOut)) {
          expect(carriedOut.filter((other) => other === input).length).toBeLessThanOrEqual(2);
        }
        const started = entries.filter(({ type }) => type === 'skill-started').length;
        expect(entries.filter(({ type }) => type === 'skill-finished')).toHaveLength(started);
        expect(types(entries).filter((type) => type === 'moved-to-background').length).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
  );
  expect(answers).toBeGreaterThan(200);
});

function askedIn({ messages }: ChatRequest): ToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
}

/** Each call has a result, and each result a call. */
function checkPairs(request: ChatRequest): void {
  const answered = request.messages.flatMap((one) => (one.role === 'tool' ? [one.toolCallId] : []));
  expect(answered).toEqual(askedIn(request).map(({ id }) => id));
}
