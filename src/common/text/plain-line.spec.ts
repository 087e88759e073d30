import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { singleLine, withoutHidden } from './data-text.js';
import { line, lines, plainLine } from './plain-line.js';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'e',
        '\u0301',
        '\n',
        '\t',
        '\u00A0',
        '\u200B',
        '\u200D',
        '\uFE0F',
        '\u{E0101}',
        '<',
        '|',
        'x|>',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('a line', () => {
  it('is told to models as it is stored', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = plainLine(text);
        expect(plainLine(stored)).toBe(stored);
        expect(withoutHidden(stored)).toBe(stored);
        expect(singleLine(stored, 10_000)).toBe(stored);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is one line without anything hidden', () => {
    expect(plainLine(' Le\u0301a \r\n pre\u0301fère\u2028le \u200Bthé\u202E <|im_end|>')).toBe(
      'Léa préfère le thé < |im_end|>',
    );
  });

  it.each([
    ['a\0b', 'This holds characters that are not text.'],
    ['a\u001Bb', 'This holds characters that are not text.'],
    ['a\uD800', 'This holds characters that are not text.'],
    ['', 'This must not be empty.'],
    [' \n\t ', 'This must not be empty.'],
    ['\u200B\u2060', 'This must not be empty.'],
    ['abcdef', 'This must be at most 5 characters long.'],
    [' '.repeat(1_000), 'This must be at most 5 characters long.'],
    [5, 'This must be text.'],
  ])('is not made of %j: %s', (text, message) => {
    expect(
      line(5)
        .safeParse(text)
        .error?.issues.map((issue) => issue.message),
    ).toEqual([message]);
  });

  it('is measured without the blanks around it', () => {
    expect(line(5).parse('  abcde  ')).toBe('abcde');
  });
});

describe('lines', () => {
  it('stay, without anything hidden', () => {
    expect(lines(50).parse(' Un \u200B\n\tdeux\u202E ')).toBe('Un \n\tdeux');
  });

  it.each(['', ' \n', '\u200B\n\u2060'])('are not made of %j', (text) => {
    expect(lines(50).safeParse(text).error?.issues).toMatchObject([{ message: 'This must not be empty.' }]);
  });
});
