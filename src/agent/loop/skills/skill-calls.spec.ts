import { ScriptedChatModel } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../../common/manual-clock.double.js';
import { fill, wordingIn } from '../../../common/wording/wording.js';
import { eventOf, noUsage, type TurnEntry } from '../../../conversations/turns/turn-event.js';
import { type AgentRun, beginRun } from '../agent-run.js';
import type { AnsweredCall, MadeCall } from '../agent-turn.js';
import {
  type Carry,
  approval,
  play,
  roughTokens,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
  withSteps,
} from '../scripted-turn.double.js';
import { callSkills, resumeSteps } from './skill-calls.js';

function runOf(skills: ScriptedSkills, made: readonly MadeCall[], signal: AbortSignal): AgentRun {
  return beginRun(
    scriptedPorts({ model: new ScriptedChatModel([]), skills }),
    scriptedTurn(3, made),
    { ...noUsage },
    signal,
  );
}

const labels = wordingIn('en').plan;

const never = new AbortController().signal;

/** A call of an earlier owner, named after its id; in doubt unless a result is given. */
function made(step: number, callId: string, skill: string, result: string | null = null): MadeCall {
  return {
    callId,
    skill,
    asked: { step, preamble: `Step ${step}. `, modelCallId: `model-${callId}`, modelArguments: '{"at":1}' },
    status: result === null ? 'RUNNING' : 'SUCCEEDED',
    result,
    startedAt: new Date(0),
  };
}

function told({ callId, skill }: MadeCall, result: string | null = null): object {
  return { id: `model-${callId}`, name: skill, arguments: '{"at":1}', result };
}

function finished(entries: readonly TurnEntry[]): (readonly [string, string, string | null])[] {
  return entries.map((entry) => {
    if (entry.type !== 'skill-finished')
      throw new Error(`Nothing but ends was to be told, not ${entry.type}.`);
    return [entry.callId, entry.callStatus, entry.result];
  });
}

/** Skills that end on command, by key. */
function byHand(keys: readonly string[], others: Record<string, Carry> = {}) {
  const open = new Map(keys.map((key) => [key, Promise.withResolvers<string>()]));
  const carry =
    (key: string): Carry =>
    async (_, signal) => {
      const aborted = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason));
      return succeeded(await Promise.race([open.get(key)!.promise, aborted.promise]));
    };
  const skills = new ScriptedSkills({
    ...Object.fromEntries(keys.map((key) => [key, carry(key)])),
    ...others,
  });
  return { skills, end: (key: string): void => open.get(key)!.resolve(`by ${key}`) };
}

