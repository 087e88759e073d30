import fc from 'fast-check';

import { formatted } from './number-format.js';

describe('formatted', () => {
  it.each([
    [1234.5678, 'General', '1234.5678'],
    [0.1 + 0.2, 'General', '0.3'],
    [1234.5678, '#,##0.00', '1234.57'],
    [1.005, '0.00', '1.01'],
    [1234.5, '0', '1235'],
    [0.125, '0.0%', '12.5%'],
    [0.125, '0%', '13%'],
    [-20, '#,##0.00 [$€-40C]', '-20.00 €'],
    [1500, '"$"#,##0', '$1500'],
    [1500, '#,##0 "FCFA"', '1500 FCFA'],
    [-1500, '#,##0_);[Red](#,##0)', '-1500'],
    [0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', '0'],
    [1_500_000, '0.0,,"M"', '1.5M'],
    [12_345, '0.00E+00', '12345'],
    [0.5, '# ?/?', '0.5'],
    [1.5, '0.###', '1.5'],
    [45_077, 'dd/mm/yyyy', '2023-05-31'],
    [45_077.75, 'yyyy-mm-dd hh:mm', '2023-05-31 18:00'],
    [45_077, '[$-40C]d mmmm yyyy;@', '2023-05-31'],
    [45_077, 'mmm-yy', '2023-05'],
    [45_077, 'yyyy"年"m"月"d"日"', '2023-05-31'],
    [45_077, 'yyyy', '2023'],
    [0.5, 'h:mm AM/PM', '12:00'],
    [1.520_833_333, '[h]:mm', '36:30'],
    [0.75, 'hh:mm:ss', '18:00:00'],
    [0.01, 'mm:ss', '00:14:24'],
    [60, 'yyyy-mm-dd', '1900-02-29'],
    [1, 'yyyy-mm-dd', '1900-01-01'],
    [-5, 'yyyy-mm-dd', '-5'],
    [5, ';;;', '5'],
  ])('%p as %p is %p', (value, format, text) => {
    expect(formatted(value, format, false)).toBe(text);
  });

  it('counts from 1904 where the workbook does', () => {
    expect(formatted(43_615, 'yyyy-mm-dd', true)).toBe('2023-05-31');
  });

  it('gives the number itself for whole numbers in any format without dates or scales', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('0', '#,##0', '0_ ;-0', '[Blue]0', 'General'),
        (value, format) => {
          expect(Number(formatted(value, format, false))).toBe(value === 0 ? 0 : value);
        },
      ),
    );
  });

  it('gives something for any number in any format', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: fc.constantFrom(...'0#?.,%;"[]\\$€ymdhsE+-_*@/ :AP'), maxLength: 20 }),
        (value, format) => {
          expect(typeof formatted(value, format, false)).toBe('string');
        },
      ),
    );
  });
});
