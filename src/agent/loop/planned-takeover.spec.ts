import type { ChatRequest } from '@palabre/llm-client';
import { finish, type ScriptedReply, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../common/manual-clock.double.js';
import type { PlanDecision, TurnEntry } from '../../conversations/turns/turn-event.js';
import type { AgentTurn, MadeCall } from './agent-turn.js';
import {
  answer,
  goOn,
  isPlan,
  look,
  playPlanned as run,
  synthesize,
  turnOf,
  types,
} from './scripted-plans.double.js';
import { ended } from './scripted-turn.double.js';

const NOW = new ManualClock().now();

/** The stored state after these entries: ended calls, and decisions. */
function afterRun(entries: readonly TurnEntry[]): AgentTurn {
  const movedAt = entries.findIndex(({ type }) => type === 'moved-to-background');
  // A millisecond passes with every entry.
  const at = (index: number): Date => new Date(NOW.getTime() - entries.length + index);
  const made = entries.flatMap((entry, index): MadeCall[] => {
    if (entry.type !== 'skill-started') return [];
    const { callId, skill, asked } = entry;
    const end = entries.find((other) => other.type === 'skill-finished' && other.callId === callId);
    const result = end?.type === 'skill-finished' ? end.result : null;
    return [{ callId, skill, asked, status: end ? 'SUCCEEDED' : 'RUNNING', result, startedAt: at(index) }];
  });
  const decided = entries.flatMap((entry): PlanDecision[] => (entry.type === 'plan-decided' ? [entry] : []));
  return turnOf({ made, decided, backgroundAt: movedAt < 0 ? null : at(movedAt) });
}

/** The steps in a model's prompt: its calls and their results. */
function toldIn(request: ChatRequest | undefined): unknown[] {
  return (request?.messages ?? []).flatMap((message): unknown[] => {
    if (message.role === 'tool') return [message.content];
    if (message.role !== 'assistant') return [];
    return [(message.toolCalls ?? []).map(({ name, arguments: words }) => [name, JSON.parse(words)])];
  });
}

describe('a planned turn that is taken over', () => {
  const moving = goOn('There is much to read.');
  const looking = (): ScriptedReply => [look(), finish()];

  it.each<[string, ScriptedReply[]]>([
    ['by itself', [moving, looking(), looking()]],
    ['by itself, after a skill', [looking(), moving, looking()]],
    ['as the last', [looking(), moving]],
    ['as the first and the last', [moving]],
    ['beside a skill', [[look(), ...moving], looking()]],
  ])('is told that it went on in the background, where that was decided %s', async (_, script) => {
    const whole = await run([...script, synthesize(), answer]);
    const asked = whole.model.requests[script.length];
    const cut = whole.entries.findLastIndex((entry) => entry.type === 'plan-decided');
    const turn = afterRun(whole.entries.slice(0, cut));
    const { model, entries } = await run([synthesize(), answer], { turn });
    expect(toldIn(model.requests[0])).toEqual(toldIn(asked));
    expect(types(entries)).not.toContain('moved-to-background');
  });

  it('is not told so where its time had been over', async () => {
    const clock = new ManualClock();
    const { entries } = await run([looking(), looking(), synthesize(), answer], {
      turn: turnOf({}, 1),
      clock,
    });
    expect(types(entries)).toContain('moved-to-background');
    const turn = afterRun(entries.slice(0, -2));
    const { model } = await run([synthesize(), answer], { turn });
    expect(JSON.stringify(toldIn(model.requests[0]))).not.toContain('continue_in_background');
  });

  it('has the answer written at once, where that was decided', async () => {
    const whole = await run([looking(), synthesize(), [text('It is'), text(' 42.'), finish()]]);
    const turn = afterRun(whole.entries.slice(0, -1));
    const { model, entries, result } = await run([answer], { turn });
    expect(model.requests.map(isPlan)).toEqual([false]);
    expect(toldIn(model.requests[0])).toEqual(toldIn(whole.model.requests.at(-1)));
    expect(types(entries)).toEqual(['text-delta']);
    expect(result).toEqual(ended('ANSWERED'));
  });
});