describe('the steps that an earlier owner took', () => {
  const resume = async (
    calls: readonly MadeCall[],
    skills = new ScriptedSkills({}),
    signal: AbortSignal = never,
  ) => withSteps(await play(resumeSteps(runOf(skills, calls, signal))));

  it('are taken as they are when they are whole, in their order', async () => {
    const skills = new ScriptedSkills({});
    const calls = [made(0, 'a', 'look', '1'), made(0, 'b', 'find', '2'), made(1, 'c', 'look', '3')];
    const { entries, result } = await resume(calls, skills);
    expect(entries).toEqual([]);
    expect(skills.called).toEqual([]);
    expect(result).toEqual([
      { text: 'Step 0. ', calls: [told(calls[0]!, '1'), told(calls[1]!, '2')] },
      { text: 'Step 1. ', calls: [told(calls[2]!, '3')] },
    ]);
  });

  it('keep their places when one between them called no skill, so that the next one has a place of its own', async () => {
    const { result } = await resume([made(0, 'a', 'look', '1'), made(2, 'b', 'look', '2')]);
    expect(result?.map(({ calls }) => calls.length)).toEqual([1, 0, 1]);
    const asked = { text: '', calls: [{ id: '', name: 'look', arguments: '' }] };
    const { entries } = await play(callSkills(runOf(new ScriptedSkills({}), [], never), asked, result ?? []));
    expect(entries[0]).toMatchObject({ type: 'skill-started', asked: { step: 3 } });
  });

  it('are told again of what nobody could read, without carrying it out', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('1')) });
    const broken = made(0, 'a', 'look');
    const { entries } = await resume(
      [{ ...broken, asked: { ...broken.asked, modelArguments: '{"at":' } }],
      skills,
    );
    expect(finished(entries)).toEqual([['a', 'FAILED', JSON.stringify({ error: labels.brokenArguments })]]);
    expect(skills.called).toEqual([]);
  });

  it('are none for a turn that took none', async () => {
    expect(await resume([])).toEqual({ entries: [], result: [], error: null });
  });

  it('are made whole: what may be repeated is, under the same id, and what may not is unknown', async () => {
    const skills = new ScriptedSkills({
      look: () => Promise.resolve(succeeded('again')),
      send: () => Promise.resolve(succeeded('sent twice')),
    });
    skills.once.add('send');
    const calls = [
      made(0, 'a', 'send', 'sent'),
      made(1, 'b', 'send'),
      made(1, 'c', 'look', 'seen'),
      made(1, 'd', 'look'),
    ];
    const { entries, result } = await resume(calls, skills);
    expect(skills.called).toEqual([{ callId: 'd', key: 'look' }]);
    expect(finished(entries)).toEqual([
      ['b', 'UNKNOWN', null],
      ['d', 'SUCCEEDED', 'again'],
    ]);
    expect(entries[0]).toMatchObject({ skill: 'send', resultPreview: wordingIn('en').prompt.unknownOutcome });
    expect(result?.[1]?.calls).toEqual([
      told(calls[1]!, null),
      told(calls[2]!, 'seen'),
      told(calls[3]!, 'again'),
    ]);
  });

  it('do not ask again about what nobody will ever know', async () => {
    const unknown: MadeCall = { ...made(0, 'a', 'send'), status: 'UNKNOWN' };
    const { entries, result } = await resume([unknown]);
    expect(entries).toEqual([]);
    expect(result).toEqual([{ text: 'Step 0. ', calls: [told(unknown, null)] }]);
  });

  it('have their doubts settled at the same time, and told in the order of asking', async () => {
    const { skills, end } = byHand(['a', 'b']);
    const playing = resume([made(0, '1', 'a'), made(0, '2', 'b')], skills);
    expect(skills.called.map(({ key }) => key)).toEqual(['a', 'b']);
    end('b');
    end('a');
    expect(finished((await playing).entries)).toEqual([
      ['1', 'SUCCEEDED', 'by a'],
      ['2', 'SUCCEEDED', 'by b'],
    ]);
  });

  it('can be broken off while their doubts are settled, and settled by the next owner', async () => {
    const calls = [made(0, '1', 'a'), made(0, '2', 'b')];
    const first = byHand(['a', 'b']);
    const loop = resumeSteps(runOf(first.skills, calls, never));
    first.end('a');
    const entry = (await loop.next()).value as TurnEntry;
    expect(finished([entry])).toEqual([['1', 'SUCCEEDED', 'by a']]);
    // The process dies here. One end is stored.
    const next = new ScriptedSkills({ b: () => Promise.resolve(succeeded('later')) });
    const left: MadeCall[] = [{ ...calls[0]!, status: 'SUCCEEDED', result: 'by a' }, calls[1]!];
    const { entries, result } = await resume(left, next);
    expect(next.called).toEqual([{ callId: '2', key: 'b' }]);
    expect(finished(entries)).toEqual([['2', 'SUCCEEDED', 'later']]);
    expect(result?.[0]?.calls).toEqual([told(calls[0]!, 'by a'), told(calls[1]!, 'later')]);
  });

  it('let go of what is repeated when they are aborted, and tell what is certain all the same', async () => {
    const { skills } = byHand(['a']);
    skills.once.add('send');
    const controller = new AbortController();
    const reason = new Error('Enough.');
    const playing = resume([made(0, '1', 'a'), made(0, '2', 'send')], skills, controller.signal);
    controller.abort(reason);
    const { entries, error } = await playing;
    expect(error).toBe(reason);
    expect(finished(entries)).toEqual([['2', 'UNKNOWN', null]]);
  });
});

