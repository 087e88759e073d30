import fc from 'fast-check';
import type { ChatMessage, ChatRequest } from '@palabre/llm-client';
import {
  finish,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import { noUsage, type TurnEntry } from '../../conversations/turns/turn-event.js';
import type { AgentTurn, MadeCall, AgentLoop } from './agent-turn.js';
import { grounded } from './grounded.js';
import { planned } from './planned.js';
import { reactive } from './reactive.js';
import {
  play,
  resultIn,
  ScriptedModels,
  type ScriptedPack,
  scriptedPack,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';
import { withSources } from './sources/cited-answer.js';
import { ScriptedDocuments } from './sources/scripted-documents.double.js';
import { Sources } from './sources/sources.js';

const body = 'First ask for the parties. Then write.';
const packs = [
  scriptedPack('deeds/sale', body, { 'references/a.md': 'Article 1.' }),
  scriptedPack('plain', 'Do it.'),
];

function load(skill: string): ScriptStep {
  return toolCall('load_skill', { skill }, 'model-call');
}
const answer = [text('Done.'), finish()];
const documents = new ScriptedDocuments({ q: [] });

type Replies = ConstructorParameters<typeof ScriptedChatModel>[0];

async function run(
  strategy: AgentLoop,
  script: Replies,
  {
    skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('"42"')) }, packs),
    turn = scriptedTurn(6),
    windowTokens = 128_000,
    signal = new AbortController().signal,
    onEntry = (_: TurnEntry): void => undefined,
  } = {},
) {
  const model = new ScriptedChatModel(script);
  const models = new ScriptedModels(model, { windowTokens });
  const isGrounded = strategy === grounded;
  if (isGrounded) skills.add(documents.skills);
  const ports = scriptedPorts({ model, models, skills });
  const known = isGrounded ? { ...turn, documents: documents.known } : turn;
  const cited = withSources(strategy, new Sources());
  const played = await play(cited(ports, known, { ...noUsage }, signal), onEntry);
  return { ...played, model, skills, systems: model.requests.map(systemOf) };
}

function systemOf({ messages }: ChatRequest): string {
  return messages[0]?.content ?? '';
}
function toolNames({ tools }: ChatRequest): string[] {
  return tools.map(({ name }) => name);
}
function toolResults(messages: readonly ChatMessage[]): string[] {
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => resultIn(content));
}

/** A run's calls, as its next owner finds them. */
function madeFrom(entries: readonly TurnEntry[]): MadeCall[] {
  return entries.flatMap((entry): MadeCall[] => {
    if (entry.type !== 'skill-started') return [];
    const { callId, skill, asked } = entry;
    const end = entries.find((other) => other.type === 'skill-finished' && other.callId === callId);
    const { status, result } =
      end?.type === 'skill-finished'
        ? { status: end.callStatus, result: end.result }
        : { status: 'RUNNING' as const, result: null };
    return [{ callId, skill, asked, status, result, startedAt: new Date(0) }];
  });
}

