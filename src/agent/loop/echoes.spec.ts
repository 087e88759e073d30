import { type ChatRequest, type Echo, ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  ScriptedChatModel,
  type ScriptedReply,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { eventOf, noUsage, type TurnEntry } from '../../conversations/turns/turn-event.js';
import type { AgentResult, AgentTurn, AnsweredCall, MadeCall, AgentLoop } from './agent-turn.js';
import { grounded } from './grounded.js';
import { planned } from './planned.js';
import { reactive } from './reactive.js';
import {
  HastyClock,
  play,
  type Played,
  ScriptedModels,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';

function echo(data: string, model = 'first'): Echo {
  return { model, data };
}

/** A step with an echo of its own. */
function step(at: number, model?: string, skill = 'look'): ScriptedReply {
  return [toolCall(skill, { at }, `model-${at}`), finish(null, {}, echo(`of step ${at}`, model))];
}
const answer = [text('It is 42.'), finish()];

function skillsOf(...guarded: string[]): ScriptedSkills {
  const carry = () => Promise.resolve(succeeded('"42"'));
  const skills = new ScriptedSkills({ look: carry, retrieve_documents: carry });
  for (const key of guarded) skills.guarded.add(key);
  return skills;
}

interface Run extends Played<AgentResult> {
  model: ScriptedChatModel;
}

async function run(
  strategy: AgentLoop,
  script: readonly ScriptedReply[],
  { turn = scriptedTurn(5), candidates = ['first'], skills = skillsOf() } = {},
): Promise<Run> {
  const model = new ScriptedChatModel(script);
  const models = new ScriptedModels(model, { candidates });
  const ports = scriptedPorts({ model, models, skills, clock: new HastyClock() });
  return { ...(await play(strategy(ports, turn, { ...noUsage }, new AbortController().signal))), model };
}

/** The echoes that a model got back, by step. */
function givenBack(request: ChatRequest | undefined): (string | undefined)[] {
  return (request?.messages ?? []).flatMap((message) =>
    message.role === 'assistant' ? [message.echo?.data] : [],
  );
}

/** The stored state after these entries. */
function madeIn(entries: readonly TurnEntry[]): MadeCall[] {
  return entries.flatMap((entry): MadeCall[] => {
    if (entry.type !== 'skill-started') return [];
    const { callId, skill, asked } = entry;
    return [{ callId, skill, asked, status: 'SUCCEEDED', result: '"42"', startedAt: new Date(0) }];
  });
}

describe('what a model wants back with its steps', () => {
  it('is given back with each of them', async () => {
    const { model } = await run(reactive, [step(0), step(1), answer]);
    expect(model.requests.map(givenBack)).toEqual([[], ['of step 0'], ['of step 0', 'of step 1']]);
  });

  it('is also given back where a planner called one of its own tools besides', async () => {
    const both: ScriptedReply = [
      toolCall('synthesize_answer', { reason: 'Enough.' }, 'model-control'),
      ...step(0),
    ];
    const { model } = await run(planned, [both, answer], {
      turn: { ...scriptedTurn(5), strategy: 'PLANNED' },
    });
    expect(givenBack(model.requests.at(-1))).toEqual(['of step 0']);
  });

  it.each<[string, ScriptedReply, string | undefined]>([
    ['with the search that it was made to do', step(0, 'first', 'retrieve_documents'), 'of step 0'],
    ['but not with one that it did not ask for', step(0), undefined],
  ])('is given back %s', async (_, first, wanted) => {
    const turn: AgentTurn = {
      ...scriptedTurn(5),
      strategy: 'GROUNDED',
      documents: { areThere: true, asked: [] },
    };
    const { model } = await run(grounded, [first, answer], { turn });
    expect(givenBack(model.requests[1])).toEqual([wanted]);
  });

  it('is not given to another model that steps in, which is given its own', async () => {
    const refused: ScriptedReply = [failure(new ModelError('MODEL_UNAVAILABLE', 'Away.', false))];
    const { model } = await run(reactive, [step(0), refused, step(1, 'second'), refused, answer], {
      candidates: ['first', 'second'],
    });
    expect(model.requests.map((request) => [request.model, ...givenBack(request)])).toEqual([
      ['first'],
      ['first', 'of step 0'],
      ['second', undefined],
      ['first', 'of step 0', undefined],
      ['second', undefined, 'of step 1'],
    ]);
  });

  it('is given back by the next owner of the turn, and no event tells of it', async () => {
    const whole = await run(reactive, [step(0), step(1), answer]);
    expect(JSON.stringify(whole.entries.map(eventOf))).not.toContain('of step');
    const { model } = await run(reactive, [answer], { turn: scriptedTurn(5, madeIn(whole.entries)) });
    expect(givenBack(model.requests[0])).toEqual(['of step 0', 'of step 1']);
  });

  it('is given back once a person has answered', async () => {
    const { result } = await run(reactive, [step(0)], { skills: skillsOf('look') });
    if (result?.type !== 'waiting') throw new Error('It was to wait.');
    const answered = result.inputs.map(({ callId, skill, asked, arguments: allowed }): AnsweredCall => ({
      callId,
      skill,
      asked,
      arguments: { ...allowed, edited: true },
      kind: 'APPROVAL',
      answer: 'APPROVED',
      comment: null,
      given: null,
      request: null,
    }));
    const { model, entries } = await run(reactive, [answer], { turn: { ...scriptedTurn(5), answered } });
    expect(givenBack(model.requests[0])).toEqual(['of step 0']);
    expect(entries[0]).toMatchObject({ type: 'skill-started', asked: { echo: echo('of step 0') } });
  });
});
