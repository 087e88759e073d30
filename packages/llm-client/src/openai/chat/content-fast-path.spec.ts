import fc from 'fast-check';
import type { JsonObject } from '@palabre/json';
import { readChatChunk } from './chat-chunk.js';
import { ContentFastPath } from './content-fast-path.js';

interface Read {
  text: string;
  fast: boolean;
}

/** Reads chunks as the completion reader does. */
function readAll(chunks: string[]): Read[] {
  const path = new ContentFastPath();
  return chunks.map((data) => {
    const text = path.read(data);
    if (text !== null) return { text, fast: true };
    const chunk = readChatChunk(JSON.parse(data), { useMessage: false });
    path.learn(data, chunk);
    return { text: chunk.text, fast: false };
  });
}

function chunkOf(delta: JsonObject, fields: JsonObject = {}): string {
  return JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }], ...fields });
}

describe('ContentFastPath', () => {
  it('parses one chunk and slices those that are like it', () => {
    const read = readAll(
      ['a', 'b', 'été', '"q"', 'c', 'x\\y', '\n', 'd'].map((content) => chunkOf({ content })),
    );
    expect(read.map(({ text }) => text).join('|')).toBe('a|b|été|"q"|c|x\\y|\n|d');
    expect(read.map(({ fast }) => fast)).toEqual([false, true, true, false, true, false, false, true]);
  });

  it('knows the spaces that Python writes', () => {
    const python = (text: string): string => `{"choices": [{"index": 0, "delta": {"content": "${text}"}}]}`;
    expect(readAll([python('a'), python('b')])).toEqual([
      { text: 'a', fast: false },
      { text: 'b', fast: true },
    ]);
  });

  it('learns anew when the frame changes, also often, as long as it pays', () => {
    const chunks = Array.from({ length: 300 }, (_, i) =>
      chunkOf({ content: `${i}` }, { created: Math.floor(i / 10) }),
    );
    const read = readAll(chunks);
    expect(read.map(({ text }) => text)).toEqual(chunks.map((_, i) => `${i}`));
    expect(read.filter(({ fast }) => fast)).toHaveLength(270);
  });

  it('is not taken in by the same words at another place', () => {
    const twin = (text: string): string =>
      `{"choices":[{"index":0,"note":{"content":"${text}"},"delta":{"content":"${text}"}}]}`;
    expect(readAll([twin('a'), twin('a'), twin('b')]).map(({ text }) => text)).toEqual(['a', 'a', 'b']);
    const other = (note: string, text: string): string =>
      `{"choices":[{"index":0,"note":{"content":"${note}"},"delta":{"content":"${text}"}}]}`;
    expect(readAll([other('a', 'a'), other('b', 'a'), other('a', 'b')]).map(({ text }) => text)).toEqual([
      'a',
      'a',
      'b',
    ]);
  });

  it('reads what parsing reads, of any stream', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()),
      fc.constantFrom('a', '"', '\\', '","x":"', '"content":"z"', '"}}]}', ' '),
    );
    const fields = fc.oneof(
      fc.constant({}),
      fc.record({ obfuscation: words }),
      fc.record({ created: fc.nat(2) }),
      fc.record({ usage: fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 1 }) }),
    );
    const delta = fc.oneof(
      { weight: 5, arbitrary: fc.record({ content: words }) },
      fc.record({ role: fc.constant('assistant'), content: words }),
      fc.record({ content: words, reasoning: words }),
      fc.record({ reasoning: words, content: fc.constant(null) }),
      fc.record({ refusal: words, content: words }),
      fc.record({ content: words, tool_calls: fc.constantFrom(null, [{ index: 0, id: 'a' }]) }),
    );
    const chunk = fc
      .tuple(delta, fields, fc.constantFrom(undefined, 1))
      .map(([part, more, space]) =>
        JSON.stringify({ model: 'm', choices: [{ index: 0, delta: part }], ...more }, undefined, space),
      );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        const parsed = chunks.map((data) => readChatChunk(JSON.parse(data), { useMessage: false }));
        const path = new ContentFastPath();
        chunks.forEach((data, i) => {
          const whole = parsed[i];
          const text = path.read(data);
          // A slice stands for a chunk that holds nothing but this text.
          const fast = {
            ...whole,
            text,
            reasoning: '',
            fragments: [],
            finishReason: null,
            usage: null,
            error: null,
          };
          if (text !== null && JSON.stringify(fast) !== JSON.stringify(whole))
            throw new Error(`${data} read as ${text}`);
          if (text === null && whole) path.learn(data, whole);
        });
      }),
      { numRuns: 3000 },
    );
  });
});
