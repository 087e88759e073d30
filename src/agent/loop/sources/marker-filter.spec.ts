import fc from 'fast-check';

import { MarkerFilter } from './marker-filter.js';

function filtered(...pieces: string[]): string {
  const filter = new MarkerFilter((marker) => marker >= 1 && marker <= 3);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '[1]',
        '[2, 3]',
        '[9]',
        '【1】',
        '［２］',
        '[1、9]',
        ' [',
        '[',
        ']',
        '[1',
        ', 2]',
        '7]',
        '、',
        '[[',
        '[^1]',
        '[^9]: ',
        '[1-3]',
        '-3]',
        '【2†L1】',
        '†',
        '[來源',
        ':',
      ),
      fc.constantFrom(
        ' ',
        '  ',
        '\u00a0',
        '\u3000',
        '\n',
        '1',
        '9',
        '12',
        '，',
        ';',
        '溫室氣體',
        'Le bilan',
        '😀',
      ),
      // Code contains no markers.
      fc.string({ maxLength: 3 }).filter((text) => !/[`~]/.test(text)),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('MarkerFilter', () => {
  it.each([
    ['It is 42 [1].', 'It is 42 [1].'],
    ['It is 42 [9].', 'It is 42.'],
    ['It is 42 [9] or so.', 'It is 42 or so.'],
    ['Both [1][9][2], all [1, 9, 3] and none [7; 8].', 'Both [1][2], all [1][3] and none.'],
    ['共排放 12 噸【1】，其中［２］、【１，3】屬範疇二[9]。', '共排放 12 噸[1]，其中[2]、[1][3]屬範疇二。'],
    ['[ 1 ] and [01] and [0]', '[1] and [1] and'],
    ['as in [199], [1999], [x], [1], [a1] and [1-9]', 'as in, [1999], [x], [1], [a1] and [1-9]'],
    [
      'all [1-3], [1–2, 3] and［２～３］, not [0-3], [3-1] or [20-30]',
      'all [1][2][3], [1][2][3] and[2][3], not [0-3], [3-1] or [20-30]',
    ],
    ['a note[^1], two[^1, ^3], one[^2^], none[^9] and [#3]', 'a note[1], two[1][3], one[2], none and [3]'],
    [
      '六千元【1†source】【2†L3-L5】【9†source】，另見【3†員工手冊.md】【3:0†source】',
      '六千元[1][2]，另見[3]',
    ],
    ['六千元[來源1]、［來源：２］【出處 3】[来源1、2] [來源9]', '六千元[1]、[2][3][1][2]'],
    ['[Source 1], [source: 2], [Sources 1, 3], [source code]', '[1], [2], [1][3], [source code]'],
    ['six thousand [1 & 2], 六千元[1和2]', 'six thousand [1][2], 六千元[1][2]'],
    ['So[^1].\n\n[^1]: a.md\n [^9]: b.md\n[2]: c.md', 'So[1].\n\n[1] a.md\n b.md\n[2] c.md'],
    ['In [1]: a thing', 'In [1]: a thing'],
    ['[1]:: a thing', '[1] a thing'],
    ['[[1]] [1](https://example.org)', '[[1]] [1](https://example.org)'],
    ['an open one [1', 'an open one [1'],
    ['blanks   [9] stay', 'blanks   stay'],
    ['as 〔2〕 or 〔9〕', 'as [2] or'],
    ['`a[0]`, `b[1]` and [9] [1]', '`a[0]`, `b[1]` and [1]'],
    ['```\nx = y[9]\n```\nas said [9] there', '```\nx = y[9]\n```\nas said there'],
    ['it`s so [9] there', 'it`s so [9] there'],
    ['one in another [[9]7], [8 [9]] and [[9]1]', 'one in another, and [1]'],
  ])('makes of %j %j', (text, expected) => {
    expect(filtered(text)).toBe(expected);
  });

  it('gives the same however the text is cut', () => {
    let markers = 0;
    fc.assert(
      fc.property(anyText, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (text, lengths) => {
        const pieces: string[] = [];
        for (let start = 0; start < text.length; start += pieces.at(-1)!.length) {
          pieces.push(text.slice(start, start + (lengths.next().value as number)));
        }
        const whole = filtered(text);
        if (whole !== text) markers += 1;
        expect(filtered(...pieces)).toBe(whole);
        expect(filtered(...text)).toBe(whole);
      }),
      { numRuns: 1000 },
    );
    expect(markers).toBeGreaterThan(100);
  });

  it('leaves none of an unknown source, also where one goes from the middle of another', () => {
    const nested = fc
      .array(fc.constantFrom('[', '【', '[9]', ' [9]', '[1]', '1', '7', ']', '7]', ' ', ', '), {
        maxLength: 12,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(anyText, nested), (text) => {
        const once = filtered(text);
        const left = once.match(/[[［【][0-9０-９]{1,3}[\]］】]/gu) ?? [];
        expect(left.filter((marker) => !/^\[[123]\]$/.test(marker))).toEqual([]);
        expect(filtered(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('lets no marker of an unknown source through, in whatever brackets', () => {
    const numbers = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 });
    const marker = fc
      .tuple(
        fc.constantFrom('[', '［', '【'),
        numbers,
        fc.constantFrom(',', ', ', '、'),
        fc.constantFrom(']', '】'),
      )
      .map(([open, list, separator, close]) => open + list.join(separator) + close);
    const words = fc.constantFrom(' ', '12 tonnes', '溫室氣體', '. ', '\n');
    const pieces = fc.array(fc.oneof(marker, words), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (texts) => {
        const text = filtered(...texts);
        expect(text.replaceAll(/\[[123]\]/g, '')).not.toMatch(/[[［【]/);
        const known = texts.join('').match(/\d+(?=[\d,、 ]*[\]】])/g) ?? [];
        expect(text.match(/\[\d\]/g) ?? []).toEqual(
          known.filter((digits) => ['1', '2', '3'].includes(digits)).map((digits) => `[${digits}]`),
        );
      }),
    );
  });

  it('holds back no more than a marker may be', () => {
    const filter = new MarkerFilter(() => true);
    expect(filter.push('Le bilan [')).toBe('Le bilan');
    expect(filter.push('1')).toBe('');
    expect(filter.push(' tonne')).toBe(' [1 tonne');
    expect(filter.push(`[${'1,'.repeat(200)}`)).not.toBe('');
  });

  it('is quick with brackets that never end', () => {
    const brackets = '[1'.repeat(20_000);
    expect(filtered(...brackets)).toBe(brackets);
    expect(filtered(`${brackets}x`)).toBe(`${brackets}x`);
    expect(filtered('[9'.repeat(20_000) + ']'.repeat(20_000))).toBe('');
  });

  it('knows a source from when it is found', () => {
    const known = new Set([1]);
    const filter = new MarkerFilter((marker) => known.has(marker));
    expect(filter.push('[2]')).toBe('');
    known.add(2);
    expect(filter.push('[2]')).toBe('[2]');
  });
});
