import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findDates } from './dates.js';
import { fold, tidy } from './words/fold.js';

const dates = (text: string): string[] => findDates(fold(tidy(text))).map(({ iso }) => iso);

describe('findDates', () => {
  it.each<[string, string[]]>([
    ['2025-03-12', ['2025-03-12']],
    ['12/03/2025', ['2025-03-12']],
    ['03/25/2025', ['2025-03-25']],
    ['12.03.2025', ['2025-03-12']],
    ['le 12 mars 2025', ['2025-03-12']],
    ['le 1er août 2025', ['2025-08-01']],
    ['March 12, 2025', ['2025-03-12']],
    ['the 3rd of May 2024', ['2024-05-03']],
    ['12 de marzo de 2025', ['2025-03-12']],
    ['2025年3月12日', ['2025-03-12']],
    ['du 1/2/2024 au 3 février 2025', ['2024-02-01', '2025-02-03']],
    ['31/02/2025, 2025-13-01, 12/2025', []],
  ])('%s', (text, expected) => {
    expect(dates(text)).toEqual(expected);
  });

  it.each(['fr', 'en-GB', 'en-US', 'es'])('reads back the long dates of %s', (locale) => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        (date) => {
          expect(dates(format.format(date))).toEqual([date.toISOString().slice(0, 10)]);
        },
      ),
    );
  });
});