describe.each<[string, AgentLoop, ScriptStep[][], ScriptStep[][]]>([
  ['reactive', reactive, [], [answer]],
  ['planned', planned, [], [[toolCall('synthesize_answer', { reason: 'Enough.' }), finish()], answer]],
  ['grounded', grounded, [[toolCall('retrieve_documents', { query: 'q' }), finish()]], [answer]],
])('a pack in a %s turn', (_, strategy, before, after) => {
  const at = before.length;

  it('is loaded by a call like any other, and told of just before that ends', async () => {
    const { entries, systems, model } = await run(strategy, [
      ...before,
      [load('deeds/sale'), finish()],
      ...after,
    ]);
    const told = entries.filter((entry) => !('skill' in entry) || entry.skill !== 'retrieve_documents');
    const calls = told.filter(({ type }) => type.startsWith('skill-'));
    expect(calls).toMatchObject([
      { type: 'skill-started', skill: 'load_skill', arguments: { skill: 'deeds/sale' } },
      { type: 'skill-loaded', skill: 'deeds/sale' },
      { type: 'skill-finished', skill: 'load_skill', callStatus: 'SUCCEEDED', resultPreview: 'deeds/sale' },
    ]);
    expect(toolNames(model.requests[at]!)).toEqual(
      expect.arrayContaining(['load_skill', 'read_skill_file', 'look']),
    );
    expect(systems.map((system) => system.includes(body))).toEqual([
      ...before.map(() => false),
      false,
      ...after.map(() => true),
    ]);
    const last = model.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(last.slice(1))).not.toContain('First ask');
    expect(JSON.parse(toolResults(last).at(-1) ?? '')).toMatchObject({ loaded: 'deeds/sale' });
  });

  it('is as it was where another owner goes on', async () => {
    const script = [...before, [load('deeds/sale'), finish()], ...after];
    const whole = await run(strategy, script);
    const resumed = await run(strategy, after, {
      turn: { ...scriptedTurn(6), made: madeFrom(whole.entries) } satisfies AgentTurn,
    });
    expect(resumed.model.requests.map(({ messages }) => messages)).toEqual(
      whole.model.requests.slice(-after.length).map(({ messages }) => messages),
    );
    expect(resumed.entries.map(({ type }) => type)).not.toContain('skill-loaded');
    expect(resumed.skills.loaded).toEqual([]);
  });

  it('is loaded again by the next owner where the call was broken off', async () => {
    const whole = await run(strategy, [...before, [load('deeds/sale'), finish()], ...after]);
    const cut = whole.entries.slice(
      0,
      whole.entries.findIndex(({ type }) => type === 'skill-loaded'),
    );
    const resumed = await run(strategy, after, { turn: { ...scriptedTurn(6), made: madeFrom(cut) } });
    expect(resumed.entries.slice(0, 2)).toMatchObject([
      { type: 'skill-loaded', skill: 'deeds/sale' },
      { type: 'skill-finished', skill: 'load_skill', callStatus: 'SUCCEEDED' },
    ]);
    expect(resumed.systems.every((system) => system.includes(body))).toBe(true);
  });

  it('is gone with the turn', async () => {
    const skills = new ScriptedSkills({}, packs);
    const first = await run(strategy, [...before, [load('deeds/sale'), finish()], ...after], { skills });
    expect(first.systems.at(-1)).toContain(body);
    const next = await run(strategy, [...before, [load('plain'), finish()], ...after], { skills });
    for (const { messages } of next.model.requests)
      expect(JSON.stringify(messages)).not.toContain('First ask');
    expect(next.systems.at(-1)).toContain('Do it.');
  });

  it('is nowhere to be seen where a company has none', async () => {
    const skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('"42"')) });
    const { systems, model } = await run(strategy, [...before, [toolCall('look'), finish()], ...after], {
      skills,
    });
    for (const system of systems) expect(system).not.toMatch(/load_skill|skill_content|###/u);
    for (const request of model.requests) expect(toolNames(request)).not.toContain('load_skill');
  });
});

describe('packs in a turn', () => {
  it('may be several; a second call for one says that it is there', async () => {
    const { systems, model, entries } = await run(reactive, [
      [load('deeds/sale'), load('plain'), finish()],
      [load('plain'), finish()],
      answer,
    ]);
    expect(systems.at(-1)).toMatch(/<skill_content name="deeds\/sale">[^]*<skill_content name="plain">/u);
    expect(systems.at(-1)).toBe(systems.at(-2));
    expect(toolResults(model.requests.at(-1)!.messages).at(-1)).toContain('Loaded already');
    expect(entries.filter(({ type }) => type === 'skill-loaded')).toHaveLength(2);
  });

  it('that cannot be loaded are told of to the model, and to nobody as loaded', async () => {
    const { entries, systems } = await run(reactive, [[load('gone'), finish()], answer]);
    expect(entries.map(({ type }) => type)).not.toContain('skill-loaded');
    expect(systems[1]).toBe(systems[0]);
  });

  it('are still told of where no skill may be called any more', async () => {
    const { model, systems } = await run(reactive, [[load('plain'), finish()], answer], {
      turn: scriptedTurn(1),
    });
    expect(toolNames(model.requests[1]!)).toEqual([]);
    expect(systems[1]?.startsWith(systems[0] ?? '?')).toBe(true);
    expect(systems[1]).toContain('Do it.');
  });

  it('never lose a word to trimming, whatever else the turn fills its window with', async () => {
    const longer = (words: number): ScriptedPack =>
      scriptedPack('long', `${'Rule. '.repeat(words)}End of it.`);
    let trimmed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 2_000, max: 12_000 }),
        fc.nat({ max: 6_000 }),
        async (words, looks, windowTokens, length) => {
          const pack = longer(words);
          const skills = new ScriptedSkills(
            { look: () => Promise.resolve(succeeded(JSON.stringify('x'.repeat(length)))) },
            [pack],
          );
          const script = [
            [load('long'), finish()],
            ...Array.from({ length: looks }, (_, at) => [toolCall('look', { at }), finish()]),
            answer,
          ];
          const { model, systems, error } = await run(reactive, script, {
            skills,
            turn: scriptedTurn(20),
            windowTokens,
          });
          expect(error).toBeNull();
          for (const system of systems.slice(1)) expect(system).toContain(pack.instructions);
          for (const { messages } of model.requests) {
            const asked = messages.flatMap((each) =>
              each.role === 'assistant' ? (each.toolCalls ?? []) : [],
            );
            expect(toolResults(messages)).toHaveLength(asked.length);
          }
          if (JSON.stringify(model.requests.at(-1)).includes('left out for lack of room')) trimmed += 1;
        },
      ),
      { numRuns: 60 },
    );
    expect(trimmed).toBeGreaterThan(5);
  });

  it('leave room in a small window: the oldest go, and the newest is shown as far as it can be', async () => {
    const long = ['a', 'b', 'c'].map((key) => scriptedPack(key, `${key.repeat(4_000)}.`));
    const script = [...long.map(({ key }) => [load(key), finish()]), [load('a'), finish()], answer];
    const skills = new ScriptedSkills({}, long);
    const { systems, error } = await run(reactive, script, { skills, windowTokens: 4_500 });
    expect(error).toBeNull();
    const shown = systems.map((system) => long.map(({ key }) => system.includes(key.repeat(4_000))));
    expect(shown).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
      [false, true, true],
      [true, false, true],
    ]);
    expect(systems[3]).toContain('to be loaded again if needed: a\n');
    const small = await run(reactive, script.slice(-2), { skills, windowTokens: 1_500 });
    expect(small.error).toBeNull();
    expect(small.systems[1]).toMatch(/a{2000,} …\n<\/skill_content>/u);
  });
});

