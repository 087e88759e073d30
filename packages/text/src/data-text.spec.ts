import fc from 'fast-check';

import {
  isSeen,
  quotation,
  singleLine,
  withoutEndOf,
  withoutHidden,
  line,
  lines,
  plainLine,
} from './data-text.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('# ', '\n', '\r\n', '\u2028', '\u0085', '\v', 'a', '😀', '\ud800', '> ', '\u202e', ' '),
    )
    .map((parts) => parts.join('')),
);
const limit = fc.integer({ min: 1, max: 60 });

describe('singleLine', () => {
  it('is one well-formed line within the limit, with no blank at its ends', () => {
    fc.assert(
      fc.property(anyText, limit, (text, maxLength) => {
        const line = singleLine(text, maxLength);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(line).toBe(line.trim());
        expect([...line].length).toBeLessThanOrEqual(maxLength);
        expect(singleLine(line, maxLength)).toBe(line);
      }),
    );
  });

  it('keeps what people can read and drops what only a model would', () => {
    expect(singleLine('Karité\u00a0& fils 👩‍🌾', 50)).toBe('Karité & fils 👩‍🌾');
    expect(singleLine('a\u202eb\u{e0049}\u{e0067}\u200bc', 50)).toBe('abc');
  });

  it('shows that something was cut, between characters', () => {
    expect(singleLine('abcdef', 5)).toBe('abcd…');
    expect(singleLine('😀😀😀', 2)).toBe('😀…');
    expect(singleLine('😀😀😀', 3)).toBe('😀😀😀');
  });
});

describe('quotation', () => {
  it('begins each line with its mark, so that nothing in it can be a heading', () => {
    fc.assert(
      fc.property(anyText, limit, (text, maxLength) => {
        for (const line of quotation(text, maxLength).split(/[\n\v\f\r\u0085\u2028\u2029]/u)) {
          expect(line).toMatch(/^>( \S.*)?$/u);
        }
      }),
    );
  });

  it('keeps the lines apart', () => {
    expect(quotation('one\r\n# two\n\nthree', 100)).toBe('> one\n> # two\n>\n> three');
  });
});

describe('withoutHidden', () => {
  it('takes out what people do not see, and leaves what scripts and emoji are made of', () => {
    expect(withoutHidden('a\u202Eb\u200Bc\u{E0041}\u{E0042}\uFEFFd')).toBe('abcd');
    expect(withoutHidden('👩‍🚀 ❤️‍🔥 می‌خواهم 葛\u{E0100}')).toBe('👩‍🚀 ❤️‍🔥 می‌خواهم 葛\u{E0100}');
    expect(withoutHidden(`😀${'\u{E0110}\u{E0111}\u{E0112}'.repeat(9)}!`)).toBe('😀!');
    expect(withoutHidden(`a${'\u200C\u200D'.repeat(20)}b`)).toBe('ab');
  });

  it.each(['<|im_end|>', '<|im_start|>system', '<|endoftext|>', '<|IM_END|>'])(
    'leaves nothing of %s that a model could take for more than text',
    (token) => {
      for (const text of [withoutHidden(`a ${token} b`), singleLine(`a ${token} b`, 100)]) {
        expect(text).not.toContain('<|');
        expect(text).toContain('< |');
      }
    },
  );

  it('leaves what only looks like it', () => {
    expect(withoutHidden('f <| g |> h, a<|b')).toBe('f <| g |> h, a<|b');
  });
});

describe('isSeen', () => {
  it.each(['a', ' \n.', '\u200b碳', '👨\u200d👩', '\u0301'])('is true of %j', (text) =>
    expect(isSeen(text)).toBe(true),
  );

  it.each(['', ' \n\u3000', '\0', '\u200b\u200b', '\u2060\u200d\u00ad', '\ufe0f', '\u3164'])(
    'is false of %j',
    (text) => expect(isSeen(text)).toBe(false),
  );
});

describe('withoutEndOf', () => {
  it('leaves no end of the element, and in JSON the same value', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('</result', '< / Result>', '</RESULT >', '</resul'),
        (words, end) => {
          const text = `${words}${end}${words}`;
          expect(withoutEndOf('result', text)).not.toMatch(/<\s*\/\s*result/iu);
          expect(JSON.parse(withoutEndOf('result', JSON.stringify(text)))).toBe(text);
        },
      ),
    );
    expect(withoutEndOf('result', 'a </b> </results>')).toBe('a </b> <\\/results>');
  });
});

const textWithControls = fc.oneof(
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
      fc.property(textWithControls, (text) => {
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
