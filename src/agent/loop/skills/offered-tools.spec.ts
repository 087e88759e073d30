import fc from 'fast-check';

import type { PackSummary, SkillOffer } from '../agent-ports.js';
import type { Step } from '../prompt/prompt.js';
import { roughTokens, scriptedPack } from '../scripted-turn.double.js';
import { loadedResult } from './loaded-packs.js';
import { offeredTools } from './offered-tools.js';

function tools(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does ${index}.`,
    parameters: { type: 'object' },
  }));
}
function packs(count: number, hasFiles = false): PackSummary[] {
  return Array.from({ length: count }, (_, index) => ({ ...scriptedPack(`pack-${index}`, 'x'), hasFiles }));
}
function step(name: string, result: string | null): Step {
  return {
    text: '',
    calls: [{ id: 'a', name, arguments: '{}', result }],
  };
}
function found(...keys: string[]): Step {
  return step(
    'search_skills',
    JSON.stringify({ found: keys.map((key) => ({ key, description: 'x', use: 'call' })) }),
  );
}
function namesOf(offer: SkillOffer, steps: readonly Step[] = []): string[] {
  return offeredTools(offer, steps, 'en').map(({ name }) => name);
}
const own = ['load_skill', 'read_skill_file', 'search_skills'];

describe('what a model call offers', () => {
  it('is all tools there are, as long as they are few, and nothing of packs where there are none', () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), (count) => {
        expect(offeredTools({ tools: tools(count), packs: [] }, [], 'en')).toEqual(tools(count));
      }),
    );
  });

  it('is the loading of packs where there are any, and the reading of files where those have any', () => {
    expect(namesOf({ tools: tools(1), packs: packs(2) })).toEqual(['load_skill', 'tool_0']);
    expect(namesOf({ tools: tools(1), packs: packs(2, true) })).toEqual([
      'load_skill',
      'read_skill_file',
      'tool_0',
    ]);
  });

  it('does not change when a pack is loaded, but for one that is longer than what is loaded of it', () => {
    const offer = { tools: tools(1), packs: packs(2) };
    const loading = (instructions: string): Step =>
      step(
        'load_skill',
        loadedResult('pack-0', { instructions, files: [], version: '1' }, roughTokens, 'en'),
      );
    expect(namesOf(offer, [loading('Do it.')])).toEqual(namesOf(offer));
    expect(namesOf(offer, [loading('x'.repeat(40_000))])).toContain('read_skill_file');
  });

  it('names the packs that may be loaded, unless they are too many', () => {
    const keysOf = (count: number): unknown =>
      offeredTools({ tools: [], packs: packs(count).toReversed() }, [], 'en')[0]?.parameters;
    expect(keysOf(2)).toMatchObject({ properties: { skill: { enum: ['pack-0', 'pack-1'] } } });
    expect(JSON.stringify(keysOf(100))).toContain('enum');
    expect(JSON.stringify(keysOf(101))).not.toContain('enum');
  });

  it('is a search where packs are too many to be described', () => {
    expect(namesOf({ tools: [], packs: packs(30) })).toEqual(['load_skill']);
    expect(namesOf({ tools: [], packs: packs(31) })).toEqual(['load_skill', 'search_skills']);
    const wordy = packs(20).map((pack) => ({ ...pack, description: 'x'.repeat(1000) }));
    expect(namesOf({ tools: [], packs: wordy })).toEqual(['load_skill', 'search_skills']);
  });

  it('is a search where the tools are few and too large', () => {
    const offer = { tools: tools(3), packs: [], isTooLarge: true };
    expect(namesOf(offer)).toEqual(['search_skills']);
    expect(namesOf(offer, [found('tool_2')])).toEqual(['search_skills', 'tool_2']);
  });

  it('is a search alone where tools cost too much, then what it found, and what was called, in that order', () => {
    const offer = { tools: tools(31), packs: [], isTooLarge: true };
    expect(namesOf(offer)).toEqual(['search_skills']);
    const steps = [
      step('tool_7', '1'),
      found('tool_9', 'tool_2'),
      step('tool_2', '1'),
      found('tool_9', 'tool_4'),
    ];
    expect(namesOf(offer, steps)).toEqual(['search_skills', 'tool_7', 'tool_9', 'tool_2', 'tool_4']);
  });

  it('is never what is not to be used any more, nor what is loaded instead of called', () => {
    const offer = { tools: tools(31), packs: packs(1), isTooLarge: true };
    const load = JSON.stringify({ found: [{ key: 'pack-0', description: 'x', use: 'load' }] });
    const steps = [found('gone', 'tool_1'), step('search_skills', load), step('forgotten', '1')];
    expect(namesOf(offer, steps)).toEqual(['load_skill', 'search_skills', 'tool_1']);
    for (const result of [null, '', '{', '[]', '{"found":1}', '{"error":"No."}']) {
      expect(namesOf(offer, [step('search_skills', result)])).toEqual(['load_skill', 'search_skills']);
    }
  });

  it('is always the search of the documents, and what the assistant is made to use', () => {
    const retrieve = { name: 'retrieve_documents', description: 'x', parameters: {} };
    const offer = {
      tools: [retrieve, ...tools(4)],
      packs: [],
      offered: new Map([['tool_2', 'ALWAYS' as const]]),
    };
    expect(namesOf(offer)).toEqual(['retrieve_documents', 'tool_0', 'tool_1', 'tool_2', 'tool_3']);
    expect(namesOf({ ...offer, isTooLarge: true })).toEqual([
      'search_skills',
      'retrieve_documents',
      'tool_2',
    ]);
  });

  it('has what others are made to use only once it was searched for', () => {
    const offer = { tools: tools(3), packs: [], offered: new Map([['tool_1', 'WHEN_FOUND' as const]]) };
    expect(namesOf(offer)).toEqual(['search_skills', 'tool_0', 'tool_2']);
    expect(namesOf(offer, [found('tool_1')])).toEqual(['search_skills', 'tool_0', 'tool_2', 'tool_1']);
  });

  it('keeps what it offered, in its place, as the turn goes on', () => {
    const anyStep = fc.oneof(
      fc.nat({ max: 40 }).map((index) => step(`tool_${index}`, '1')),
      fc.array(fc.nat({ max: 40 })).map((indices) => found(...indices.map((index) => `tool_${index}`))),
    );
    fc.assert(
      fc.property(
        fc.array(anyStep),
        fc.constantFrom(0, 3, 31, 40),
        fc.nat({ max: 40 }),
        fc.boolean(),
        (steps, count, many, isTooLarge) => {
          const offer = { tools: tools(count), packs: packs(many, true), isTooLarge };
          const before = namesOf(offer, steps.slice(0, -1));
          const names = namesOf(offer, steps);
          expect(names.slice(0, before.length)).toEqual(before);
          expect(new Set(names).size).toBe(names.length);
          for (const name of names)
            expect([...own, ...tools(count).map((tool) => tool.name)]).toContain(name);
        },
      ),
    );
  });
});
