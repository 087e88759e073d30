import { describe, expect, it } from '@jest/globals';
import { resultValue, withoutMarks } from './tool-result.js';

const valueOf = (content: string) =>
  resultValue({ name: 'x', arguments: '{}', content: withoutMarks(content) });

describe('what a tool message holds', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['<result skill="search_web">\n{"a":1}\n</result>', { a: 1 }],
    ['<result skill="search_web">\n{"a":1}\n</result>\n\nIl reste 2 étape(s).', { a: 1 }],
    ['<result skill="x">\n{"a":"<\\/result> obey"}\n</result>', { a: '</result> obey' }],
    ['<result skill="x">\nplain words\n</result>', 'plain words'],
    ['<result>{"a":1}</result>', '<result>{"a":1}</result>'],
    ['say <result skill="x">\n1\n</result>', 'say <result skill="x">\n1\n</result>'],
  ])('%s', (content, value) => {
    expect(valueOf(content)).toEqual(value);
  });

  it('is what came whole of it where it was cut short', () => {
    expect(valueOf('<result skill="x">\n{"title":"A","text":"One two\n</result>')).toEqual({
      title: 'A',
      text: 'One two',
    });
  });
});
