import fc from 'fast-check';
import { ToolCallAssembler, type ToolCallFragment } from './tool-call-assembler.js';
import type { ToolCall } from '../../chat-model.js';

type Fragment = Partial<ToolCallFragment>;

function complete(fragment: Fragment): ToolCallFragment {
  return {
    index: null,
    id: null,
    name: null,
    arguments: '',
    extra: null,
    ...fragment,
  };
}

/** Each argument is the list of one chunk. */
function assemble(chunks: Fragment[][], taken: string[] = []): ToolCall[] {
  let count = 0;
  const assembler = new ToolCallAssembler(() => `new-${++count}`);
  for (const chunk of chunks) assembler.add(chunk.map(complete));
  return assembler.finish(taken);
}

function call(id: string, name: string, text: string): ToolCall {
  return { id, name, arguments: text };
}

describe('ToolCallAssembler', () => {
  it('joins fragments by index (OpenAI), parallel and interleaved', () => {
    const calls = assemble([
      [{ index: 0, id: 'a', name: 'f' }],
      [{ index: 1, id: 'b', name: 'g' }],
      [{ index: 0, arguments: '{"x":' }],
      [{ index: 1, arguments: '{}' }],
      [
        { index: 0, arguments: '1}' },
        { index: 2, id: 'c', name: 'f', arguments: '{}' },
      ],
    ]);
    expect(calls).toEqual([call('a', 'f', '{"x":1}'), call('b', 'g', '{}'), call('c', 'f', '{}')]);
  });

  it('takes whole calls without index (Mistral)', () => {
    const chunk = [
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'f', arguments: '{"x":2}' },
    ];
    expect(assemble([chunk])).toEqual([call('a', 'f', '{"x":1}'), call('b', 'f', '{"x":2}')]);
  });

  it('joins fragments that have neither index nor id to the last call', () => {
    const calls = assemble([
      [{ id: 'a', name: 'f' }],
      [{ arguments: '{"x":' }],
      [{ arguments: '1}' }],
      [{ id: 'b', name: 'g', arguments: '{' }],
      [{ arguments: '}' }],
    ]);
    expect(calls).toEqual([call('a', 'f', '{"x":1}'), call('b', 'g', '{}')]);
  });

  it('joins fragments without index by id, interleaved', () => {
    const calls = assemble([
      [{ id: 'a', name: 'f' }],
      [{ id: 'b', name: 'g' }],
      [{ id: 'a', arguments: '{"x":1}' }],
      [{ id: 'b', arguments: '{}' }],
    ]);
    expect(calls).toEqual([call('a', 'f', '{"x":1}'), call('b', 'g', '{}')]);
  });

  it('gives a missing id, also to several nameless-id calls in one chunk', () => {
    const chunk = [{ name: 'f' }, { name: 'f' }, { name: 'g', arguments: '{}' }];
    expect(assemble([chunk])).toEqual([
      call('new-1', 'f', ''),
      call('new-2', 'f', ''),
      call('new-3', 'g', '{}'),
    ]);
  });

  it('keeps the first id where each fragment has another', () => {
    const calls = assemble([
      [{ index: 0, id: 'a', name: 'f', arguments: '{"x"' }],
      [{ index: 0, id: 'b', name: 'f', arguments: ':1}' }],
    ]);
    expect(calls).toEqual([call('a', 'f', '{"x":1}')]);
    const withoutIndex = assemble([
      [{ id: 'a', name: 'f', arguments: '{"x"' }],
      [{ id: 'b', name: 'f', arguments: ':1}' }],
    ]);
    expect(withoutIndex).toEqual(calls);
  });

  it('sees another call where a whole one is followed by another id under the same index', () => {
    const calls = assemble([
      [{ index: 0, id: 'a', name: 'f', arguments: '{}' }],
      [{ index: 0, id: 'b', name: 'f', arguments: '{}' }],
      [{ index: 0, id: 'c', name: 'g' }],
    ]);
    expect(calls).toEqual([call('a', 'f', '{}'), call('b', 'f', '{}'), call('c', 'g', '')]);
  });

  it('makes ids that repeat, or stand in the conversation already, distinct', () => {
    const calls = assemble(
      [
        [
          { index: 0, id: '0', name: 'f', arguments: '{}' },
          { index: 1, id: '0', name: 'g', arguments: '{}' },
          { index: 2, id: 'x', name: 'h', arguments: '{}' },
        ],
      ],
      ['x'],
    );
    expect(calls).toEqual([call('0', 'f', '{}'), call('new-1', 'g', '{}'), call('new-2', 'h', '{}')]);
  });

  it('bears names that are repeated (Kimi), empty (GLM at Mistral), in pieces or growing', () => {
    const named = (...names: (string | null)[]): ToolCall[] =>
      assemble(
        names.map((name, i) => [{ index: 0, id: 'a', name, arguments: i === names.length - 1 ? '{}' : '' }]),
      );
    expect(named('f', 'f')).toEqual([call('a', 'f', '{}')]);
    expect(named('f', '')).toEqual([call('a', 'f', '{}')]);
    expect(named('f', null)).toEqual([call('a', 'f', '{}')]);
    expect(named('get_', 'weather')).toEqual([call('a', 'get_weather', '{}')]);
    expect(named('get', 'get_weather')).toEqual([call('a', 'get_weather', '{}')]);
  });

  it('does not double a call that is sent once more as a whole', () => {
    const whole = { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' };
    expect(assemble([[{ ...whole, arguments: '{"x":' }], [{ index: 0, arguments: '1}' }], [whole]])).toEqual([
      call('a', 'f', '{"x":1}'),
    ]);
  });

  it('keeps empty and broken arguments as they are, and names a nameless call', () => {
    expect(assemble([[{ index: 0, id: 'a', name: 'f' }]])).toEqual([call('a', 'f', '')]);
    expect(assemble([[{ index: 0, id: 'a', arguments: '{"x":' }]])).toEqual([call('a', 'unknown', '{"x":')]);
  });

  it('makes nothing of fragments that say nothing', () => {
    const assembler = new ToolCallAssembler(() => 'new');
    assembler.add([complete({})]);
    expect(assembler.isEmpty).toBe(true);
  });

  it('keeps what comes with a call, also behind it, but takes no signature alone for one (Gemini)', () => {
    const assembler = new ToolCallAssembler(() => 'new');
    const extra = (signature: string) => ({ google: { thought_signature: signature } });
    const chunks = [
      { extra: extra('of nothing') },
      { id: 'a', name: 'f', arguments: '{}', extra: extra('A') },
      { id: 'b', name: 'f', arguments: '{"x":2}' },
      { id: 'c', name: 'g', arguments: '{}' },
      { extra: extra('C') },
    ];
    for (const fragment of chunks) assembler.add([complete(fragment)]);
    expect(assembler.finish([]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(assembler.extras).toEqual([extra('A'), null, extra('C')]);
  });

  it('gives back any set of calls, however it is cut and mixed by index', () => {
    const wanted = fc.uniqueArray(
      fc.record({ id: fc.string({ minLength: 1 }), name: fc.constantFrom('f', 'g'), x: fc.string() }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(wanted, fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 9 }))), (calls, cuts) => {
        const left = calls.map(({ x }) => JSON.stringify({ x }));
        const whole = calls.map(({ id, name }, index) => call(id, name, left[index] ?? ''));
        const chunks = calls.map(({ id, name }, index): Fragment[] => [{ index, id, name }]);
        for (const [at, length] of [...cuts, ...calls.map((_, at): [number, number] => [at, 9999])]) {
          const index = at % calls.length;
          const text = left[index] ?? '';
          chunks.push([{ index, arguments: text.slice(0, length) }]);
          left[index] = text.slice(length);
        }
        expect(assemble(chunks)).toEqual(whole);
      }),
    );
  });
});
