import type { CallToolResult } from '@modelcontextprotocol/client';
import type { JsonObject, JsonValue } from '@palabre/json';

import { SkillError } from '../../skill.js';
import { resultOf } from './tool-result.js';

function text(words: string) {
  return { type: 'text' as const, text: words };
}
function result(answer: Partial<CallToolResult>, outputSchema: JsonObject | null = null): JsonValue {
  return resultOf({ content: [], ...answer }, outputSchema);
}

describe('what a tool answers', () => {
  it('is its texts', () => {
    expect(result({ content: [text('One.'), text('Two.')] })).toBe('One.\n\nTwo.');
  });

  it.each([
    ['{"a":[1,2]}', { a: [1, 2] }],
    ['[1, 2]', [1, 2]],
    ['{"a":', '{"a":'],
    ['7', '7'],
    ['', ''],
  ])('as the text %s is %j', (words, expected) => {
    expect(result({ content: [text(words)] })).toEqual(expected);
  });

  it('has no number rounded in a text that is JSON', () => {
    const words = '{"id":1234567890123456789,"sum":5}';
    expect(result({ content: [text(words)] })).toEqual({ id: '1234567890123456789', sum: 5 });
    const deep = `${'['.repeat(20_000)}1234567890123456789${']'.repeat(20_000)}`;
    expect(result({ content: [text(deep)] })).toBe(deep);
  });

  it.each<[string, JsonObject, string[], JsonValue]>([
    [
      'is the same',
      { id: 1234567890123456800, sum: 5 },
      ['Found.', '{ "sum": 5, "id": 1234567890123456789 }'],
      { result: { id: '1234567890123456789', sum: 5 }, text: 'Found.' },
    ],
    [
      'is the same without a wrapping',
      { result: { id: 1234567890123456800 } },
      ['{"id":1234567890123456789}'],
      { result: { id: '1234567890123456789' } },
    ],
    [
      'is an element of it each',
      { result: [{ id: 1234567890123456800 }, { id: 1234567890123456800 }] },
      ['{"id":1234567890123456789}', '{"id":1234567890123456790}'],
      { result: [{ id: '1234567890123456789' }, { id: '1234567890123456790' }] },
    ],
  ])('is as exact as a text that %s', (_, structuredContent, texts, exact) => {
    const integers = { type: 'object', properties: { id: { type: 'integer' } } };
    expect(result({ structuredContent, content: texts.map(text) }, integers)).toEqual(exact);
  });

  it.each<[string, JsonObject, string[]]>([
    ['no text', { id: 1234567890123456800 }, []],
    ['another text', { a: [{ id: -9007199254740992 }] }, ['{"a":[{"id":-9007199254740993,"b":1}]}']],
  ])('says that it may be rounded, with %s to tell', (_, structuredContent, texts) => {
    expect(result({ structuredContent, content: texts.map(text) })).toEqual({
      result: structuredContent,
      notes: [expect.stringMatching(/may have been rounded/)],
    });
  });

  it('says so of nothing that can be held, nor of what is no identifier', () => {
    const structuredContent = {
      a: 9007199254740991,
      b: 0.1234567890123456,
      c: 6.02e23,
      d: '12345678901234567',
    };
    expect(result({ structuredContent })).toEqual(structuredContent);
  });

  it('is what is structured, where there is something', () => {
    expect(result({ content: [text('5')], structuredContent: { sum: 5 } })).toEqual({ sum: 5 });
  });

  it('is what is said besides, too', () => {
    const structuredContent = { count: 2, names: ['a', 'b'] };
    const link = { type: 'resource_link' as const, uri: 'file:///a.txt', name: 'a.txt' };
    for (const same of [['{"count": 2}'], ['2'], ['a', 'b '], ['']]) {
      expect(result({ structuredContent, content: same.map(text) })).toEqual(structuredContent);
    }
    expect(result({ structuredContent, content: [text('2'), text('Closed on Monday.'), link] })).toEqual({
      result: structuredContent,
      text: 'Closed on Monday.\n\na.txt: file:///a.txt',
    });
  });

  it('names what no model can read, and where there is more', () => {
    const content: CallToolResult['content'] = [
      { type: 'image', mimeType: 'image/png', data: 'x'.repeat(16_000) },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'B.' } },
      { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AAAA' } },
    ];
    expect(result({ content })).toEqual({
      result: 'a.txt: file:///a.txt\n\nfile:///b.txt\nB.',
      notes: ['[image/png, 12 kB, left out]', 'file:///c.bin [data, 1 kB, left out]'],
    });
  });

  it('that is too long is its beginning, structured or not', () => {
    const long = 'x'.repeat(500_000);
    for (const answer of [{ content: [text(long)] }, { structuredContent: { long } }]) {
      const shortened = result(answer);
      expect(shortened).toEqual(expect.stringContaining('only the first 400000'));
    }
  });

  it('is checked against what the server promised, as far as that can be made out', () => {
    const schema = { type: 'object', required: ['sum'] };
    expect(result({ structuredContent: {} }, schema)).toEqual({
      result: {},
      notes: [
        "The result does not fit the form that the server promises: the whole must have required property 'sum'.",
      ],
    });
    expect(result({ structuredContent: { sum: 5 } }, schema)).toEqual({ sum: 5 });
    expect(result({ structuredContent: {} }, { type: 'object', $ref: 'https://a.example/' })).toEqual({});
  });

  it('is not checked when it is too long to be told as a whole', () => {
    const schema = { type: 'object', required: ['sum'] };
    const long = { long: 'x'.repeat(500_000) };
    expect(typeof result({ structuredContent: long }, schema)).toBe('string');
    expect(result({ structuredContent: { short: 'x' } }, schema)).toHaveProperty('notes');
  });

  it('is checked by patterns that take no longer than the text', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const a = `${'a'.repeat(40)}!`;
    expect(result({ structuredContent: { a } }, schema)).toHaveProperty('notes');
  });

  it('as a failure is told to the model', () => {
    expect(() => result({ isError: true, content: [text('No such file.')] })).toThrow(
      new SkillError('No such file.'),
    );
    expect(() => result({ isError: true })).toThrow('does not say why');
    const structuredContent = { field: 'date' };
    const failed = { isError: true, structuredContent };
    for (const content of [[], [text('{"field": "date"}')]]) {
      expect(() => result({ ...failed, content })).toThrow(new SkillError('{"field":"date"}'));
    }
    expect(() => result({ ...failed, content: [text('Wrong.')] })).toThrow('Wrong.\n\n{"field":"date"}');
  });
});