describe('skills that are too many', () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      index === 7 ? 'weather_forecast' : `tool_${index}`,
      () => Promise.resolve(succeeded(`"${index}"`)),
    ]),
  );

  it.each<[string, AgentLoop, ScriptStep[][], ScriptStep[][]]>([
    ['reactive', reactive, [], [answer]],
    ['planned', planned, [], [[toolCall('synthesize_answer', { reason: 'Enough.' }), finish()], answer]],
    ['grounded', grounded, [[toolCall('retrieve_documents', { query: 'q' }), finish()]], [answer]],
  ])('are searched for in a %s turn, and offered once found', async (_, strategy, before, after) => {
    const script = [
      ...before,
      [toolCall('search_skills', { query: 'forecast' }), finish()],
      [toolCall('weather_forecast'), finish()],
      ...after,
    ];
    const { model, systems, entries, error } = await run(strategy, script, {
      skills: new ScriptedSkills(many, packs),
    });
    expect(error).toBeNull();
    const at = before.length;
    expect(toolNames(model.requests[at]!)).toEqual(
      expect.arrayContaining(['load_skill', 'read_skill_file', 'search_skills']),
    );
    expect(toolNames(model.requests[at]!)).not.toContain('weather_forecast');
    expect(toolNames(model.requests[at + 1]!)).toContain('weather_forecast');
    expect(model.requests.every(({ tools }) => tools.length < 10)).toBe(true);
    expect(systems[at]).toContain('There are 200 tools');
    expect(systems[at + 1]).toBe(systems[at]);
    expect(entries).toContainEqual(
      expect.objectContaining({ skill: 'weather_forecast', callStatus: 'SUCCEEDED' }),
    );
  });
});

describe.each<[string, AgentLoop, ScriptStep[][]]>([
  ['reactive', reactive, [answer]],
  ['planned', planned, [[toolCall('synthesize_answer', { reason: 'Enough.' }), finish()], answer]],
])('a %s turn in a small window', (_, strategy, end) => {
  const look = () => Promise.resolve(succeeded('"42"'));
  /** Two skills that fit into a prompt, but not together. */
  const longSkills = (): ScriptedSkills => {
    const skills = new ScriptedSkills({ carbon_count: look, carbon_report: look });
    const { list } = ScriptedSkills.prototype;
    skills.list = async () => {
      const offer = await list.call(skills);
      const parameters = { type: 'object', description: 'word '.repeat(1_000) };
      return { ...offer, tools: offer.tools.map((tool) => ({ ...tool, parameters })) };
    };
    return skills;
  };
  const search = (query: string): ScriptStep[] => [toolCall('search_skills', { query }), finish()];
  const found = ({ tools }: ChatRequest): string[] =>
    tools.map(({ name }) => name).filter((name) => name.startsWith('carbon'));

  it('is offered the best of what it found, told of the rest, and has an answer', async () => {
    const { model, result, error } = await run(
      strategy,
      [search('count carbon'), [toolCall('carbon_count'), finish()], ...end],
      { skills: longSkills(), windowTokens: 2_600 },
    );
    expect(error).toBeNull();
    expect(result).toMatchObject({ finishReason: 'ANSWERED' });
    expect(model.requests.slice(0, 2).map(found)).toEqual([[], ['carbon_count']]);
    expect(JSON.parse(toolResults(model.requests[1]!.messages)[0]!)).toEqual({
      found: [expect.objectContaining({ key: 'carbon_count' })],
      leftOut: ['carbon_report'],
      note: expect.stringContaining('not offered: carbon_report'),
    });
  });

  it('is offered what it searched for last, in the place of what it did earlier', async () => {
    const { model, error } = await run(
      strategy,
      [search('count carbon'), search('report carbon'), [toolCall('carbon_report'), finish()], ...end],
      { skills: longSkills(), windowTokens: 2_600 },
    );
    expect(error).toBeNull();
    expect(model.requests.slice(0, 3).map(found)).toEqual([[], ['carbon_count'], ['carbon_report']]);
  });
});