describe('skills that a model asked for', () => {
  const ask = (skills: ScriptedSkills, keys: readonly string[], signal: AbortSignal = never) => {
    const calls = keys.map((key) => ({ id: `model-${key}`, name: key, arguments: '{"at":1}' }));
    const steps = ['First. ', 'Then. '].map((text) => ({ text, calls: [] }));
    return callSkills(runOf(skills, [], signal), { text: 'So. ', calls }, steps);
  };

  it('are all told of before the first is begun, each with what the turn has used up by then', async () => {
    const { skills } = byHand(['a', 'b']);
    const loop = ask(skills, ['a', 'b']);
    for (const [index, key] of ['a', 'b'].entries()) {
      expect((await loop.next()).value).toEqual({
        type: 'skill-started',
        callId: `call-00${index + 1}`,
        skill: key,
        arguments: { at: 1 },
        asked: { step: 2, preamble: 'So. ', modelCallId: `model-${key}`, modelArguments: '{"at":1}' },
        usage: { ...noUsage, skillCalls: index + 1 },
      });
    }
    expect(skills.called).toEqual([]);
  });

  it('have their ends told while others go on', async () => {
    const { skills, end } = byHand(['a', 'b']);
    const loop = ask(skills, ['a', 'b']);
    await loop.next();
    await loop.next();
    end('a');
    expect(finished([(await loop.next()).value as TurnEntry])).toEqual([['call-001', 'SUCCEEDED', 'by a']]);
    end('b');
    expect(finished([(await loop.next()).value as TurnEntry])).toEqual([['call-002', 'SUCCEEDED', 'by b']]);
    expect((await loop.next()).done).toBe(true);
  });

  it('tell what became of the others before the failure of one goes up', async () => {
    const broken = new Error('The claim is lost.');
    const { skills, end } = byHand(['b', 'c'], { a: () => Promise.reject(broken) });
    const playing = play(ask(skills, ['a', 'b', 'c']));
    end('c');
    end('b');
    const { entries, error } = await playing;
    expect(error).toBe(broken);
    expect(finished(entries.slice(3)).map(([, , result]) => result)).toEqual(['by b', 'by c']);
  });

  it('are refused the third time they are the same, and every time after', async () => {
    const skills = new ScriptedSkills({ a: () => Promise.resolve(succeeded('1')) });
    const call = (text: string) => ({ id: 'model-a', name: 'a', arguments: text });
    const steps = [{ text: '', calls: [{ ...call('{"x":1,"y":2}'), result: '1' }] }];
    const calls = [call('{"y":2, "x":1}'), call('{"x":1,"y":2}'), call('{"x":1,"y":2}'), call('{"x":1}')];
    const run = runOf(skills, [], never);
    const { entries, result } = await play(callSkills(run, { text: '', calls }, steps));
    expect(finished(entries.slice(4)).map(([, status]) => status)).toEqual([
      'SUCCEEDED',
      'FAILED',
      'FAILED',
      'SUCCEEDED',
    ]);
    expect(skills.called.map(({ callId }) => callId)).toEqual(['call-001', 'call-004']);
    expect(result?.calls[1]?.result).toBe(JSON.stringify({ error: labels.identical }));
    expect(run.usage.skillCalls).toBe(4);
  });

  it('have a result that a prompt has room for', async () => {
    const long = JSON.stringify(Array.from({ length: 9_000 }, (_, at) => ({ at })));
    const skills = new ScriptedSkills({ a: () => Promise.resolve(succeeded(long)) });
    const { result } = await play(ask(skills, ['a']));
    const told = result?.calls[0]?.result ?? '';
    expect(roughTokens.count(told)).toBeLessThanOrEqual(8_000);
    expect(roughTokens.count(told)).toBeGreaterThan(7_000);
    expect(JSON.parse(told)).toContainEqual(expect.stringMatching(/ of 9000 elements left out/u));
  });

  describe('when time is needed for the answer', () => {
    const timed = (skills: ScriptedSkills, clock: ManualClock, signal = never): AgentRun => {
      const ports = scriptedPorts({ model: new ScriptedChatModel([]), skills, clock });
      return beginRun(ports, scriptedTurn(3), { ...noUsage }, signal);
    };
    const calls = ['quick', 'slow'].map((name) => ({ id: name, name, arguments: '{}' }));

    it('are broken off, with a result that says so; what has ended has ended', async () => {
      const clock = new ManualClock();
      const { skills, end } = byHand(['quick', 'slow']);
      const loop = callSkills(timed(skills, clock), { text: '', calls }, []);
      await loop.next();
      await loop.next();
      end('quick');
      await loop.next();
      // 15 seconds before the turn's 120 are over.
      clock.advance(104_999);
      expect(clock.waiting).toBe(1);
      clock.advance(1);
      const { entries, result } = await play(loop);
      expect(finished(entries)).toEqual([['call-002', 'FAILED', JSON.stringify({ error: labels.timeOver })]]);
      expect(result?.calls.map((call) => call.result)).toEqual([
        'by quick',
        JSON.stringify({ error: labels.timeOver }),
      ]);
      expect(clock.waiting).toBe(0);
    });

    it('are not begun any more', async () => {
      const clock = new ManualClock();
      clock.advance(110_000);
      const { skills } = byHand(['quick', 'slow']);
      const { entries } = await play(callSkills(timed(skills, clock), { text: '', calls }, []));
      expect(finished(entries.slice(2)).map(([, status]) => status)).toEqual(['FAILED', 'FAILED']);
      expect(skills.called).toEqual([]);
    });

    it('leave no timer behind when they are left in the middle', async () => {
      const clock = new ManualClock();
      const controller = new AbortController();
      const { skills, end } = byHand(['quick', 'slow']);
      const loop = callSkills(timed(skills, clock, controller.signal), { text: '', calls }, []);
      await loop.next();
      await loop.next();
      end('quick');
      await loop.next();
      controller.abort(new Error('Enough.'));
      expect(clock.waiting).toBe(0);
    });
  });

  describe('that a person has to allow', () => {
    const guarded = (others: Record<string, Carry> = {}): ScriptedSkills => {
      const skills = new ScriptedSkills({ send: () => Promise.resolve(succeeded('sent')), ...others });
      skills.guarded.add('send');
      return skills;
    };

    it('are asked about and not begun; the others are carried out', async () => {
      const skills = guarded({ a: () => Promise.resolve(succeeded('1')) });
      const { entries, result } = await play(ask(skills, ['send', 'a']));
      expect(entries.map((entry) => [entry.type, 'skill' in entry && entry.skill])).toEqual([
        ['skill-started', 'a'],
        ['skill-finished', 'a'],
      ]);
      expect(result?.inputs).toMatchObject([
        {
          callId: 'call-001',
          skill: 'send',
          arguments: { at: 1 },
          reason: 'So.',
          asked: { step: 2, preamble: 'So. ', modelCallId: 'model-send', modelArguments: '{"at":1}' },
          askerMayApprove: true,
          kind: 'APPROVAL',
        },
      ]);
      expect(skills.called.map(({ key }) => key)).toEqual(['a']);
    });

    it.each(['send', 'look'])(
      'are neither asked about nor begun when they were cut off: %s',
      async (name) => {
        const skills = guarded({ look: () => Promise.resolve(succeeded('1')) });
        const calls = [{ id: 'model-cut', name, arguments: '', isCut: true as const }];
        const { entries, result } = await play(callSkills(runOf(skills, [], never), { text: '', calls }, []));
        expect(result?.inputs).toEqual([]);
        expect(finished(entries.slice(1))).toEqual([
          ['call-001', 'FAILED', JSON.stringify({ error: labels.cutArguments })],
        ]);
        expect(skills.called).toEqual([]);
      },
    );

    it.each(['send', 'look'])(
      'are not asked about when nobody could read what they would do: %s',
      async (name) => {
        const skills = guarded({ look: () => Promise.resolve(succeeded('1')) });
        const call = { id: 'model-send', name, arguments: '{"to": "awa' };
        const { entries, result } = await play(
          callSkills(runOf(skills, [], never), { text: '', calls: [call] }, []),
        );
        expect(result?.inputs).toEqual([]);
        expect(finished(entries.slice(1))).toEqual([
          ['call-001', 'FAILED', JSON.stringify({ error: labels.brokenArguments })],
        ]);
        expect(skills.called).toEqual([]);
      },
    );

    const answeredCall = (changes: Partial<AnsweredCall> = {}): AnsweredCall => ({
      callId: 'b',
      skill: 'send',
      asked: { step: 0, preamble: 'Step 0. ', modelCallId: 'model-b', modelArguments: '{"at":1}' },
      ...approval,
      answer: 'APPROVED',
      arguments: { at: 1 },
      ...changes,
    });
    const resumeWith = (answer: AnsweredCall, calls: readonly MadeCall[], skills = guarded()) => {
      const turn = { ...scriptedTurn(3, calls), answered: [answer] };
      const ports = scriptedPorts({ model: new ScriptedChatModel([]), skills });
      return play(resumeSteps(beginRun(ports, turn, { ...noUsage }, never))).then(withSteps);
    };

    it.each([
      ['as it was written', { at: 1 }, '{"at":1}'],
      ['as it was edited', { at: 2 }, '{"at":2}'],
    ])('are carried out when it was allowed, %s', async (_, edited, written) => {
      const carried: unknown[] = [];
      const skills = guarded({
        send: async (input) => {
          carried.push(input);
          return succeeded('sent');
        },
      });
      const answer = answeredCall({ arguments: edited });
      const { entries, result } = await resumeWith(answer, [made(0, 'a', 'look', '1')], skills);
      expect(entries).toEqual([
        expect.objectContaining({
          type: 'skill-started',
          callId: 'b',
          arguments: edited,
          asked: { step: 0, preamble: 'Step 0. ', modelCallId: 'model-b', modelArguments: written },
          usage: { ...noUsage, skillCalls: 1 },
        }),
        expect.objectContaining({ type: 'skill-finished', callId: 'b', callStatus: 'SUCCEEDED' }),
      ]);
      expect(carried).toEqual([edited]);
      expect(result).toEqual([
        {
          text: 'Step 0. ',
          calls: [
            told(made(0, 'a', 'look'), '1'),
            { id: 'model-b', name: 'send', arguments: written, result: 'sent' },
          ],
        },
      ]);
    });

    it.each([
      ['DENIED', 'denied', 'Ask Awa first.', ` ${fill(labels.comment, { words: 'Ask Awa first.' })}`],
      ['DENIED', 'denied', null, ''],
      ['EXPIRED', 'expired', null, ''],
    ] as const)('are %s, and the model is told so (%s, %s)', async (answer, label, comment, words) => {
      const skills = guarded();
      const { entries, result } = await resumeWith(answeredCall({ answer, comment }), [], skills);
      const told = JSON.stringify({ error: `${labels[label]}${words}` });
      expect(entries.map(({ type }) => type)).toEqual(['skill-started', 'skill-finished']);
      expect(finished(entries.slice(1))).toEqual([['b', 'DENIED', told]]);
      expect(result?.[0]?.calls[0]?.result).toBe(told);
      expect(skills.called).toEqual([]);
    });

    it.each([
      ['DENIED', 'DENIED', 0],
      ['APPROVED', 'SUCCEEDED', 1],
    ] as const)(
      'keep their answer (%s) when the process died right after beginning',
      async (answer, status, times) => {
        const skills = guarded();
        const { entries } = await resumeWith(answeredCall({ answer }), [made(0, 'b', 'send')], skills);
        expect(finished(entries).map(([callId, ended]) => [callId, ended])).toEqual([['b', status]]);
        expect(skills.called).toHaveLength(times);
      },
    );

    it('are not carried out again under a rule that came later', async () => {
      const skills = guarded();
      const { entries } = await play(resumeSteps(runOf(skills, [made(0, 'a', 'send')], never)));
      expect(finished(entries)).toEqual([['a', 'UNKNOWN', null]]);
      expect(skills.called).toEqual([]);
    });
  });
});

