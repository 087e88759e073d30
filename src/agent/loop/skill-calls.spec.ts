import { describe, expect, it } from '@jest/globals';

import { ScriptedChatModel } from '../../llm/scripted-chat-model.js';
import { noUsage, type TurnEntry } from '../../turns/turn-event.js';
import type { AgentPorts } from './agent-ports.js';
import type { MadeCall } from './agent-turn.js';
import { labelsFor } from './prompt-labels.js';
import { type Carry, play, ScriptedSkills, succeeded } from './scripted-turn.js';
import { callSkills, resumeSteps } from './skill-calls.js';

const portsOf = (skills: ScriptedSkills): AgentPorts => ({
  skills,
  model: new ScriptedChatModel([]),
  now: () => 0,
});

const never = new AbortController().signal;

/** A call of an earlier owner, named after its id; in doubt unless a result is given. */
const made = (step: number, callId: string, skill: string, result: string | null = null): MadeCall => ({
  callId,
  skill,
  asked: { step, preamble: `Step ${step}. `, modelCallId: `model-${callId}`, modelArguments: '{"at":1}' },
  status: result === null ? 'RUNNING' : 'SUCCEEDED',
  result,
});

const told = ({ callId, skill }: MadeCall, result: string | null = null): object => ({
  id: `model-${callId}`,
  name: skill,
  arguments: '{"at":1}',
  result,
});

const finished = (entries: readonly TurnEntry[]): (readonly [string, string, string | null])[] =>
  entries.map((entry) => {
    if (entry.type !== 'skill-finished')
      throw new Error(`Nothing but ends was to be told, not ${entry.type}.`);
    return [entry.callId, entry.callStatus, entry.result];
  });

/** Skills that end when they are told to, by key. */
const byHand = (keys: readonly string[], others: Record<string, Carry> = {}) => {
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
};

describe('the steps that an earlier owner took', () => {
  const resume = async (
    calls: readonly MadeCall[],
    skills = new ScriptedSkills({}),
    signal: AbortSignal = never,
  ) => play(resumeSteps(portsOf(skills), calls, 'en', signal));

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
    expect(entries[0]).toMatchObject({ skill: 'send', resultPreview: labelsFor('en').unknownOutcome });
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
    const loop = resumeSteps(portsOf(first.skills), calls, 'en', never);
    first.end('a');
    const entry = (await loop.next()).value as TurnEntry;
    expect(finished([entry])).toEqual([['1', 'SUCCEEDED', 'by a']]);
    // Here the process dies; one end is stored.
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
    const usage = { ...noUsage };
    return callSkills(portsOf(skills), { step: 2, text: 'So. ', calls }, usage, signal);
  };

  it('are all told of before the first is begun, each with what the turn has used up by then', async () => {
    const { skills } = byHand(['a', 'b']);
    const loop = ask(skills, ['a', 'b']);
    for (const [index, key] of ['a', 'b'].entries()) {
      expect((await loop.next()).value).toEqual({
        type: 'skill-started',
        callId: `call-${index + 1}`,
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
    expect(finished([(await loop.next()).value as TurnEntry])).toEqual([['call-1', 'SUCCEEDED', 'by a']]);
    end('b');
    expect(finished([(await loop.next()).value as TurnEntry])).toEqual([['call-2', 'SUCCEEDED', 'by b']]);
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
});
