import { expect, it } from '@jest/globals';
import fc from 'fast-check';

import { linePieces } from './line-pieces.js';

it.each([
  ['words keep the space behind them', 'un deux  trois', ['un ', 'deux  ', 'trois']],
  ['spaces that hold, hold', '12\u00a0000 kWh', ['12\u00a0000 ', 'kWh']],
  ['Chinese may be cut anywhere', '碳足跡', ['碳', '足', '跡']],
  ['but not before closing marks', '報告，第（一）頁。', ['報', '告，', '第', '（一）', '頁。']],
  ['addresses are cut behind their seams', 'a.org/b-c', ['a.org/', 'b-', 'c']],
  ['letters stay with Chinese marks', 'CO2（噸）', ['CO2', '（噸）']],
  ['nothing is nothing', '', []],
])('%s', (_, text, expected) => {
  expect(linePieces(text)).toEqual(expected);
});

it('loses nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(linePieces(text).join('')).toBe(text);
    }),
  );
});