describe('what calls tell besides their ends', () => {
  const said = (...names: string[]) => ({
    text: '',
    calls: names.map((name) => ({ id: name, name, arguments: '{}' })),
  });

  it('is how far they are, between their beginning and their end', async () => {
    const open = Promise.withResolvers<void>();
    const late: ((detail: string) => void)[] = [];
    const skills = new ScriptedSkills({
      slow: async (_, _signal, progress) => {
        progress('slow: 1');
        await open.promise;
        progress('slow: 2');
        return succeeded('slow');
      },
      quick: async (_, _signal, progress) => {
        late.push(progress);
        progress('quick: 1');
        await Promise.resolve();
        return succeeded('quick');
      },
    });
    const run = runOf(skills, [], never);
    const { entries, error } = await play(callSkills(run, said('slow', 'quick'), []), (entry) => {
      if (entry.type !== 'status-changed') return;
      for (const tell of late) setImmediate(() => tell('after the end'));
      if (entry.detail === 'quick: 1') setImmediate(() => open.resolve());
    });
    expect(error).toBeNull();
    expect(entries.map((entry) => ('detail' in entry ? entry.detail : entry.type))).toEqual([
      'skill-started',
      'skill-started',
      'slow: 1',
      'quick: 1',
      'slow: 2',
      'skill-finished',
      'skill-finished',
    ]);
    expect(entries[2]).toEqual({ type: 'status-changed', status: 'RUNNING', detail: 'slow: 1' });
  });

  it('is how the turn stands at that moment', async () => {
    const skills = new ScriptedSkills({
      slow: async (_, _signal, progress) => {
        progress('one');
        await new Promise((resolve) => setImmediate(resolve));
        progress('two');
        return succeeded('slow');
      },
    });
    const run = runOf(skills, [], never);
    const { entries } = await play(callSkills(run, said('slow'), []), (entry) => {
      if (entry.type === 'status-changed') run.phase.move();
    });
    expect(entries.flatMap((entry) => (entry.type === 'status-changed' ? [entry.status] : []))).toEqual([
      'RUNNING',
      'IN_BACKGROUND',
    ]);
  });

  it('is the whole of a result of which the model is given less', async () => {
    const skills = new ScriptedSkills({
      look: () => Promise.resolve({ ...succeeded('"1"'), details: { rows: [1, 2] } }),
      add: () => Promise.resolve(succeeded('2')),
    });
    const { entries, result } = await play(callSkills(runOf(skills, [], never), said('look', 'add'), []));
    const ends = entries.filter(({ type }) => type === 'skill-finished');
    expect(ends[0]).toMatchObject({ result: '"1"', details: { rows: [1, 2] } });
    expect(ends[1]).not.toHaveProperty('details');
    expect(result?.calls.map(({ result: told }) => told)).toEqual(['"1"', '2']);
    expect(eventOf(ends[0]!)).not.toHaveProperty('details');
    expect(eventOf(ends[0]!)).not.toHaveProperty('result');
  });

  it('are not cut where they are as short as they are to be', async () => {
    const long = JSON.stringify('x'.repeat(40_000));
    const skills = new ScriptedSkills({
      look: () => Promise.resolve({ ...succeeded(long), isSized: true as const }),
      add: () => Promise.resolve(succeeded(long)),
    });
    const { result } = await play(callSkills(runOf(skills, [], never), said('look', 'add'), []));
    expect(result?.calls[0]?.result).toBe(long);
    expect(result?.calls[1]?.result?.length).toBeLessThan(33_000);
  });
});
